// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timing/noise_scale.h"

#include <algorithm>

#include <Eigen/Cholesky>

#include "core/base/error.h"

namespace lab {

std::optional<NoiseSample> noiseSample(std::span<const LocalGradient> local, double meanSquaredNorm) {
  double all = 0;
  int replicas = 0;
  for (const LocalGradient& each : local) {
    all += each.examples;
    if (each.examples > 0) ++replicas;
  }
  if (replicas < 2) return std::nullopt;
  double mean = 0;  // weighted mean of the small batches' squared norms
  for (const LocalGradient& each : local) mean += each.examples / all * each.squaredNorm;
  NoiseSample sample;
  sample.trace = all * (mean - meanSquaredNorm) / (replicas - 1);
  sample.gradientSquared = meanSquaredNorm - sample.trace / all;
  return sample;
}

void NoiseScale::add(const NoiseSample& sample) {
  state_.gradientSquared = smoothing_ * state_.gradientSquared + (1 - smoothing_) * sample.gradientSquared;
  state_.trace = smoothing_ * state_.trace + (1 - smoothing_) * sample.trace;
  state_.weight = smoothing_ * state_.weight + (1 - smoothing_);
}

std::optional<double> NoiseScale::examples() const {
  // The averages start from 0; the resulting common factor cancels.
  if (!(state_.weight > 0) || !(state_.gradientSquared > 0) || !(state_.trace > 0)) return std::nullopt;
  return state_.trace / state_.gradientSquared;
}

std::optional<BatchTradeOff> fitTradeOff(std::span<const StepsAtBatch> runs) {
  if (runs.empty()) return std::nullopt;
  const auto [smallest, largest] = std::ranges::minmax(runs, {}, &StepsAtBatch::batch);
  if (smallest.batch == largest.batch) return std::nullopt;
  // S = Smin + Smin·Bcrit / B is a line in 1/B, here in smallest/B, which is at most 1. Each equation is divided by its
  // S, so that errors count relative to S. Normal equations: two unknowns of one order.
  Eigen::Matrix2d normal = Eigen::Matrix2d::Zero();
  Eigen::Vector2d right = Eigen::Vector2d::Zero();
  for (const auto& [batch, steps] : runs) {
    LAB_CHECK(batch > 0 && steps > 0);
    const Eigen::Vector2d row = Eigen::Vector2d(1, smallest.batch / batch) / steps;
    normal += row * row.transpose();
    right += row;
  }
  const Eigen::Vector2d line = normal.ldlt().solve(right);
  if (!(line[0] > 0) || !(line[1] > 0)) return std::nullopt;
  return BatchTradeOff{line[0], line[1] * smallest.batch / line[0]};
}

}  // namespace lab
