// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runview/run_metrics.h"

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

}  // namespace lab
