// SPDX-License-Identifier: GPL-3.0-or-later
// What follows from a resolved configuration alone: the reducer in force, the rules by which examples are split.
#pragma once

#include "core/config/resolved_settings.h"
#include "core/data/split.h"

namespace lab {

// The default of strategy/README.md where the configuration says auto.
Reducer reducerInForce(const ResolvedSettings& config);

SplitSettings splitOf(const ResolvedSettings& config);            // not for parameter server
SplitSettings evaluationSplitOf(const ResolvedSettings& config);  // parameter server: a share for each worker

}  // namespace lab
