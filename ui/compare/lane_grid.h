// SPDX-License-Identifier: GPL-3.0-or-later
// Where lanes stand. Each has a whole stage if there is room for all; otherwise only the focused lane has one, and the
// others stand in a column beside it, smaller. A pure function.
#pragma once

#include <QRect>
#include <QSize>

#include <vector>

namespace lab {

struct LanePlace {
  QRect box;
  bool small = false;  // no room for a stage
  bool operator==(const LanePlace&) const = default;
};

// `least`: the smallest size of a lane with its stage. `gap`: between lanes. `around`: a lane's height without its
// stage.
std::vector<LanePlace> placeLanes(std::size_t count, std::size_t focus, QSize room, QSize least, int gap,
                                  int around = 0);

}  // namespace lab
