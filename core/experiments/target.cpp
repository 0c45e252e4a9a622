// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiments/target.h"

#include <algorithm>
#include <cmath>

namespace lab {

void RunTally::take(const Metric& metric, const Target& target) {
  if (const auto* step = std::get_if<StepMetric>(&metric)) {
    ++steps;
    examples += step->examples;
    divergence.take(step->loss);
    diverged = divergence.index().has_value();
    modelled = step->clock == TimeSource::Modelled;
    if (step->noiseScale) noiseScale = step->noiseScale;
    if (step->staleness)
      staleness = (staleness.value_or(0) * static_cast<double>(steps - 1) + static_cast<double>(*step->staleness)) /
                  static_cast<double>(steps);
    // Workers' modelled cycles overlap, so their rate is all examples so far over the time so far.
    if (step->worker && modelled)
      seconds = step->imagesPerSecond > 0 ? static_cast<double>(examples) / step->imagesPerSecond : seconds;
    else
      seconds += static_cast<double>(modelled ? step->stepNs : step->wallNs) / 1e9;
  } else if (const auto* eval = std::get_if<EvalMetric>(&metric)) {
    testAccuracy = eval->testAccuracy;
    testLoss = std::isfinite(eval->testLoss) ? std::optional(eval->testLoss) : std::nullopt;
    if (!target.accuracy || stepsToTarget || eval->testAccuracy < *target.accuracy) return;
    stepsToTarget = steps;
    examplesToTarget = examples;
    secondsToTarget = seconds;
  }
}

TargetWatch::TargetWatch(const Target& target, SettingsBase& config)
    : target_(target), evaluates_(target.accuracy && !config.evalEvery) {
  if (evaluates_) config.evalEvery = 0;
}

void TargetWatch::afterStep(Trainer& trainer) {
  if (!evaluates_ || (trainer.stepsDone() < due_ && !trainer.finished())) return;
  trainer.evaluate();
  due_ = trainer.stepsDone() + std::max<std::int64_t>(1, trainer.stepsDone() / 20);
}

}  // namespace lab
