// SPDX-License-Identifier: GPL-3.0-or-later
// The facade of Qt Charts: it draws lines, and is the only place that knows it. Given are points in the unit square of
// the plot, because Qt Charts pays for every change of an axis with all points of all series, writes tick labels slowly
// and drops a whole series for one value that a logarithm does not have: axes, grid and labels are drawn here. So are
// curves with more points than pixels, as one upright stroke a column: as lines to and fro they take Qt Charts 9 ms
// each. Nothing is drawn but by paint(): whoever shows it keeps the picture.
#pragma once

#include <QColor>
#include <QList>
#include <QPointF>
#include <QRectF>
#include <QString>

#include <memory>
#include <vector>

#include "ui/charts/axis.h"
#include "ui/charts/curve.h"

class QPainter;

namespace lab {

class PlotView {
 public:
  struct Line {
    QColor colour;
    double width = 1;   // pixels
    double marker = 0;  // diameter of a mark at each point, pixels; 0: none
    Qt::PenStyle style = Qt::SolidLine;
    bool operator==(const Line&) const = default;
  };
  struct Mark {     // a grid line and what is written at it
    double at = 0;  // 0 to 1, from the left or from the bottom
    QString text;
  };
  struct Frame {
    std::vector<Mark> horizontal, vertical;  // along x, along y
    QString xTitle, yTitle;                  // "": none
  };

  PlotView();
  ~PlotView();

  // Lines are drawn in their order, the last one on top.
  void setLines(const std::vector<Line>& lines);
  void setPoints(std::size_t line, const QList<QPointF>& unitPoints);
  // In place of points: from low to high at each x, below all lines.
  void setColumns(std::size_t line, std::vector<Curve::Column> unitColumns);
  void setFrame(Frame frame);

  // Where the plot lies in a picture of this size: the same for all charts of that size, so that none jumps.
  static QRectF plotArea(const QSizeF& size);
  void paint(QPainter& painter, const QSizeF& size);

 private:
  void paintGrid(QPainter& painter, const QSizeF& size) const;
  void paintColumns(QPainter& painter, const QRectF& area) const;

  struct Chart;
  std::unique_ptr<Chart> chart_;
  Frame frame_;
};

}  // namespace lab
