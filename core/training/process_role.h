// SPDX-License-Identifier: GPL-3.0-or-later
// What a run among real processes is in this one of them: its place in the cluster, whether it reports, and what all
// have agreed on. Of a run in one process: that alone.
#pragma once

#include <vector>

#include "core/cluster/topology.h"
#include "core/config/run_info.h"

namespace lab {

void addProcesses(const ResolvedSettings& config, TopologySettings& topology);

std::vector<ProcessFacts> processFacts(const SettingsBase& config);  // empty where the run is in one process

// Whether this process writes the run's files and tells of it: the first of several, or the only one.
bool isReporter(const SettingsBase& config);

// All call it: what the first one says.
bool agreed(const SettingsBase& config, bool wish);
// Likewise, of a run that a window watches: what comes next.
enum class Next : unsigned char { Step, Rest, Stop };
Next agreedNext(const SettingsBase& config, Next wish);

}  // namespace lab
