// SPDX-License-Identifier: GPL-3.0-or-later
// What to change first: where most of the devices' time goes, what helps there, and how much it can save at most. The
// bound is the time itself: a change that removes a part can let another one come to light. What a change of hardware
// really comes to is answered by What if.
#pragma once

#include <QString>

#include "core/trace/timeline.h"

namespace lab {

// In a sentence, by gain; "" where nothing is known that helps. `breakdown`: of all devices together.
QString firstChanges(const StageBreakdown& breakdown);

}  // namespace lab
