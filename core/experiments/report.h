// SPDX-License-Identifier: GPL-3.0-or-later
// What came of a comparison as one HTML file that needs nothing else: settings and where they differ, the table, where
// the step's time goes, curves, programs. What is modelled says so. `strategylab-cli compare` and the window's lanes
// write the same.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/message.h"
#include "core/base/units.h"
#include "core/config/resolved_settings.h"
#include "core/prediction/rates.h"
#include "core/timing/error_band.h"
#include "core/trace/divergence.h"
#include "core/trace/metric.h"
#include "core/trace/timeline.h"

namespace lab {

// A curve over the images that a run has seen.
class ReportCurve {
 public:
  void add(double images, double value);
  // At most `most` points, each the mean of as many neighbours.
  std::vector<std::pair<double, double>> points(std::size_t most) const;

 private:
  std::vector<std::pair<double, double>> points_;
};

struct ReportRun {
  std::string name;
  ResolvedSettings config;
  std::string dataset;             // its name
  std::optional<StepMetric> step;  // what bars and bills are of; of those taken the last full one
  std::optional<Timeline> trace;   // of one step, from 0 ns on
  std::int64_t traceStep = 0;      // which one
  std::int64_t traceExamples = 0;  // and of how many
  std::int64_t traceStepNs = 0;    // how long it took: of an asynchronous step its worker's cycle
  std::optional<ErrorBand> band;   // of its modelled time; nothing where none is published
  ReportCurve loss, accuracy;      // of the training batches; of the test examples
  std::vector<std::string> cells;  // of the table, one for each of Report::heads

  void take(const Metric& metric);
  bool diverged() const { return divergence_.index().has_value(); }

 private:
  double images_ = 0;
  Divergence divergence_;
  LastFullStep full_;
};

// How a language has it. This one is the command line's.
struct ReportLanguage {
  std::string code = "en";
  std::function<std::string(const std::string&)> words = [](const std::string& english) { return english; };
  std::function<std::string(std::int64_t)> duration = formatDuration;
  std::function<std::string(const Message&)> message = [](const Message& one) { return format(one); };
  std::function<std::string(double)> number;  // on an axis; null: as shortest()
};

struct Report {
  std::string version;  // of the program
  std::vector<std::string> heads;
  std::vector<std::string> notes;  // what was left out, and why
  std::vector<ReportRun> runs;
  std::size_t baseline = 0;  // the run that differences are to

  std::string html(const ReportLanguage& language = {}) const;  // XHTML, UTF-8
};

}  // namespace lab
