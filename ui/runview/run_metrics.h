// SPDX-License-Identifier: GPL-3.0-or-later
// All metrics of a run, in order of arrival. Filled by RunReports on the UI thread; views that still show the run
// keep it after the controller has gone on to the next.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/trace/metric.h"

namespace lab {

struct RunMetrics {
  // Number of examples in a pass over the training examples; 0 if not known, as for a recording.
  std::int64_t examplesPerEpoch = 0;
  std::vector<StepMetric> steps;
  std::vector<EvalMetric> evaluations;
  std::optional<EndMetric> end;
  std::vector<std::string> order;  // for a class, what happened: lines of its run file, for the steps that are here

  void add(Metric metric);
  RunMetrics before(std::int64_t step) const;  // for a branch from there: only its steps and evaluations
};

}  // namespace lab
