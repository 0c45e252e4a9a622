// SPDX-License-Identifier: GPL-3.0-or-later
// Where lanes stand. Each has a whole stage where there is room for all; else the one with the focus has it and the
// others, smaller, stand in a column beside it. A pure function.
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

// `least`: of a lane with its stage. `gap` between lanes. `around`: what of a lane's height is not its stage's.
std::vector<LanePlace> placeLanes(std::size_t count, std::size_t focus, QSize room, QSize least, int gap,
                                  int around = 0);

}  // namespace lab
