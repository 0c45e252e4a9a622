// SPDX-License-Identifier: GPL-3.0-or-later
// Preparation of a run on real processes (--devices processes): the first one's input reaches the others, and all check
// that they are about to do the same.
#pragma once

#include <memory>
#include <string>

#include "core/config/resolved_settings.h"
#include "core/data/dataset.h"
#include "core/process/peers.h"

namespace lab {

// All processes call this before anything is resolved: they receive what the first one has read from files or was
// passed. Only the examples are read by each process itself. Throws a UserError in a process that was given another
// network.
void shareFiles(process::Peers& peers, SettingsBase& config);

// All processes call this: each must have the first one's version, settings, examples, cluster and kernels. Otherwise
// all throw the same UserError, which names the worker. `version`: the program's.
void compareProcesses(process::Peers& peers, const ResolvedSettings& config,
                      const std::shared_ptr<const Dataset>& dataset, const std::string& version);

}  // namespace lab
