// SPDX-License-Identifier: GPL-3.0-or-later
// Explains why a run among real processes ended, and how to continue, from the output of mpirun and the workers. Pure
// functions.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/message.h"
#include "core/config/run_info.h"

namespace lab {

struct ProcessEnd {
  int code = 0;              // mpirun's exit code
  int silentSeconds = 0;     // the processes were ended after this much silence; 0: they ended on their own
  Message told;              // the first message of a failed worker
  std::string said;          // mpirun's output
  const RunInfo* info = {};  // null: the run had not begun
  std::int64_t lastStep = 0;
  std::int64_t checkpointStep = 0;  // 0: none
  std::string checkpoints;          // folder of the checkpoints, on the first worker's host
};

// `lost`: set to the worker that was killed, if that was the cause.
Message failureOf(const ProcessEnd& end, int& lost);

// Returns whether a worker lacks the examples, or has other ones.
bool isOfExamples(const Message& told);

}  // namespace lab
