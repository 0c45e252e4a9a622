// SPDX-License-Identifier: GPL-3.0-or-later
// What the crosshair reads: from each curve the point nearest in x, and of these the nearest to the pointer, at most
// five. A pure function. It uses binary searches, so that sixteen curves of a million points are read within a frame.
#pragma once

#include <QPointF>
#include <QSizeF>

#include <cstddef>
#include <span>
#include <vector>

#include "ui/charts/chart_scale.h"
#include "ui/charts/curve.h"

namespace lab {

inline constexpr std::size_t kMostReadings = 5;

struct Reading {
  std::size_t curve = 0;  // index of the curve
  std::size_t point = 0;  // index of the point in the curve
  QPointF value;
  double distance = 0;  // to the pointer, pixels
};

// `pointer` in pixels from the plot's upper left corner. The nearest reading comes first. A curve is left out if its
// nearest point lies outside the plot, or is farther in x than both `reach` pixels and the distance to its next point.
std::vector<Reading> readings(std::span<const Curve* const> curves, const ChartScale& scale, const QSizeF& plot,
                              const QPointF& pointer, double reach);

}  // namespace lab
