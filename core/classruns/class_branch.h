// SPDX-License-Identifier: GPL-3.0-or-later
// Where a branch of a class begins: the simulated strategy continues from the variables and slots that the class had
// before a step, with as many replicas as there were workers. Messages under way to the servers are not continued.
#pragma once

#include <cstdint>

#include "core/config/resolved_settings.h"
#include "core/config/run_settings.h"
#include "core/protocol/class_history.h"
#include "core/training/checkpoint.h"

namespace lab::serving {

struct ClassState;

// Returns the settings of such a run, on simulated devices.
RunSettings branchSettings(const ResolvedSettings& config, int workers);

// `beginning`: what a trainer with these settings saves before its first step; this function fills it in. The examples
// are those that the class's workers had not had, as nearly as the strategy's own order of examples allows.
Checkpoint branchCheckpoint(const ClassState& state, const ClassHistory& history, Checkpoint beginning);

}  // namespace lab::serving
