// SPDX-License-Identifier: GPL-3.0-or-later
// The charts of a sweep as numbers: the points and lines of each, and their captions. Pure functions of the cells.
// Every point comes from cells that ran. Lines join measured points; the ideal line and the fit are named as not
// measured.
#pragma once

#include <QString>

#include <optional>
#include <vector>

#include "ui/sweep/sweep_table.h"

namespace lab {

enum class SweepChartKind { Steps, Examples, Throughput, Seconds, Rate, Accuracy, Staleness };
inline constexpr int kSweepCharts = 7;

struct SweepPlot {
  enum class Role {
    Trial,   // the curve of one learning rate or rule, faint if several compete
    Best,    // the best at each place, bold
    Series,  // a curve among equals
    Ideal,   // a line of perfect scaling: steps from the first batch, images per second from one device alone
    Fit,     // a curve fitted to the best
  };
  struct Point {
    double x = 0, y = 0;         // mean
    double low = 0, high = 0;    // range over the seeds
    std::vector<double> values;  // one per seed
    int cell = -1;               // the first seed's cell; -1: none
    QString words;
    bool marked = false;  // the best point of all
  };
  struct Curve {
    QString name;
    Role role = Role::Series;
    int look = 0;  // index for colour and style; the same for the same rule
    std::vector<Point> points;
  };
  struct VerticalRule {  // a vertical line at an x, with its uncertainty
    double x = 0;
    std::optional<BatchInterval> band;
    QString name;
    bool dashed = false;
  };

  QString title, xTitle, yTitle;    // the title says modelled or measured if times are shown
  QString caption;                  // what the chart shows
  QString lacking;                  // why the chart is empty, and what to do; "" if it is not
  bool logX = false, logY = false;  // as the chart is usually read
  bool canLogX = true, canLogY = true;
  bool share = false;     // y is a share, written in percent
  bool duration = false;  // y is seconds
  std::vector<Curve> curves;
  std::vector<VerticalRule> uprights;
};

// `modelled`: as for quantityName().
QString chartName(SweepChartKind kind, std::optional<bool> modelled);
SweepPlot makeSweepPlot(SweepChartKind kind, const SweepRequest& request, const std::vector<SweepRun::Cell>& cells);

}  // namespace lab
