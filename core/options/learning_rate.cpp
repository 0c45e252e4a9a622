// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/options/learning_rate.h"

#include <cmath>

namespace lab {

double learningRateAt(const ResolvedSettings& config, std::int64_t step, std::int64_t stepsPerEpoch) {
  constexpr double kBaseBatch = 64;
  // A parameter-server worker's batch is what one update sees.
  const double batch = static_cast<double>(config.examplesPerStep());
  double factor = 1;
  if (config.lrScaling == LearningRateScaling::Linear) factor = batch / kBaseBatch;
  if (config.lrScaling == LearningRateScaling::Sqrt) factor = std::sqrt(batch / kBaseBatch);
  const double full = config.learningRate * factor;

  const double warmupSteps = config.warmupEpochs * static_cast<double>(stepsPerEpoch);
  const double t = static_cast<double>(step - 1);
  if (t >= warmupSteps) return full;
  const double start = factor > 1 ? config.learningRate : 0;
  return start + (full - start) * t / warmupSteps;
}

}  // namespace lab
