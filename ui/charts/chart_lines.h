// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of a chart: a quantity of all charted runs as curves, extended as the runs go on, with their looks and
// names. Each run keeps its colour as long as it is kept.
#pragma once

#include <QCoreApplication>

#include <optional>
#include <vector>

#include "ui/charts/plot.h"
#include "ui/charts/plot_head.h"
#include "ui/charts/run_curves.h"

namespace lab {

class RunLibrary;

class ChartLines {
  Q_DECLARE_TR_FUNCTIONS(lab::ChartLines)

 public:
  enum class Kind { Each, Smoothed, Test };
  struct Line {
    std::size_t curves = 0;  // index in curves()
    Kind kind = Kind::Each;
    Plot::Line look;
  };

  ChartLines(Quantity quantity, RunLibrary& library);

  Quantity quantity() const { return quantity_; }
  const ChartOptions& options() const { return options_; }
  void setOptions(const ChartOptions& options);  // follow() then makes the lines
  bool follow();          // takes the charted runs and their new data; returns true if there was any
  bool isBehind() const;  // true if a run that is there has new data
  void chooseLooks();     // in the colours of the theme

  const std::vector<RunCurves>& curves() const { return curves_; }  // one per charted run
  const std::vector<Line>& lines() const { return lines_; }         // back to front
  const Curve& curveOf(const Line& line) const;
  QString nameOf(const Line& line) const;
  const Curve* curve(int run, Kind kind) const;  // null if the run is not charted
  // The runs' names, the present one's first; of a single run, the names of its lines, if it has several.
  std::vector<PlotHead::Entry> entries() const;
  // The global batch of the present run, or else of the latest visible one, to compare with the noise scale; nothing in
  // other charts.
  std::optional<double> batchLine() const;
  std::vector<Plot::Exit> exits(double top) const;  // where diverged runs leave an axis that ends at `top`
  bool isAwaited() const;                           // true if the present run may get lines here and has none yet

 private:
  bool matchRuns();  // returns true if the set of charted runs has changed

  const Quantity quantity_;
  const QString each_;  // what a point of the main curve stands for
  RunLibrary& library_;
  ChartOptions options_;
  std::vector<RunCurves> curves_;
  std::vector<Line> lines_;
};

}  // namespace lab
