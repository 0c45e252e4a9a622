// SPDX-License-Identifier: GPL-3.0-or-later
// What follows from a resolved configuration alone: the reducer in force, the rules by which examples are split.
#pragma once

#include "core/base/message.h"
#include "core/config/resolved_settings.h"
#include "core/data/split.h"

namespace lab {

// The default of strategy/README.md where the configuration says auto.
Reducer reducerInForce(const ResolvedSettings& config);

SplitSettings splitOf(const ResolvedSettings& config);            // not for parameter server
SplitSettings evaluationSplitOf(const ResolvedSettings& config);  // parameter server: a share for each worker

// Which setting of sharding was asked for and changes nothing; empty where there is none.
Message idleSharding(const ResolvedSettings& config);

}  // namespace lab
