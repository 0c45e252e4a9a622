// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/divergence.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lab {
namespace {

constexpr double kTimesFirst = 10;     // relative to the first loss
constexpr double kAtOnceTimes = 1000;  // a loss this many times the limit leaves no doubt
constexpr int kEnoughSteps = 3;        // steps
constexpr int kMostScore = 64;         // so that a run that came back after long is recognised

}  // namespace

void Divergence::follow(std::span<const StepMetric> steps) {
  while (seen_ < steps.size() && !lost_) take(steps[seen_].loss);
}

void Divergence::take(double loss) {
  if (lost_) return;
  // Guessing among ten classes gives a loss of ln 10, and other numbers of classes give similar losses. A smaller first
  // loss is luck, or comes from loaded weights.
  if (seen_ == 0) {
    limit_ = kTimesFirst * std::max(std::isfinite(loss) ? loss : 0, std::numbers::ln10);
    last_ = loss;
  }
  const bool above = !(loss <= limit_);
  if (above && score_ == 0) {
    start_ = seen_;
    before_ = last_;
  }
  if (above) {
    score_ = std::min(kMostScore, score_ + (loss > kAtOnceTimes * limit_ ? kEnoughSteps : 1));
  } else {
    score_ = std::max(0, score_ - 1);
    last_ = loss;
  }
  lost_ = !std::isfinite(loss);  // weights that are not finite stay so
  ++seen_;
}

std::optional<std::size_t> Divergence::index() const {
  if (!lost_ && score_ < kEnoughSteps) return std::nullopt;
  return start_;
}

}  // namespace lab
