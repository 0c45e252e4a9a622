// SPDX-License-Identifier: GPL-3.0-or-later
// Kills processes on other hosts, each through its own mpirun, the way they were started: what reached the host then
// reaches it again, and a stopped or hanging process cannot refuse. Single-threaded; nothing here waits.
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
  // `command`: process::killCommand()'s. `who`: names the process in a sentence. A kill that takes longer than `mostMs`
  // has failed.
  void add(const std::vector<std::string>& command, const Message& who, int mostMs);
  // Checks the kills under way. Returns why one has failed; empty: none has.
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
