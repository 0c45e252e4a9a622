// SPDX-License-Identifier: GPL-3.0-or-later
// Defines what a step's time and a rate refer to. There are three kinds, and every display names its kind:
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
#include "core/timing/error_band.h"
#include "core/trace/metric.h"

namespace lab {

struct SteadyStep {
  std::int64_t examples = 0;   // ResolvedSettings::examplesPerStep()
  std::int64_t stepNs = 0;     // for asynchronous workers, the mean cycle of the slowest
  double imagesPerSecond = 0;  // of all replicas together
  double efficiency = 0;       // scaling efficiency, weak: relative to one device alone with the same batch per replica
  DeviceMemory memory;         // that the step needs; the times hold even if no device has that much
  std::int64_t used = 0;       // examples without those of replicas that come too late for the sum
  BoundBy bound{};             // what takes its time
};
// Returns what `sweep --timing-only` and What if say for the same settings. Nothing if time is measured.
std::optional<SteadyStep> steadyStep(const ResolvedSettings& config);

// Returns whether a step had less than a full batch, as the last step of an epoch usually has.
inline bool isRemainder(const ResolvedSettings& config, const StepMetric& step) {
  return step.distributed() < config.examplesPerStep();
}

// Keeps the last full step of a run, or, if there is none, the last of its largest steps.
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
