// SPDX-License-Identifier: GPL-3.0-or-later
// What a plot shows, as values: axes, curves, and what stands across or among them. Every chart of the window describes
// itself so, and plot_view paints it.
#pragma once

#include <QColor>
#include <QPen>
#include <QString>

#include <optional>
#include <vector>

#include "ui/charts/axis.h"
#include "ui/charts/chart_scale.h"
#include "ui/charts/curve.h"

namespace lab {

struct Plot {
  struct Line {
    QColor colour;
    double width = 1;   // pixels
    double marker = 0;  // diameter of a mark at each point, pixels; 0: none
    Qt::PenStyle style = Qt::SolidLine;
    bool operator==(const Line&) const = default;
  };
  struct Series {
    const Curve* curve = nullptr;  // there until it is painted
    Line look;
    bool spiky = false;  // with more points than pixels it is one upright stroke a column, below all lines
    double detail = 1;   // a smooth curve needs a smaller share of the points
  };
  struct Band {  // from foot to top
    Range x;
    QColor colour;
  };
  struct Rule {  // a line across
    double at = 0;
    QPen pen;
    QString name;
    bool upright = false;  // `at` is an x, and names stand one below the other
  };
  struct Mark {  // a point that is more than one of a curve
    QPointF at;
    double radius = 0;  // pixels; 0: the spread alone
    QPen pen;
    QBrush fill;
    Range spread{0, 0};  // of y: an upright line
    bool below = false;  // all lines
  };
  struct Exit {  // where a curve leaves the axis for good: a mark at its end, pointing up
    double x = 0;
    QColor colour;
    QString name;
  };

  ChartScale scale;
  QString xTitle;                              // "": none
  bool countedX = false, countedY = false;     // whole numbers, with nothing between two of them
  std::optional<std::vector<Tick>> along, up;  // in place of round numbers
  QString foot;                                // what the foot of a logarithmic axis is called; "": no value is 0
  double left = 0;                             // room for the numbers up, pixels; the usual where that is more
  std::vector<Band> bands;                     // below everything
  std::vector<Series> series;                  // the last one on top
  std::vector<Rule> rules;
  std::vector<Mark> marks;
  std::vector<Exit> exits;
  QString lacking;  // in place of curves: what will be there, or what they need
};

}  // namespace lab
