// SPDX-License-Identifier: GPL-3.0-or-later
// The learning rate of each step: scaled with the global batch and warmed up (Goyal et al. 2017, arXiv 1706.02677, for
// the linear rule; the square root rule of Malladi et al. 2022, arXiv 2205.10287). TensorFlow itself adjusts nothing.
#pragma once

#include <cstdint>

#include "core/config/resolved_settings.h"

namespace lab {

// Of step `step` (from 1). `config` is resolved. Under the staleness rule what each update's is divided from: how stale
// a gradient is, its strategy knows.
double learningRateAt(const ResolvedSettings& config, std::int64_t step, std::int64_t stepsPerEpoch);

}  // namespace lab
