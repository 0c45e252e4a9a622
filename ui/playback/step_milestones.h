// SPDX-License-Identifier: GPL-3.0-or-later
// When things happened in a step, as far as captions need it: read from its record once. A moment that the step does
// not have is kNever.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/trace/step_record.h"
#include "core/training/trainer.h"

namespace lab {

inline constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

struct StepMilestones {
  std::vector<std::int64_t> lossNs, gradientNs, updateNs;  // per replica: known, computed, its copy updated
  std::vector<double> losses;                              // per replica: the mean over its images; 0 without any
  std::int64_t firstLossNs = kNever;                       // of those with images
  std::int64_t firstSentNs = kNever;                       // when the first gradients went off
  bool lockStep = true;                                    // every operation began and ended everywhere at once
};
StepMilestones milestonesOf(const RunInfo& info, const StepRecord& record);

// Whether the strategy itself is started up in this step, one thing after the other, before weights are copied.
bool hasStartupSequence(const StepRecord& record);

// How the parameter servers' links were used, from the update before to this one.
struct ServerLoad {
  bool queued = false;    // somebody waited for a link
  double busy = 0;        // of the most used direction of a link: the share of the time
  double queueShare = 0;  // of the cycle that ends here, from the request of weights to the update
  // More workers would do no more updates: the link has none to spare, and this one waited for it.
  bool isFull() const { return busy >= 0.95 && queueShare >= 0.25; }
};
ServerLoad serverLoadOf(const RunInfo& info, const StepRecord& record);

}  // namespace lab
