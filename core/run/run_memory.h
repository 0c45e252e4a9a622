// SPDX-License-Identifier: GPL-3.0-or-later
// How much memory a run needs, and how much there is for runs: what is too large is refused before it begins, and
// several runs at once stay within it together.
#pragma once

#include <cstdint>

#include "core/run/run_config.h"

namespace lab {

// Roughly, and not less than it takes: of a resolved configuration.
std::int64_t memoryNeeded(const RunConfig& config);

// Of this machine, for all runs together; 0 where it is not known.
std::int64_t memoryForRuns();

}  // namespace lab
