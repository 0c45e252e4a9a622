// SPDX-License-Identifier: GPL-3.0-or-later
// The crosshair of a chart and what it reads from the lines. Positions and `plot`, the plot's area, are in the chart.
#pragma once

#include <QCoreApplication>
#include <QPointF>
#include <QStringList>

#include <optional>
#include <vector>

#include "ui/charts/readout.h"

class QPainter;

namespace lab {

class ChartLines;

class Crosshair {
  Q_DECLARE_TR_FUNCTIONS(lab::Crosshair)

 public:
  Crosshair(const ChartLines& lines, const ChartScale& scale) : lines_(lines), scale_(scale) {}

  const std::optional<QPointF>& at() const { return at_; }  // nothing: it is not shown
  // Both return true if it has changed.
  bool move(const QPointF& position, const QRectF& plot);
  bool hide();

  std::vector<Reading> readingsAt(const QPointF& position, const QRectF& plot) const;
  // "Steps: 106", then "0.4213  2 · Mirrored ×2, each batch" and, from a point farther away, "0.4701  test, at 96"
  QStringList wordsAt(const QPointF& position, const QRectF& plot) const;
  // Requires that it is shown. `chart`: where the words must stay.
  void paint(QPainter& painter, const QRectF& plot, const QSizeF& chart) const;

 private:
  QStringList wordsOf(const std::vector<Reading>& found, const QPointF& position, const QRectF& plot) const;

  const ChartLines& lines_;
  const ChartScale& scale_;
  std::optional<QPointF> at_;
};

}  // namespace lab
