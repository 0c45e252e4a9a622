// SPDX-License-Identifier: GPL-3.0-or-later
// A run's spans as a timeline. What of a modelled operation is launching kernels follows from the run's devices.
#pragma once

#include <cstdint>

#include "core/run/trainer.h"
#include "core/trace/timeline.h"

namespace lab {

// How much of a span, at its beginning, its device spent launching kernels (timing model §1.1): 0 where time is
// measured, or where nothing is launched.
std::int64_t launchNsOf(const Span& span, const RunInfo& info);

// A recorded step, with its own beginning and end. Its Input spans lie before, since batches are prepared ahead.
Timeline timelineOf(const RunInfo& info, const StepRecord& record);

}  // namespace lab
