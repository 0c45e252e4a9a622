// SPDX-License-Identifier: GPL-3.0-or-later
// Fewer points for the same picture: of each bucket the smallest and the largest value stay, so that no spike is lost,
// and the first and the last point always stay. Points that are not finite cannot be drawn and are left out.
#pragma once

#include <QList>
#include <QPointF>

namespace lab {

// `points` in ascending x; at most `limit` (at least 4) come back, in the same order.
QList<QPointF> decimate(const QList<QPointF>& points, qsizetype limit);

}  // namespace lab
