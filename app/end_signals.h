// SPDX-License-Identifier: GPL-3.0-or-later
// SIGTERM, as sent at the end of a session, Ctrl-C in the terminal, and SIGHUP, sent when the terminal closes: the
// window ends as if it were closed, but without asking. A second SIGTERM or Ctrl-C ends the program at once. Only one
// object may exist.
#pragma once

#include <functional>
#include <thread>

namespace lab {

class EndSignals {
 public:
  // Calls `asked` on a separate thread.
  explicit EndSignals(std::function<void()> asked);
  ~EndSignals();
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;

 private:
  std::thread waiting_;
};

}  // namespace lab
