// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong with a strategy's settings, and where it cannot be trained. See core/base/message.h.
#pragma once

#include "core/base/message.h"

namespace lab::say {

LAB_TEXT(badPartitioner,
         "%1 is '%2', but must be none, fixed:N, min-size:BYTES or max-size:BYTES, with a whole number above 0.");
LAB_TEXT(partsOnProcessors,
         "%1 %2: worker processes of %3 keep parts of the variables on processors, not on GPUs yet. Leave %1 out.");
LAB_TEXT(neighboursInOneProcess,
         "%1 %2: so far %3 averages neighbours' weights in one process. Use %1 simulated, %1 cpu or %1 cuda.");

}  // namespace lab::say
