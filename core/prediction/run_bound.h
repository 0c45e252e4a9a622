// SPDX-License-Identifier: GPL-3.0-or-later
// The bottleneck of a run's step. Published rows are grouped alike; the error of the run's group is shown with its
// time.
#pragma once

#include "core/config/resolved_settings.h"
#include "core/strategy/strategy.h"
#include "core/timing/error_band.h"
#include "core/trace/metric.h"

namespace lab {

// `config`: resolved.
inline BoundBy boundBy(const ResolvedSettings& config, const StepMetric& step) {
  return boundBy(step.stepNs, step.communicationNs + step.overlappedNs + step.queueNs,
                 !strategyInfo(config.strategy).synchronous, config.hosts > 1);
}

}  // namespace lab
