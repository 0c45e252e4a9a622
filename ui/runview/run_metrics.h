// SPDX-License-Identifier: GPL-3.0-or-later
// All metrics of a run, in the order in which they came. Filled by the controller on the UI thread, kept by
// whoever still shows the run after the controller has gone on to the next.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/trace/metric.h"

namespace lab {

struct RunMetrics {
  // What a pass over the training examples delivers; 0 where it is not known, as of a recording.
  std::int64_t examplesPerEpoch = 0;
  std::vector<StepMetric> steps;
  std::vector<EvalMetric> evaluations;
  std::optional<EndMetric> end;
  std::vector<std::string> order;  // of a class, what happened: lines of its run file, for the steps that are here

  void add(Metric metric);
  RunMetrics before(std::int64_t step) const;  // for a branch from there: its steps and evaluations alone
};

}  // namespace lab
