// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/lane_grid.h"

#include <algorithm>

#include "core/base/ceil_divide.h"

namespace lab {
namespace {

constexpr double kSmallShare = 0.3;  // of the width, for the lanes beside the one with the focus

std::vector<LanePlace> grid(std::size_t count, std::size_t across, QSize room, int gap) {
  std::vector<LanePlace> places;
  const std::size_t down = ceilDivide(count, across);
  const auto part = [gap](int whole, std::size_t parts, std::size_t i) {
    const int n = static_cast<int>(parts), at = static_cast<int>(i);
    return std::pair{(whole + gap) * at / n, (whole + gap) * (at + 1) / n - gap};
  };
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = i / across, inRow = std::min(across, count - row * across);
    const auto [left, right] = part(room.width(), inRow, i % across);
    const auto [top, bottom] = part(room.height(), down, row);
    places.push_back({QRect(left, top, right - left, bottom - top), false});
  }
  return places;
}

}  // namespace

std::vector<LanePlace> placeLanes(std::size_t count, std::size_t focus, QSize room, QSize least, int gap, int around) {
  if (count == 0) return {};
  if (count == 1) return {{QRect({0, 0}, room), room.height() < least.height()}};
  // Among the grids that fit all lanes, takes the one whose cells are nearest to a stage's shape: its letters are
  // largest.
  std::vector<LanePlace> best;
  double bestShape = 0;
  for (std::size_t across = 1; across <= count; ++across) {
    std::vector<LanePlace> places = grid(count, across, room, gap);
    const bool fits = std::ranges::all_of(places, [&](const LanePlace& place) {
      return place.box.width() >= least.width() && place.box.height() >= least.height();
    });
    if (!fits) continue;
    const QSize one = places.front().box.size();
    const double shape = std::min<double>(one.width(), 2.0 * (one.height() - around));
    if (shape > bestShape) {
      bestShape = shape;
      best = std::move(places);
    }
  }
  if (!best.empty()) return best;
  // The room is too low for any stage.
  if (room.height() < least.height()) {
    std::vector<LanePlace> places = grid(count, count, room, gap);
    for (LanePlace& place : places) place.small = true;
    return places;
  }
  const bool beside = room.width() >= least.width() + least.width() / 3;
  const int small =
      beside ? std::max(static_cast<int>(kSmallShare * room.width()), room.width() - 2 * room.height()) : 0;
  if (beside) {
    const int wide = room.width() - std::min(small, room.width() - least.width()) - gap;
    const std::vector<LanePlace> column = grid(count - 1, 1, {room.width() - wide - gap, room.height()}, gap);
    std::vector<LanePlace> places;
    for (std::size_t i = 0, next = 0; i < count; ++i) {
      if (i == focus)
        places.push_back({QRect(0, 0, wide, room.height()), false});
      else
        places.push_back({column[next++].box.translated(wide + gap, 0), true});
    }
    return places;
  }
  // If that does not fit either, the small lanes go below.
  const int high = std::max(room.height() * 3 / 5, std::min(least.height(), room.height() * 3 / 4));
  const std::vector<LanePlace> row = grid(count - 1, count - 1, {room.width(), room.height() - high - gap}, gap);
  std::vector<LanePlace> places;
  for (std::size_t i = 0, next = 0; i < count; ++i) {
    if (i == focus)
      places.push_back({QRect(0, 0, room.width(), high), false});
    else
      places.push_back({row[next++].box.translated(0, high + gap), true});
  }
  return places;
}

}  // namespace lab
