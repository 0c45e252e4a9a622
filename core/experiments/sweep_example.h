// SPDX-License-Identifier: GPL-3.0-or-later
// The classroom's sweep as it came out once, trained in advance (resources/sweeps): what a finished sweep looks like,
// before there is one.
#pragma once

#include <optional>

#include "core/experiments/sweep.h"

namespace lab {

// Of a cell of that sweep (classroomSweep() in ui/sweep); nothing for any other. Thread-safe.
std::optional<RunTally> exampleResult(const SweepCell& cell);

}  // namespace lab
