// SPDX-License-Identifier: GPL-3.0-or-later
// All numbers that a run has told, in the order in which they came. Filled by the controller on the UI thread, kept by
// whoever still shows the run after the controller has gone on to the next.
#pragma once

#include <optional>
#include <vector>

#include "core/trace/metric.h"

namespace lab {

struct RunMetrics {
  std::vector<StepMetric> steps;
  std::vector<EvalMetric> evaluations;
  std::optional<EndMetric> end;
};

}  // namespace lab
