// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline of a step that was only modelled: a track for each replica, and one for what all replicas send together.
#pragma once

#include "core/prediction/timing_run.h"
#include "core/timeline/timeline.h"

namespace lab {

// `timing` must have been traced (TimingOptions::traced). Draws the first `mostReplicas` replicas; the others only
// appear in the stages.
Timeline timelineOf(const TimingRun& run, const StepTiming& timing, int mostReplicas = kDrawnReplicas);

// Converts the model's own stages of a replica to a breakdown.
StageBreakdown breakdownOf(const StageNs& stages);

}  // namespace lab
