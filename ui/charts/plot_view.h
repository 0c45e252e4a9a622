// SPDX-License-Identifier: GPL-3.0-or-later
// Paints a plot: the only place where axes, grids and curves are drawn, and the only one that uses Qt Charts, which
// draws the lines. Qt Charts gets points in the unit square, because every change of an axis costs it all points of all
// series, it writes tick labels slowly, and it drops a whole series for one value without a logarithm. Axes, grid and
// labels are therefore drawn here. So are curves with more points than pixels, as one vertical stroke per column: as
// lines they take Qt Charts 9 ms each. Only paint() draws; callers that show a plot often should cache the picture.
#pragma once

#include <QRectF>

#include <memory>

#include "ui/charts/plot.h"

class QPainter;

namespace lab {

class PlotView {
 public:
  PlotView();
  ~PlotView();

  // Where the plot lies in a picture of this size: the same for all charts of that size, so that plots do not jump.
  static QRectF plotArea(const QSizeF& size, double left = 0);
  static QRectF plotArea(const QRectF& place, double left = 0) {
    return plotArea(place.size(), left).translated(place.topLeft());
  }
  static double foot();                      // height below the area, without a line for the name of the x axis
  static int columnsOf(const QRectF& area);  // columns in which a line is drawn, with two points each
  // Paints into `place`, in the small size of the painter's font.
  void paint(QPainter& painter, const QRectF& place, const Plot& plot);

 private:
  void placeCurves(const Plot& plot, const QRectF& area);
  void paintColumns(QPainter& painter, const Plot& plot, const QRectF& area) const;
  void paintLines(QPainter& painter, const QSizeF& size, const QRectF& area);
  void paintZeros(QPainter& painter, const QRectF& area) const;

  struct Chart;
  std::unique_ptr<Chart> chart_;
};

}  // namespace lab
