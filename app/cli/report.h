// SPDX-License-Identifier: GPL-3.0-or-later
// What came of a comparison as one HTML file that needs nothing else: settings and where they differ, the table, where
// the step's time goes, curves. What is modelled says so.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/cli/experiment.h"
#include "core/trace/metric.h"

namespace lab::cli {

// A curve over the images that a run has seen.
class Curve {
 public:
  void add(double images, double value);
  // At most `most` points, each the mean of as many neighbours.
  std::vector<std::pair<double, double>> points(std::size_t most) const;

 private:
  std::vector<std::pair<double, double>> points_;
};

struct ReportRun {
  explicit ReportRun(std::string strategy) : name(std::move(strategy)) {}

  std::string name;
  Outcome outcome;
  Curve loss, accuracy;            // of the training batches; of the test examples
  std::vector<std::string> cells;  // of the table, one for each of Report::heads

  void take(const Metric& metric);

 private:
  double images_ = 0;
};

struct Report {
  std::vector<std::string> heads;
  std::vector<std::string> notes;  // what was left out, and why
  std::vector<ReportRun> runs;

  std::string html() const;  // XHTML, UTF-8
};

}  // namespace lab::cli
