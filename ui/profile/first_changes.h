// SPDX-License-Identifier: GPL-3.0-or-later
// What to change first: where most of the devices' time goes, and what helps there. A part's share is not what a change
// saves: removing one part can expose another, and where devices wait for the slowest, that one's time decides. What if
// tells the real effect of a change of hardware.
#pragma once

#include <QString>

#include "core/trace/timeline.h"

namespace lab {

// As a sentence, ordered by share; "" if nothing is known to help. `breakdown`: over all devices.
QString firstChanges(const StageBreakdown& breakdown);

}  // namespace lab
