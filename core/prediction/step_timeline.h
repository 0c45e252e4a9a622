// SPDX-License-Identifier: GPL-3.0-or-later
// A recorded step as a timeline.
#pragma once

#include <cstdint>

#include "core/config/run_info.h"
#include "core/timeline/timeline.h"
#include "core/trace/step_record.h"

namespace lab {

// The step with its own beginning and end. Its Input spans lie before, since batches are prefetched.
Timeline timelineOf(const RunInfo& info, const StepRecord& record);
// The same, shifted to begin at 0, so that steps of several runs lie over one another.
Timeline timelineFromZero(const RunInfo& info, const StepRecord& record);

}  // namespace lab
