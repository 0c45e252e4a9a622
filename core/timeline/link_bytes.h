// SPDX-License-Identifier: GPL-3.0-or-later
// How many bytes each link carried in a recorded step. The only definition of the busiest link, for `compare`, the
// lanes' table and a lane's counts while its movie plays.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/trace/span.h"
#include "core/trace/step_record.h"

namespace lab {

struct LinkBytes {
  int track = 0;  // index in the legend
  std::int64_t bytes = 0;
};

// Returns the links in the legend's order, with the bytes of messages that arrive within the step and by `ns` on its
// clock: each message counts in one step only, even if workers' messages are under way between two. Links that only
// carry something later in the step are included with 0.
std::vector<LinkBytes> linkBytes(const TraceLegend& legend, const StepRecord& record,
                                 std::int64_t ns = std::numeric_limits<std::int64_t>::max());

// Returns the link that carried most, the first of several; nothing if nothing was sent.
std::optional<LinkBytes> busiestLink(const TraceLegend& legend, const StepRecord& record);

}  // namespace lab
