// SPDX-License-Identifier: GPL-3.0-or-later
// Before a run on real processes (--devices processes) begins: what the first one was given reaches the others, and all
// are about to do the same.
#pragma once

#include <string>

#include "core/config/resolved_settings.h"
#include "core/data/dataset.h"
#include "core/process/peers.h"

namespace lab {

// All call it, before anything is resolved: what the first one has read of files, or was handed, the others get. Only
// examples are each process's own. UserError in the one that was given another network.
void shareFiles(process::Peers& peers, SettingsBase& config);

// All processes call it: the same version, settings, examples, cluster and kernels as the first one has. Otherwise a
// UserError, the same in all, that names the worker. `version`: of the program.
void compareProcesses(process::Peers& peers, const ResolvedSettings& config, const Dataset& dataset,
                      const std::string& version);

}  // namespace lab
