// SPDX-License-Identifier: GPL-3.0-or-later
// How much memory a run needs, by the estimate that also refuses runs that are too large (resolve.cpp).
#pragma once

#include <cstdint>

#include "core/config/resolved_settings.h"

namespace lab {

inline constexpr double kUsableMemory = 0.9;  // share of the machine's

double memoryNeed(
    const ResolvedSettings& resolved);  // bytes; weights, gradients, slots and activations of all replicas

std::int64_t memoryForRuns();  // bytes of this machine, for all runs together; 0 if unknown

}  // namespace lab
