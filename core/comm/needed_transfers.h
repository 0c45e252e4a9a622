// SPDX-License-Identifier: GPL-3.0-or-later
// The part of a schedule that one rank's result depends on. If nobody looks at the other ranks' buffers, the rest can
// be skipped: the sums that reach this rank are computed in the same order, so its bits are the same.
#pragma once

#include "core/comm/schedule.h"

namespace lab {

// Returns the transfers, or parts of them, that `rank`'s buffer depends on after the last round, in the schedule's
// order and with its rounds. The other ranks' buffers are meaningless afterwards.
Schedule neededFor(int rank, const Schedule& schedule);

}  // namespace lab
