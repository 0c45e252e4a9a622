// SPDX-License-Identifier: GPL-3.0-or-later
// Ends processes on other hosts, each through an mpirun of its own, as they were started: whatever led there leads
// there again, and a process that is stopped or hangs cannot refuse. One thread; nothing here waits.
#pragma once

#include <chrono>
#include <list>
#include <string>
#include <vector>

#include "core/base/child_process.h"
#include "core/base/message.h"

namespace lab {

class RemoteKills {
 public:
  // `command`: process::killCommand()'s. `who`: in a sentence. What takes longer than that has failed.
  void add(const std::vector<std::string>& command, const Message& who, int mostMs);
  // Looks after those under way. Why one has failed; empty: none has.
  Message poll();

 private:
  struct Kill {
    Kill(const std::vector<std::string>& command, const Message& whom, int mostMs);
    ChildProcess mpirun;
    Message who;
    std::chrono::steady_clock::time_point until;
    std::string said;
  };
  std::list<Kill> kills_;
  Message failure_;
};

}  // namespace lab
