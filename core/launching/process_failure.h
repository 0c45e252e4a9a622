// SPDX-License-Identifier: GPL-3.0-or-later
// Why a run among real processes ended, and how it goes on: from what mpirun and the workers have said. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/message.h"
#include "core/config/run_info.h"

namespace lab {

struct ProcessEnd {
  int code = 0;              // mpirun's
  int silentSeconds = 0;     // nothing was heard for so long, and that ended them; 0: they ended
  Message told;              // the first sentence of a worker that failed
  std::string said;          // mpirun's words
  const RunInfo* info = {};  // null: the run had not begun
  std::int64_t lastStep = 0;
  std::int64_t checkpointStep = 0;  // 0: there is none
  std::string checkpoints;          // their folder, on the first worker's host
};

// `lost`: the worker that was ended, where that was it.
Message failureOf(const ProcessEnd& end, int& lost);

// Of a worker that has no examples, or others.
bool isOfExamples(const Message& told);

}  // namespace lab
