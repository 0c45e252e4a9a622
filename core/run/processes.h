// SPDX-License-Identifier: GPL-3.0-or-later
// A run on real processes (--devices processes): what of its settings that allows, what its cluster looks like, and
// whether all processes are about to do the same.
#pragma once

#include <string>

#include "core/cluster/topology.h"
#include "core/data/dataset.h"
#include "core/process/peers.h"
#include "core/run/run_config.h"
#include "core/run/trainer.h"

namespace lab {

// Before all else is resolved: a host for each process that was joined, a replica for each host unless told otherwise.
// UserError for what is not done among processes.
void resolveProcesses(RunConfig& config, const StrategyInfo& info);

// Threads that each of the processes of this computer may use.
std::int64_t threadsOfProcess();

void addProcesses(const RunConfig& config, TopologySettings& topology);

// Where the processes have been joined and compute on GPUs: that all can, with this reducer. The same UserError in all.
void checkProcessGpus(const RunConfig& config);

std::vector<ProcessFacts> processFacts(const RunConfig& config);  // empty where the run is in one process

// Whether this process writes the run's files and tells of it: the first of several, or the only one.
bool isReporter(const RunConfig& config);

// All call it: what the first one says.
bool agreed(const RunConfig& config, bool wish);
// Likewise, of a run that a window watches: what comes next.
enum class Next : unsigned char { Step, Rest, Stop };
Next agreedNext(const RunConfig& config, Next wish);

// All call it, before anything is resolved: what the first one has read of files, or was handed, the others get. Only
// examples are each process's own. UserError in the one that was given another network.
void shareFiles(process::Peers& peers, RunConfig& config);

// All processes call it: the same version, settings, examples, cluster and kernels as the first one has. Otherwise a
// UserError, the same in all, that names the worker. `version`: of the program.
void compareProcesses(process::Peers& peers, const RunConfig& config, const Dataset& dataset,
                      const std::string& version);

}  // namespace lab
