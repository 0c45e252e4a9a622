// SPDX-License-Identifier: GPL-3.0-or-later
// The result of a comparison as one self-contained HTML file: settings and their differences, the table, where the
// step's time goes, curves, programs. Modelled figures are marked as such. `strategylab-cli compare` and the window's
// lanes write the same file.
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
#include "core/timeline/timeline.h"
#include "core/timing/error_band.h"
#include "core/trace/divergence.h"
#include "core/trace/metric.h"

namespace lab {

// A curve over the images that a run has seen.
class ReportCurve {
 public:
  void add(double images, double value);
  // Returns at most `most` points, each the mean of equally many neighbours.
  std::vector<std::pair<double, double>> points(std::size_t most) const;

 private:
  std::vector<std::pair<double, double>> points_;
};

struct ReportRun {
  std::string name;
  ResolvedSettings config;
  std::string dataset;             // name of the data set
  std::optional<StepMetric> step;  // the step shown in bars and bills: the last full one recorded
  std::optional<Timeline> trace;   // of one step, from 0 ns on
  std::int64_t traceStep = 0;      // number of that step
  std::int64_t traceExamples = 0;  // its number of examples
  std::int64_t traceStepNs = 0;    // its duration; for an asynchronous step, its worker's cycle
  std::optional<ErrorBand> band;   // of its modelled time; nothing if none is published
  ReportCurve loss, accuracy;      // loss of the training batches, accuracy on the test examples
  std::vector<std::string> cells;  // cells of the table, one for each of Report::heads

  void take(const Metric& metric);
  bool diverged() const { return divergence_.index().has_value(); }

 private:
  double images_ = 0;
  Divergence divergence_;
  LastFullStep full_;
};

// How a language writes the report. The defaults are the command line's language.
struct ReportLanguage {
  std::string code = "en";
  std::function<std::string(const std::string&)> words = [](const std::string& english) { return english; };
  std::function<std::string(std::int64_t)> duration = formatDuration;
  std::function<std::string(const Message&)> message = [](const Message& one) { return format(one); };
  std::function<std::string(double)> number;  // on an axis; null: shortest()
};

struct Report {
  std::string version;  // of the program
  std::vector<std::string> heads;
  std::vector<std::string> notes;  // what was left out, and why
  std::vector<ReportRun> runs;
  std::size_t baseline = 0;  // the run that differences are relative to

  std::string html(const ReportLanguage& language = {}) const;  // XHTML, UTF-8
};

}  // namespace lab
