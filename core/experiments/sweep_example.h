// SPDX-License-Identifier: GPL-3.0-or-later
// The results of the classroom's sweep, trained in advance (resources/sweeps): shows what a finished sweep looks like
// before the user has one.
#pragma once

#include <optional>

#include "core/experiments/sweep.h"

namespace lab {

// Returns the result of a cell of that sweep (classroomSweep() in ui/sweep); nothing for any other cell. Thread-safe.
std::optional<RunTally> exampleResult(const SweepCell& cell);

}  // namespace lab
