// SPDX-License-Identifier: GPL-3.0-or-later
// SIGTERM, as a session's end sends it, and Ctrl-C in the terminal: the window ends as it does when it is closed, but
// asks nothing. A second one ends the program at once. One object.
#pragma once

#include <functional>
#include <thread>

namespace lab {

class EndSignals {
 public:
  // `asked` is called on a thread of its own.
  explicit EndSignals(std::function<void()> asked);
  ~EndSignals();
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;

 private:
  std::thread waiting_;
};

}  // namespace lab
