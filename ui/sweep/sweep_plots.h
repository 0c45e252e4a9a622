// SPDX-License-Identifier: GPL-3.0-or-later
// The charts of a sweep as numbers: which points and lines each has, and what is said of them. Pure functions of the
// cells. Every point is of cells that ran; lines between them join what was measured, and the ideal line and the fit
// say that they are no measurement.
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
    Trial,   // one learning rate's or rule's curve, faint where several compete
    Best,    // the best of each place, bold
    Series,  // a curve among equals
    Ideal,   // a line of what would be perfect
    Fit,     // a curve through the best
  };
  struct Point {
    double x = 0, y = 0;         // mean
    double low = 0, high = 0;    // of the seeds
    std::vector<double> values;  // each seed's
    int cell = -1;               // the first seed's; -1: none
    QString words;
    bool marked = false;  // the best of all
  };
  struct Curve {
    QString name;
    Role role = Role::Series;
    int look = 0;  // colour and style; the same for the same rule
    std::vector<Point> points;
  };
  struct VerticalRule {  // a line across the plot at an x, with what it may be off by
    double x = 0;
    std::optional<BatchInterval> band;
    QString name;
    bool dashed = false;
  };

  QString title, xTitle, yTitle;    // the title says modelled or measured where there is time in it
  QString caption;                  // what is to be seen
  QString lacking;                  // why there is nothing, and what to do; "" where there is something
  bool logX = false, logY = false;  // as it is usually read
  bool canLogX = true, canLogY = true;
  bool share = false;     // y is one, written in percent
  bool duration = false;  // y is seconds
  std::vector<Curve> curves;
  std::vector<VerticalRule> uprights;
};

QString chartName(SweepChartKind kind, bool modelled);
SweepPlot makeSweepPlot(SweepChartKind kind, const SweepRequest& request, const std::vector<SweepRun::Cell>& cells);

}  // namespace lab
