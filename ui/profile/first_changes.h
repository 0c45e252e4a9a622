// SPDX-License-Identifier: GPL-3.0-or-later
// What to change first, by gain: the parts of a step by how much it could be shorter without them, and what helps
// there. The gain is a bound, as removing one part can expose another; What if tells the real effect of a change of
// hardware.
#pragma once

#include <QString>

#include <vector>

#include "core/timeline/timeline.h"

namespace lab {

// As a sentence, ordered by gain; "" if nothing is known to help. `devices`: each adds up to the step. If `servers` is
// true, they exchange gradients and variables with parameter servers, without reducer or packs.
QString firstChanges(const std::vector<StageBreakdown>& devices, bool servers);

}  // namespace lab
