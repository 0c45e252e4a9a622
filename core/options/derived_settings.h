// SPDX-License-Identifier: GPL-3.0-or-later
// Values that follow from a resolved configuration alone: the reducer in force, the rules by which examples are split.
#pragma once

#include "core/base/message.h"
#include "core/config/resolved_settings.h"
#include "core/data/split.h"

namespace lab {

// Returns the default in strategy/README.md if the configuration says auto.
Reducer reducerInForce(const ResolvedSettings& config);

SplitSettings splitOf(const ResolvedSettings& config);            // not for parameter server
SplitSettings evaluationSplitOf(const ResolvedSettings& config);  // parameter server: a share for each worker

// Returns the sharding setting that was given but has no effect; empty if there is none.
Message idleSharding(const ResolvedSettings& config);
Message idlePacks(const ResolvedSettings& config);  // the same for the size of packs

}  // namespace lab
