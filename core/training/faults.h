// SPDX-License-Identifier: GPL-3.0-or-later
// Faults of a run, as its lineage has them: which can be, what they are called, what TensorFlow says of them, and where
// a cluster that starts again goes on. What happens is core/cluster/cluster_faults.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/base/message.h"
#include "core/config/lineage.h"
#include "core/config/resolved_settings.h"

namespace lab {

// UserError where a fault of the lineage cannot be, or a branch goes on where training has ended. `children`: what goes
// on from each branch.
void checkFaults(const Lineage& lineage, std::span<const ResolvedSettings> children);

// Whether no worker goes on after it.
bool endsTraining(const RunFault& fault, const SettingsBase& config);
Message describe(const RunFault& fault);  // "worker 1 killed in step 12"

// What TensorFlow 2.21 was seen to print, … for what differs from run to run; "" where nothing was seen.
std::string tensorFlowError(const RunFault& fault, const SettingsBase& config);

// The last step that BackupAndRestore has saved when `step` fails: at the end of an epoch, or every `saveEvery` steps
// where that is not 0. 0: none yet, all begins anew.
std::int64_t backupBefore(std::int64_t step, std::int64_t stepsPerEpoch, std::int64_t saveEvery = 0);
// When everybody can start again, on the modelled clock, after a step that was given up at `endedNs`: the processes
// that raised the error have ended.
std::int64_t restartNs(std::int64_t endedNs);

}  // namespace lab
