// SPDX-License-Identifier: GPL-3.0-or-later
// What follows from a resolved configuration alone: the reducer in force, the rules by which examples are split.
#pragma once

#include "core/data/split.h"
#include "core/options/run_config.h"

namespace lab {

// The default of strategy/README.md where the configuration says auto.
Reducer reducerInForce(const RunConfig& config);

SplitSettings splitOf(const RunConfig& config);            // not for parameter server
SplitSettings evaluationSplitOf(const RunConfig& config);  // parameter server: a share for each worker

}  // namespace lab
