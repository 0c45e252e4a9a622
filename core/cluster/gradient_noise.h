// SPDX-License-Identifier: GPL-3.0-or-later
// Measures the noise of a step's gradients (timing/noise_scale.h) from each replica's gradient before the sum, and from
// the sum. Norms are summed in double, in an order that does not depend on the number of threads.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/timing/noise_scale.h"

namespace lab {

class Cluster;

// Returns the squared norm of each replica's own mean gradient. Empty if the coming sum is not the mean over all
// examples: with Keras's scaling, equal shares are needed for that.
std::vector<LocalGradient> localGradients(Cluster& cluster);
// `sum` is the sum of the replicas' gradients.
std::optional<NoiseSample> noiseOf(Cluster& cluster, std::span<const LocalGradient> local, const float* sum);

}  // namespace lab
