// SPDX-License-Identifier: GPL-3.0-or-later
// What a time of a step and a rate are of, in one place. There are three kinds, and whoever shows one calls it so:
//   steady           full batches, when the start is over: the model's answer to the settings. It is known before the
//                    first step, no remainder of an epoch is in it, and efficiencies are of it alone. Measured time has
//                    none.
//   mean of the run  all examples over all time, remainders included (RunTally).
//   this step        StepMetric's own; of an asynchronous worker's cycle the rate is the mean so far, for cycles
//                    overlap.
// Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>

#include "core/config/resolved_settings.h"
#include "core/timing/device_memory.h"
#include "core/trace/metric.h"

namespace lab {

struct SteadyStep {
  std::int64_t examples = 0;   // ResolvedSettings::examplesPerStep()
  std::int64_t stepNs = 0;     // of asynchronous workers the mean cycle of the slowest
  double imagesPerSecond = 0;  // of all replicas together
  DeviceMemory memory;         // that the step needs; its times stand also where no device has as much
  std::int64_t used = 0;       // of the examples, without those of replicas that come too late for the sum
};
// What `sweep --timing-only` and What if say of the same settings. Nothing where time is measured.
std::optional<SteadyStep> steadyStep(const ResolvedSettings& config);

// Where a step had less than a full batch, as the last one of an epoch mostly has.
inline bool isRemainder(const ResolvedSettings& config, const StepMetric& step) {
  return step.distributed() < config.examplesPerStep();
}

// Of a run's steps as they come: the last full one, or, where a run has none, the last of its largest.
class LastFullStep {
 public:
  void take(const StepMetric& step) {
    if (!step_ || step.distributed() >= step_->distributed()) step_ = step;
  }
  const std::optional<StepMetric>& step() const { return step_; }

 private:
  std::optional<StepMetric> step_;
};

}  // namespace lab
