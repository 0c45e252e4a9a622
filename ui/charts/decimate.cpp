// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/decimate.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"

namespace lab {

QList<QPointF> decimate(const QList<QPointF>& points, qsizetype limit) {
  LAB_CHECK(limit >= 4);
  QList<QPointF> finite;
  finite.reserve(points.size());
  std::copy_if(points.begin(), points.end(), std::back_inserter(finite),
               [](const QPointF& point) { return std::isfinite(point.x()) && std::isfinite(point.y()); });
  if (finite.size() <= limit) return finite;

  const auto lower = [](const QPointF& a, const QPointF& b) { return a.y() < b.y(); };
  const qsizetype inner = finite.size() - 2;  // without the first and the last
  const qsizetype buckets = (limit - 2) / 2;
  QList<QPointF> kept{finite.first()};
  kept.reserve(limit);
  for (qsizetype bucket = 0; bucket < buckets; ++bucket) {
    const auto begin = finite.begin() + 1 + bucket * inner / buckets;
    const auto end = finite.begin() + 1 + (bucket + 1) * inner / buckets;
    const auto [smallest, largest] = std::minmax_element(begin, end, lower);
    kept.append(*std::min(smallest, largest));
    if (smallest != largest) kept.append(*std::max(smallest, largest));
  }
  kept.append(finite.last());
  return kept;
}

}  // namespace lab
