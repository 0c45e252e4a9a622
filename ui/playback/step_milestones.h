// SPDX-License-Identifier: GPL-3.0-or-later
// When things happened in a step, as far as captions need to know; read once from the step's record. A moment that the
// step does not have is kNever.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/trace/step_record.h"
#include "core/training/trainer.h"

namespace lab {

inline constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

struct StepMilestones {
  std::vector<std::int64_t> lossNs, gradientNs, updateNs;  // per replica: loss known, gradient computed, copy updated
  std::vector<double> losses;                              // per replica: the mean over its images; 0 without any
  std::int64_t firstLossNs = kNever;                       // among replicas with images
  std::int64_t firstSentNs = kNever;                       // when the first gradients were sent
  bool lockStep = true;                                    // every operation began and ended on all replicas at once
};
StepMilestones milestonesOf(const RunInfo& info, const StepRecord& record);

// True if this step starts up the strategy itself, one thing after the other, before weights are copied.
bool hasStartupSequence(const StepRecord& record);

// How the parameter servers' links were used between the previous update and this one.
struct ServerLoad {
  bool hasTurns = false;  // a wait may also be for a turn to pull
  bool queued = false;    // a worker waited for a link, or for its turn
  double busy = 0;        // the busiest direction of a link: the share of the time it was used
  double queueShare = 0;  // share of the cycle that ends here, from the request of weights to the update
  // If true, more workers would make no more updates: the link has no spare capacity, and this worker waited for it.
  bool isFull() const { return !hasTurns && busy >= 0.95 && queueShare >= 0.25; }
};
ServerLoad serverLoadOf(const RunInfo& info, const StepRecord& record);

}  // namespace lab
