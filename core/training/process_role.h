// SPDX-License-Identifier: GPL-3.0-or-later
// The role of this process in a run among several real processes: its place in the cluster, whether it reports, and
// what all processes agree on. In a run with one process, this process alone reports and decides.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/config/run_info.h"
#include "core/replicas/topology.h"

namespace lab {

void addProcesses(const ResolvedSettings& config, TopologySettings& topology);

std::vector<ProcessFacts> processFacts(const SettingsBase& config);  // empty if the run is in one process

// Returns whether this process writes the run's files and reports: the first of several processes, or the only one.
bool isReporter(const SettingsBase& config);

// Does `work`, which reads or writes the run's files: other processes have more patience meanwhile.
void withFiles(const SettingsBase& config, std::int64_t step, const std::function<void()>& work);

// All processes call this; returns the first one's wish.
bool agreed(const SettingsBase& config, bool wish);
// The same for what comes next in a run that a window watches.
enum class Next : unsigned char { Step, Rest, Stop };
Next agreedNext(const SettingsBase& config, Next wish);

}  // namespace lab
