// SPDX-License-Identifier: GPL-3.0-or-later
// What of a run's settings real processes (--devices processes) allow, and what they are by default there.
#pragma once

#include "core/config/resolved_settings.h"
#include "core/strategy/strategy.h"

namespace lab {

struct Surroundings;

// Before all else is resolved: a host for each process that was joined, a replica for each host unless told otherwise.
// UserError for what is not done among processes.
void resolveProcesses(RunSettings& asked, const StrategyInfo& info, const Surroundings& here);

// Where the processes have been joined and compute on GPUs: that all can, with this reducer. The same UserError in all.
void checkProcessGpus(const ResolvedSettings& config, const Surroundings& here);

}  // namespace lab
