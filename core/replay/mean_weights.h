// SPDX-License-Identifier: GPL-3.0-or-later
// The weights that a run's own evaluation takes after a recorded step, where copies may differ: their mean.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace lab {

struct RunInfo;
struct StepMetric;
struct StepRecord;

// Returns whether the strategy lets the replicas' copies differ after this step, as between two averages.
bool copiesMayDiffer(const RunInfo& info, const StepRecord& record);

// For a step after which copies may differ: their mean, to the bit as Strategy::weightsOf makes it. `steps` are the
// run's, because a copy counts by the images since the last average. Nothing if copies or steps are missing.
std::optional<std::vector<float>> meanWeights(const RunInfo& info, const StepRecord& record,
                                              std::span<const StepMetric> steps);

}  // namespace lab
