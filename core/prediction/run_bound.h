// SPDX-License-Identifier: GPL-3.0-or-later
// The bottleneck of a run's step. Published rows are grouped alike; the error of the run's group is shown with its
// time.
#pragma once

#include <cstdint>

#include "core/config/resolved_settings.h"
#include "core/strategy/strategy.h"
#include "core/timing/error_band.h"
#include "core/trace/metric.h"

namespace lab {

// Returns whether what the step exchanges goes between hosts; step 0: any step.
inline bool crossesHosts(const SettingsBase& config, std::int64_t replicas, std::int64_t hosts, std::int64_t step) {
  return hosts > 1 && !staysWithinHosts(config, static_cast<int>(replicas), static_cast<int>(hosts), step);
}

// `config`: resolved.
inline BoundBy boundBy(const ResolvedSettings& config, const StepMetric& step) {
  return boundBy(step.stepNs, step.communicationNs + step.overlappedNs + step.queueNs,
                 !strategyInfo(config.strategy).synchronous,
                 crossesHosts(config, config.replicas, config.hosts, step.step));
}

}  // namespace lab
