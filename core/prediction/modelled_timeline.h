// SPDX-License-Identifier: GPL-3.0-or-later
// A step that was only modelled, as a timeline: a lane for each replica, and one for what all of them send together.
#pragma once

#include "core/prediction/timing_run.h"
#include "core/trace/timeline.h"

namespace lab {

// `timing` must have been traced (TimingOptions::traced). The first `mostReplicas` replicas; what the others do is in
// the stages alone.
Timeline timelineOf(const TimingRun& run, const StepTiming& timing, int mostReplicas = kDrawnReplicas);

// The model's own bookkeeping of a replica, as a breakdown.
StageBreakdown breakdownOf(const StageNs& stages);

}  // namespace lab
