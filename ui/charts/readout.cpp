// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/readout.h"

#include <algorithm>
#include <cmath>

namespace lab {

std::vector<Reading> readings(std::span<const Curve* const> curves, const ChartScale& scale, const QSizeF& plot,
                              const QPointF& pointer, double reach) {
  std::vector<Reading> found;
  const double at = scale.valueX(pointer.x() / plot.width());
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const Curve& curve = *curves[i];
    if (curve.empty()) continue;
    const std::size_t nearest = curve.nearest(at);
    const QPointF unit = scale.unit(curve.point(nearest));
    if (unit.x() < 0 || unit.x() > 1) continue;
    const double dx = unit.x() * plot.width() - pointer.x(), dy = (1 - unit.y()) * plot.height() - pointer.y();
    // Between two distant points the line is read; before the first and after the last there is no line.
    const bool between = at >= curve.x(0) && at <= curve.x(curve.size() - 1);
    if (std::abs(dx) > reach && !between) continue;
    found.push_back({i, nearest, curve.point(nearest), std::hypot(dx, dy)});
  }
  const auto nearer = [](const Reading& a, const Reading& b) { return a.distance < b.distance; };
  const std::size_t kept = std::min(found.size(), kMostReadings);
  std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(kept), found.end(), nearer);
  found.resize(kept);
  return found;
}

}  // namespace lab
