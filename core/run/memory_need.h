// SPDX-License-Identifier: GPL-3.0-or-later
// How much memory a run takes, by the same estimate that refuses one that is too large (resolve_config.cpp).
#pragma once

#include "core/run/run_config.h"

namespace lab {

inline constexpr double kUsableMemory = 0.9;  // share of the machine's

double memoryNeed(const RunConfig& resolved);  // bytes; weights, gradients, slots and activations of all replicas

}  // namespace lab
