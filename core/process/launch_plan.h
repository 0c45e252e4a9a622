// SPDX-License-Identifier: GPL-3.0-or-later
// The command that starts W workers through Open MPI's mpirun, and the meaning of its output. Pure functions: the
// caller starts the plan.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/message.h"

namespace lab::process {

struct LaunchRequest {
  int workers = 2;
  std::vector<std::string> hosts;          // names, used evenly; empty: this machine
  std::vector<std::string> addresses;      // TF_CONFIG's "host:port", one per worker; empty: generated
  std::string program;                     // strategylab-cli, the same path on all hosts
  std::vector<std::string> options;        // for train
  std::string deadline, startUpLimit;      // seconds; "": the default
  int cores = 0;                           // of this machine; 0: unknown
  bool root = false, rootAllowed = false;  // this user is root; Open MPI's two variables allow it
};

struct LaunchPlan {
  std::vector<std::string> command;
  std::vector<std::pair<std::string, std::string>> environment;
  std::string hostFile;              // a line per worker, for placeHostFile(); empty: all on this machine
  std::vector<std::string> workers;  // "worker 1", with its host if there are several
  std::string input;                 // for the first worker's standard input, before all else
  std::vector<std::string> hosts;    // of each worker, as mpirun names it; empty: all on this machine
};
// Writes the hosts' file and names it in the command; does nothing if all are on this machine. UserError (kind Run).
void placeHostFile(LaunchPlan& plan, const std::string& path);

// Throws a UserError if this user may not start processes, or if the numbers do not match.
LaunchPlan planLaunch(const LaunchRequest& request);

// Returns the command that kills a process on another host at once, by the way in which it was started.
std::vector<std::string> killCommand(const std::string& mpirun, const std::string& host, const std::string& pid);

// mpirun's report that a signal killed a worker.
struct Killed {
  int worker = -1, signal = 0;
  std::string pid, host;
};
std::optional<Killed> killedWorker(const std::string& mpirunSays);
// Returns mpirun's reason for starting nothing: a host cannot be reached, or lacks the program. Empty: another reason.
Message whyNotStarted(const std::string& mpirunSays);

}  // namespace lab::process
