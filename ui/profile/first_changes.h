// SPDX-License-Identifier: GPL-3.0-or-later
// What to change first, by gain: the parts of a step by how much it could be shorter without them, and what helps
// there. The gain is a bound, as removing one part can expose another; What if tells the real effect of a change of
// hardware.
#pragma once

#include <QString>

#include <vector>

#include "core/config/resolved_settings.h"
#include "core/timeline/timeline.h"

namespace lab {

// As a sentence, ordered by gain; "" if nothing is known to help. `devices`: each adds up to the step. `config`: the
// run's; it names only what these devices and this strategy can use.
QString firstChanges(const std::vector<StageBreakdown>& devices, const ResolvedSettings& config);

}  // namespace lab
