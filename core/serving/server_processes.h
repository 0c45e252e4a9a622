// SPDX-License-Identifier: GPL-3.0-or-later
// Parameter servers in processes of their own, as TensorFlow's are: each keeps its parts, and the optimizer's slots for
// them, in its own memory. Commands and answers are lines; values are in memory that all processes share, as they run
// on one machine. A server that dies, or does not answer, is detected and reported.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "core/serving/parameter_servers.h"

namespace lab::serving {

// A server was lost, and its variables with it: training cannot continue.
struct LostServer : std::runtime_error {
  LostServer(int which, int end) : std::runtime_error("a parameter server was lost"), number(which), code(end) {}
  int number;
  int code;  // exit code, ChildProcess::kKilled + signal number if killed by a signal; -1: it did not answer
};

// Starts `program` for each server, with "parameter-server" and the two arguments of runParameterServer(). Every call
// of the returned servers throws a LostServer if one has ended, or has not answered for `silentNs`. The thread that
// calls this function must live as long as they do.
std::unique_ptr<ParameterServers> startServerProcesses(const ResolvedSettings& config, const NeuralNetwork& network,
                                                       const std::string& program, std::int64_t silentNs);

// Runs such a process, from its first line to its last. `memory`: path of the shared memory.
int runParameterServer(const std::string& memory, int number);

}  // namespace lab::serving
