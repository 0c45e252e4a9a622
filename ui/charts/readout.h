// SPDX-License-Identifier: GPL-3.0-or-later
// What the crosshair reads: of the curves' points nearest in x, those nearest to the pointer, at most five. A pure
// function: binary searches, so that sixteen curves of a million points are read within a frame.
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
  std::size_t curve = 0;  // its place among those given
  std::size_t point = 0;  // its place in the curve
  QPointF value;
  double distance = 0;  // to the pointer, pixels
};

// `pointer` in pixels from the plot's upper left corner. The nearest first. A curve whose nearest point lies outside
// the plot, or further in x than `reach` pixels and than the next point of its own, is not read.
std::vector<Reading> readings(std::span<const Curve* const> curves, const ChartScale& scale, const QSizeF& plot,
                              const QPointF& pointer, double reach);

}  // namespace lab
