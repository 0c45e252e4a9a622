// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runview/run_metrics.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

namespace lab {

void RunMetrics::add(Metric metric) {
  if (auto* step = std::get_if<StepMetric>(&metric)) {
    steps.push_back(std::move(*step));
  } else if (auto* evaluation = std::get_if<EvalMetric>(&metric)) {
    evaluations.push_back(*evaluation);
  } else {
    end = std::get<EndMetric>(std::move(metric));
  }
}

RunMetrics RunMetrics::before(std::int64_t step) const {
  RunMetrics past;
  const auto isBefore = [step](const auto& metric) { return metric.step < step; };
  past.examplesPerEpoch = examplesPerEpoch;
  std::ranges::copy_if(steps, std::back_inserter(past.steps), isBefore);
  std::ranges::copy_if(evaluations, std::back_inserter(past.evaluations), isBefore);
  return past;
}

}  // namespace lab
