// SPDX-License-Identifier: GPL-3.0-or-later
// The contents of a plot as values: axes, curves, and lines and marks across them. Every chart of the window describes
// itself in this form, and plot_view paints it.
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
    double marker = 0;  // diameter of the mark at each point, pixels; 0: none
    Qt::PenStyle style = Qt::SolidLine;
    bool operator==(const Line&) const = default;
  };
  struct Series {
    const Curve* curve = nullptr;  // must exist until painted
    Line look;
    bool spiky = false;  // if it has more points than pixels: one vertical stroke per column, below all lines
    double detail = 1;   // the share of the points to draw; a smooth curve needs fewer
  };
  struct Band {  // from the foot to the top
    Range x;
    QColor colour;
  };
  struct Rule {  // a line across
    double at = 0;
    QPen pen;
    QString name;
    bool upright = false;  // if true, `at` is an x, and names stand one below the other
  };
  struct Mark {  // a point with a marker of its own
    QPointF at;
    double radius = 0;  // pixels; 0: only the spread
    QPen pen;
    QBrush fill;
    Range spread{0, 0};  // in y: a vertical line
    bool below = false;  // true: below all lines
  };
  struct Exit {  // where a curve leaves the axis for good: a mark at the top, pointing up
    double x = 0;
    QColor colour;
    QString name;
  };

  ChartScale scale;
  QString xTitle;                              // "": none
  bool countedX = false, countedY = false;     // whole numbers, without ticks between them
  std::optional<std::vector<Tick>> along, up;  // instead of round numbers
  QString foot;                                // label of a logarithmic axis's foot; "": no value is 0
  double left = 0;                             // least room for the numbers at the left, pixels
  std::vector<Band> bands;                     // below everything
  std::vector<Series> series;                  // the last one on top
  std::vector<Rule> rules;
  std::vector<Mark> marks;
  std::vector<Exit> exits;
  QString lacking;  // instead of curves: what will be shown, or what the chart needs
};

}  // namespace lab
