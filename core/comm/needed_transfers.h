// SPDX-License-Identifier: GPL-3.0-or-later
// What of a schedule one rank's result comes from. Where nobody looks at the other ranks' buffers, the rest need not be
// carried out: the sums that reach that rank are made in the same order, so its bits are the same.
#pragma once

#include "core/comm/schedule.h"

namespace lab {

// The transfers, or parts of them, that `rank`'s buffer depends on after the last round; in the schedule's order, with
// its rounds. What the other ranks hold afterwards is of no use.
Schedule neededFor(int rank, const Schedule& schedule);

}  // namespace lab
