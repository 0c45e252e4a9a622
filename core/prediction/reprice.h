// SPDX-License-Identifier: GPL-3.0-or-later
// A recorded step under another strategy and reducer: the same devices and examples, with communication modelled anew
// by that strategy's own functions. What the run had left to its strategy (links, hosts, operands) is left to the
// other, as in a comparison (core/experiments/comparison.h), so both give the same time. Pure functions; any thread.
#pragma once

#include <vector>

#include "core/base/message.h"
#include "core/prediction/what_if.h"

namespace lab {

// Returns `what` under `strategy`: the same global batch, on as many of the same devices as the strategy can have. TPU
// cores and other devices replace each other. A reducer that the strategy lacks becomes Auto.
WhatIf underStrategy(const WhatIf& what, StrategyKind strategy, Reducer reducer, const Catalogue& catalogue);

// Returns what of the recorded step does not hold for `what`, because of its strategy or reducer. Empty: all holds.
std::vector<Message> repricingNotes(const WhatIf& what, const Anchor& anchor, const Catalogue& catalogue);

}  // namespace lab
