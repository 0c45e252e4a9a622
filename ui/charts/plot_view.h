// SPDX-License-Identifier: GPL-3.0-or-later
// Paints a plot: the one place where axes, grids and curves are drawn, and the only one that knows Qt Charts, which
// draws the lines. Qt Charts is given points in the unit square, because it pays for every change of an axis with all
// points of all series, writes tick labels slowly and drops a whole series for one value that a logarithm does not
// have: axes, grid and labels are drawn here. So are curves with more points than pixels, as one upright stroke a
// column: as lines to and fro they take Qt Charts 9 ms each. Nothing is drawn but by paint(): whoever shows it often
// keeps the picture.
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

  // Where the plot lies in a picture of this size: the same for all charts of that size, so that none jumps.
  static QRectF plotArea(const QSizeF& size, double left = 0);
  static QRectF plotArea(const QRectF& place, double left = 0) {
    return plotArea(place.size(), left).translated(place.topLeft());
  }
  static double foot();                      // below the area, without a line for the name of the x axis
  static int columnsOf(const QRectF& area);  // that a line is drawn in, with two points in each
  // Into `place`, in the small size of the painter's font.
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
