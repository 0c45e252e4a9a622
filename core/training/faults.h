// SPDX-License-Identifier: GPL-3.0-or-later
// Faults in a run's lineage: which faults are possible, their descriptions, TensorFlow's error messages for them, and
// where a restarted cluster continues. core/cluster/dead_tasks.h has what happens in the cluster.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/base/message.h"
#include "core/config/lineage.h"
#include "core/config/resolved_settings.h"

namespace lab {

// Throws a UserError if a fault of the lineage is impossible, or if a branch continues after training has ended.
// `children` are the settings of the run that follows each branch.
void checkFaults(const Lineage& lineage, std::span<const ResolvedSettings> children);

// Returns whether no worker continues after the fault.
bool endsTraining(const RunFault& fault, const SettingsBase& config);
Message describe(const RunFault& fault);  // "worker 1 killed in step 12"

// Returns what TensorFlow 2.21 printed when observed, with … for parts that vary between runs; "" if nothing was
// observed.
std::string tensorFlowError(const RunFault& fault, const SettingsBase& config);

// Returns the last step that BackupAndRestore has saved when `step` fails: the end of an epoch, or every `saveEvery`
// steps if that is not 0. Returns 0 if none was saved yet and training starts from the beginning.
std::int64_t backupBefore(std::int64_t step, std::int64_t stepsPerEpoch, std::int64_t saveEvery = 0);
// Returns when all processes can start again, on the modelled clock, after a step that was given up at `endedNs`; the
// processes that raised the error have ended by then.
std::int64_t restartNs(std::int64_t endedNs);

}  // namespace lab
