// SPDX-License-Identifier: GPL-3.0-or-later
// The learning rate of each step: scaled with the global batch and warmed up (Goyal et al. 2017, arXiv 1706.02677, for
// the linear rule; Malladi et al. 2022, arXiv 2205.10287, for the square root rule). TensorFlow itself adjusts nothing.
#pragma once

#include <cstdint>

#include "core/config/resolved_settings.h"

namespace lab {

// Returns the rate of step `step` (from 1). `config` must be resolved. Under the staleness rule, this is the rate
// before the division by the gradient's staleness, which only the strategy knows.
double learningRateAt(const ResolvedSettings& config, std::int64_t step, std::int64_t stepsPerEpoch);

}  // namespace lab
