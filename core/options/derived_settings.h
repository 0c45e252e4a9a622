// SPDX-License-Identifier: GPL-3.0-or-later
// What follows from a resolved configuration alone: the reducer in force, the rules by which examples are split.
#pragma once

#include "core/config/run_settings.h"
#include "core/data/split.h"

namespace lab {

// The default of strategy/README.md where the configuration says auto.
Reducer reducerInForce(const RunSettings& config);

SplitSettings splitOf(const RunSettings& config);            // not for parameter server
SplitSettings evaluationSplitOf(const RunSettings& config);  // parameter server: a share for each worker

}  // namespace lab
