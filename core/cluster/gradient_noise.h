// SPDX-License-Identifier: GPL-3.0-or-later
// What a step's gradients say of their noise (timing/noise_scale.h): the replicas' own before the sum, and the sum.
// Norms are summed in double, in an order that no number of threads changes.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/timing/noise_scale.h"

namespace lab {

class Cluster;

// Of each replica's own mean gradient. Empty where the sum to come is not the mean over all examples: with Keras's
// scaling that needs equal shares.
std::vector<LocalGradient> localGradients(Cluster& cluster);
// `sum`: of the replicas' gradients.
std::optional<NoiseSample> noiseOf(Cluster& cluster, std::span<const LocalGradient> local, const float* sum);

}  // namespace lab
