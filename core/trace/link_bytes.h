// SPDX-License-Identifier: GPL-3.0-or-later
// How much each link carried in a recorded step. The one definition of the busiest link: `compare`, the lanes' table
// and what a lane counts while its movie plays.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/trace/span.h"
#include "core/trace/step_record.h"

namespace lab {

struct LinkBytes {
  int lane = 0;  // of the legend
  std::int64_t bytes = 0;
};

// In the legend's order, of the messages that arrive within the step, and had arrived by `ns` on its clock: a message
// counts in one step alone, also where workers' messages are under way between two. Links that carried nothing yet, but
// do later in the step, are there with 0.
std::vector<LinkBytes> linkBytes(const TraceLegend& legend, const StepRecord& record,
                                 std::int64_t ns = std::numeric_limits<std::int64_t>::max());

// Which carried most, the first of several; nothing where nothing was sent.
std::optional<LinkBytes> busiestLink(const TraceLegend& legend, const StepRecord& record);

}  // namespace lab
