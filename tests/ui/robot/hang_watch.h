// SPDX-License-Identifier: GPL-3.0-or-later
// Ends the program if one event takes longer than a bound: by SIGABRT in the window's thread, so that the stack of this
// thread is printed.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

namespace lab::robot {

class HangWatch {
 public:
  explicit HangWatch(std::chrono::seconds bound);  // watches the thread that makes the object

  void begins();  // a further call also ends the event before
  void ends() { sinceNs_ = 0; }

 private:
  std::atomic<std::int64_t> sinceNs_{0};
  std::jthread watcher_;
};

}  // namespace lab::robot
