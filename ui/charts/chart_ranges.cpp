// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_ranges.h"

#include <algorithm>
#include <cmath>

#include "ui/charts/chart_lines.h"
#include "ui/runs/run_library.h"
#include "ui/theme/projected.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kFewestPlaces = 10;     // on an x axis of steps
constexpr double kRoomForMarker = 1.03;  // so that the last point's mark is not cut
constexpr double kTickWide = 4.5;
constexpr double kClosest = 1e-9;  // smallest range relative to its position: doubles have no finer values

Range scaled(const Range& range, double factor, double at) {
  const double fixed = range.from + at * range.length();
  return {fixed - (fixed - range.from) * factor, fixed + (range.to - fixed) * factor};
}

bool isUsable(const Range& range) {
  const double size = std::max(std::abs(range.from), std::abs(range.to));
  return std::isfinite(range.from) && std::isfinite(range.to) && range.length() > kClosest * std::max(size, 1e-6) &&
         size < 1e15;
}

}  // namespace

ChartRanges::ChartRanges(const ChartLines& lines, const RunLibrary& library) : lines_(lines), library_(library) {}

void ChartRanges::forget(bool x, bool y) {
  if (x) zoomX_.reset();
  if (y) zoomY_.reset();
}

void ChartRanges::showAll() {
  if (!isZoomed()) return;
  forget(true, true);
  Q_EMIT zoomed();
}

void ChartRanges::zoom(double factor, double at, bool alongY) {
  if (!alongY) {
    Range range = scaled(scale_.x, factor, at);
    range.from = std::max(range.from, 0.0);
    if (!isUsable(range)) return;
    zoomX_ = range;
  } else {
    Range range = scaled(scale_.y, factor, at);
    if (scale_.logarithmic) range = {scale_.valueY(at - at * factor), scale_.valueY(at + (1 - at) * factor)};
    if (!isUsable(range) || (scale_.logarithmic && range.from <= 0)) return;
    zoomY_ = range;
  }
  Q_EMIT zoomed();
}

void ChartRanges::pan(double dx, double dy) {
  if (dx != 0) {
    const double by = std::max(dx * scale_.x.length(), -scale_.x.from);  // not beyond 0
    zoomX_ = Range{scale_.x.from + by, scale_.x.to + by};
  }
  if (dy != 0) {
    const Range range{scale_.valueY(dy), scale_.valueY(1 + dy)};
    if (isUsable(range)) zoomY_ = range;
  }
  Q_EMIT zoomed();
}

void ChartRanges::zoomInto(Range x, Range y) {
  if (!isUsable(x) || !isUsable(y)) return;
  zoomX_ = x;
  zoomY_ = y;
  Q_EMIT zoomed();
}

// On a projector, and while a story is told, earlier runs may leave the axes: a run of 20 steps beside one of 5,000
// would be a stroke at the edge.
bool ChartRanges::measures(const RunCurves& curves) const {
  const int present = library_.presentId();
  const bool told = besideStage_ && theme::isProjected();
  if (!told && !library_.hasAxesOfPresent()) return true;
  const Curve* drawn = lines_.curve(present, ChartLines::Kind::Each);
  return drawn == nullptr || drawn->empty() || curves.run() == present;
}

void ChartRanges::fit(const QRectF& plot) {
  double last = lines_.options().axis == XAxis::Steps ? kFewestPlaces : 0;
  for (const RunCurves& curves : lines_.curves())
    if (measures(curves) && !curves.each().empty()) last = std::max(last, curves.each().x(curves.each().size() - 1));
  if (last <= 0) last = 1;
  const int across = std::max(2, static_cast<int>(plot.width() / theme::em(kTickWide)));
  const double step = roundStep(last, std::min(across, 5));
  scale_.x = zoomX_.value_or(Range{0, kRoomForMarker * step * std::ceil(last / step * (1 - 1e-12))});
  fitHeight(plot);
}

// The extent of values within the range of x. `diverged`: includes what follows a run's divergence.
ChartRanges::Extent ChartRanges::extent(bool diverged) const {
  Extent found;
  auto& [low, high, positive] = found;
  for (const ChartLines::Line& line : lines_.lines()) {
    if (!measures(lines_.curves()[line.curves])) continue;
    const Curve& curve = lines_.curveOf(line);
    double to = scale_.x.to;
    if (const auto at = lines_.curves()[line.curves].divergesAt(); at && !diverged)
      to = std::min(to, std::nextafter(*at, -std::numeric_limits<double>::infinity()));
    if (to < scale_.x.from || !curve.isWithin(scale_.x.from, to)) continue;
    const auto [smallest, largest] = curve.extremes(scale_.x.from, to);
    low = std::min(low, smallest);
    high = std::max(high, largest);
    if (!lines_.options().logarithmic || largest <= 0) continue;
    if (smallest > 0) {
      positive = std::min(positive, smallest);
      continue;
    }
    for (std::size_t i = 0; i < curve.size(); ++i)
      if (curve.y(i) > 0) positive = std::min(positive, curve.y(i));
  }
  return found;
}

void ChartRanges::fitHeight(const QRectF& plot) {
  Extent found = extent(false);
  if (!(found.high >= found.low) && zoomX_) found = extent(true);  // who looks at nothing but that wants to see it
  auto& [low, high, positive] = found;
  const bool nothing = !(high >= low);
  if (const std::optional<double> batch = lines_.batchLine(); batch && !nothing) {
    low = std::min(low, *batch);
    high = std::max(high, *batch);
    positive = std::min(positive, *batch);
  }
  scale_.logarithmic = lines_.options().logarithmic && std::isfinite(positive);
  hasZeros_ = scale_.logarithmic && low <= 0;
  const int up = plot.height() > theme::em(10) ? 5 : 2;
  if (scale_.logarithmic) {
    scale_.y = logRange(positive, high);
    if (hasZeros_) scale_.y.from = logFoot(positive);
  } else if (nothing) {
    scale_.y = lines_.quantity() == Quantity::Accuracy ? Range{0, 100} : Range{0, 2.5};
  } else if (lines_.quantity() == Quantity::Accuracy && !zoomX_) {
    scale_.y = {0, 100};
  } else if (zoomX_) {
    scale_.y = roundRange({low, high}, up);
  } else {
    scale_.y = roundRange({std::min(0.0, low), std::max(high, low < 0 || high > 0 ? high : 1)}, up);
  }
  if (zoomY_ && (!scale_.logarithmic || zoomY_->from > 0)) scale_.y = *zoomY_;
}

}  // namespace lab
