// SPDX-License-Identifier: GPL-3.0-or-later
// Where a branch of a class begins: the simulated strategy goes on from the variables and slots that the class had
// before a step, with as many replicas as there were workers. What was under way to the servers is not.
#pragma once

#include <cstdint>

#include "core/config/resolved_settings.h"
#include "core/config/run_settings.h"
#include "core/serving/class_record.h"
#include "core/training/checkpoint.h"

namespace lab::serving {

// The settings of such a run, on simulated devices.
RunSettings branchSettings(const ResolvedSettings& config, int workers);

// `beginning`: what a trainer of these settings saves before its first step, to be filled in. Examples are those that
// the class's workers had not had, as near as the strategy's own order of them allows.
Checkpoint branchCheckpoint(const ClassState& state, const ClassHistory& history, Checkpoint beginning);

}  // namespace lab::serving
