// SPDX-License-Identifier: GPL-3.0-or-later
// Parameter servers that are processes of their own, as TensorFlow's are: each has its parts and the optimizer's for
// them in its own memory. A line says what to do, a line that it is done; values lie in memory that all of them share,
// for they are on one machine. One that dies, or does not answer, is found and said.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "core/serving/parameter_servers.h"

namespace lab::serving {

// A server was lost, and its variables with it: nothing goes on from here.
struct LostServer : std::runtime_error {
  LostServer(int which, int end) : std::runtime_error("a parameter server was lost"), number(which), code(end) {}
  int number;
  int code;  // it ended with, ChildProcess::kKilled + a signal's number where one ended it; -1: it did not answer
};

// `program` is started for each, with "parameter-server" and the two arguments of runParameterServer(). Every call of
// what is returned throws a LostServer where one has ended, or has not answered for `silentNs`. The thread that makes
// them must live as long as they do.
std::unique_ptr<ParameterServers> startServerProcesses(const ResolvedSettings& config, const NeuralNetwork& network,
                                                       const std::string& program, std::int64_t silentNs);

// Such a process, from its first line to its last: `memory` is the path of what is shared.
int runParameterServer(const std::string& memory, int number);

}  // namespace lab::serving
