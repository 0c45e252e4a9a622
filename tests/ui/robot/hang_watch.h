// SPDX-License-Identifier: GPL-3.0-or-later
// Ends the program, by SIGABRT in the window's thread so that its stack is told, where one event takes longer than a
// bound.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

namespace lab::robot {

class HangWatch {
 public:
  explicit HangWatch(std::chrono::seconds bound);  // of the thread that makes it

  void begins();  // again: the one before has ended
  void ends() { sinceNs_ = 0; }

 private:
  std::atomic<std::int64_t> sinceNs_{0};
  std::jthread watcher_;
};

}  // namespace lab::robot
