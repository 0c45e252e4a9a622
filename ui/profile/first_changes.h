// SPDX-License-Identifier: GPL-3.0-or-later
// What to change first: where most of the devices' time goes, what helps there, and how much this can save at most. The
// bound is the part's own time: removing one part can expose another. What if tells the real effect of a change of
// hardware.
#pragma once

#include <QString>

#include "core/trace/timeline.h"

namespace lab {

// As a sentence, ordered by gain; "" if nothing is known to help. `breakdown`: over all devices.
QString firstChanges(const StageBreakdown& breakdown);

}  // namespace lab
