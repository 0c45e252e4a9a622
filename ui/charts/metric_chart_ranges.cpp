// SPDX-License-Identifier: GPL-3.0-or-later
// A chart's ranges of values: as the user has zoomed, otherwise large enough for all points.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/charts/metric_chart.h"
#include "ui/theme/projected.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kFewestPlaces = 10;     // on an x axis of steps
constexpr double kRoomForMarker = 1.03;  // so that the last point's mark is not cut
constexpr double kTickWide = 4.5;

}  // namespace

// On a projector, and while a story is told, earlier runs may leave the axes: a run of 20 steps beside one of 5,000
// would be a stroke at the edge.
bool MetricChart::measures(const RunCurves& curves) const {
  const int present = library_.presentId();
  const bool told = besideStage_ && theme::isProjected();
  if (!told && !library_.hasAxesOfPresent()) return true;
  const bool drawn = std::ranges::any_of(
      curves_, [present](const RunCurves& each) { return each.run() == present && !each.each().empty(); });
  return !drawn || curves.run() == present;
}

void MetricChart::chooseRanges() {
  double last = options_.axis == XAxis::Steps ? kFewestPlaces : 0;
  for (const RunCurves& curves : curves_)
    if (measures(curves) && !curves.each().empty()) last = std::max(last, curves.each().x(curves.each().size() - 1));
  if (last <= 0) last = 1;
  const QRectF plot = plotArea();
  const int across = std::max(2, static_cast<int>(plot.width() / theme::em(kTickWide)));
  const double step = roundStep(last, std::min(across, 5));
  scale_.x = zoomX_.value_or(Range{0, kRoomForMarker * step * std::ceil(last / step * (1 - 1e-12))});
  chooseHeight(plot);
}

// The extent of values within the range of x. `diverged`: includes what follows a run's divergence.
MetricChart::Extent MetricChart::extent(bool diverged) const {
  Extent found;
  auto& [low, high, positive] = found;
  for (const Line& line : lines_) {
    if (!measures(curves_[line.curves])) continue;
    const Curve& curve = curveOf(line);
    double to = scale_.x.to;
    if (const auto at = curves_[line.curves].divergesAt(); at && !diverged)
      to = std::min(to, std::nextafter(*at, -std::numeric_limits<double>::infinity()));
    if (to < scale_.x.from || !curve.isWithin(scale_.x.from, to)) continue;
    const auto [smallest, largest] = curve.extremes(scale_.x.from, to);
    low = std::min(low, smallest);
    high = std::max(high, largest);
    if (!options_.logarithmic || largest <= 0) continue;
    if (smallest > 0) {
      positive = std::min(positive, smallest);
      continue;
    }
    for (std::size_t i = 0; i < curve.size(); ++i)
      if (curve.y(i) > 0) positive = std::min(positive, curve.y(i));
  }
  return found;
}

void MetricChart::chooseHeight(const QRectF& plot) {
  Extent found = extent(false);
  if (!(found.high >= found.low) && zoomX_) found = extent(true);  // who looks at nothing but that wants to see it
  auto& [low, high, positive] = found;
  const bool nothing = !(high >= low);
  if (const std::optional<double> batch = batchLine(); batch && !nothing) {
    low = std::min(low, *batch);
    high = std::max(high, *batch);
    positive = std::min(positive, *batch);
  }
  scale_.logarithmic = options_.logarithmic && std::isfinite(positive);
  hasZeros_ = scale_.logarithmic && low <= 0;
  const int up = plot.height() > theme::em(10) ? 5 : 2;
  if (scale_.logarithmic) {
    scale_.y = logRange(positive, high);
    if (hasZeros_) scale_.y.from = logFoot(positive);
  } else if (nothing) {
    scale_.y = quantity_ == Quantity::Accuracy ? Range{0, 100} : Range{0, 2.5};
  } else if (quantity_ == Quantity::Accuracy && !zoomX_) {
    scale_.y = {0, 100};
  } else if (zoomX_) {
    scale_.y = roundRange({low, high}, up);
  } else {
    scale_.y = roundRange({std::min(0.0, low), std::max(high, low < 0 || high > 0 ? high : 1)}, up);
  }
  if (zoomY_ && (!scale_.logarithmic || zoomY_->from > 0)) scale_.y = *zoomY_;
}

}  // namespace lab
