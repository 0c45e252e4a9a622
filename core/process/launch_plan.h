// SPDX-License-Identifier: GPL-3.0-or-later
// The command that starts W workers through Open MPI's mpirun, and what its output means. Pure functions: the command
// line starts the plan, and whoever else wants to can.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/message.h"

namespace lab::process {

struct LaunchRequest {
  int workers = 2;
  std::vector<std::string> hosts;          // names, spread over evenly; empty: this machine
  std::vector<std::string> addresses;      // TF_CONFIG's "host:port", one a worker; empty: made up
  std::string program;                     // strategylab-cli, the same path on all hosts
  std::vector<std::string> options;        // of train
  std::string deadline, startUpLimit;      // seconds; "": as it is
  int cores = 0;                           // of this machine; 0: unknown
  bool root = false, rootAllowed = false;  // this user is root; Open MPI's two variables allow it
};

struct LaunchPlan {
  std::vector<std::string> command;
  std::vector<std::pair<std::string, std::string>> environment;
  std::string hostFile;              // a line a worker, for placeHostFile(); empty: all on this machine
  std::vector<std::string> workers;  // "worker 1", with its host where there are several
  std::string input;                 // for the first worker's standard input, before all else
  std::vector<std::string> hosts;    // each worker's, as mpirun knows it; empty: all on this machine
};
// Writes the hosts' file and names it in the command; nothing where all are on this machine. UserError (kind Run).
void placeHostFile(LaunchPlan& plan, const std::string& path);

// UserError where this user may not, or the numbers do not fit.
LaunchPlan planLaunch(const LaunchRequest& request);

// Ends a process on another host at once: the way in which it was started leads there.
std::vector<std::string> killCommand(const std::string& mpirun, const std::string& host, const std::string& pid);

// Where mpirun says that a worker was ended by a signal.
struct Killed {
  int worker = -1, signal = 0;
  std::string pid, host;
};
std::optional<Killed> killedWorker(const std::string& mpirunSays);
// Where it says why it could start nothing: which host is not reached, or has no such program. Empty: something else.
Message whyNotStarted(const std::string& mpirunSays);

}  // namespace lab::process
