// SPDX-License-Identifier: GPL-3.0-or-later
// The gradient noise scale and its consequences: the critical batch size, and the steps and examples that a batch size
// needs (McCandlish et al. 2018, arXiv 1812.06162; README.md). The estimates compare the replicas' own gradients, which
// are small batches, with their mean, which is a large one.
#pragma once

#include <optional>
#include <span>

namespace lab {

// One step's estimates; both are unbiased, noisy, and may be negative.
struct NoiseSample {
  double gradientSquared = 0;  // of the true gradient, |G|²
  double trace = 0;            // of the covariance of one example's gradient, S = tr Σ
};

// One replica's mean gradient over its own `examples`.
struct LocalGradient {
  double examples = 0;  // > 0
  double squaredNorm = 0;
};
// meanSquaredNorm: of the mean over all examples. Returns nothing if fewer than two replicas have examples.
std::optional<NoiseSample> noiseSample(std::span<const LocalGradient> local, double meanSquaredNorm);

// Smooths numerator and denominator separately, then divides them. Single-threaded.
class NoiseScale {
 public:
  NoiseScale() = default;
  explicit NoiseScale(double smoothing) : smoothing_(smoothing) {}  // `smoothing`: share of the past kept at each step
  void add(const NoiseSample& sample);
  // Returns B_simple = S / |G|², in examples; nothing until there is enough data (|G|² or S not above 0).
  std::optional<double> examples() const;

  struct State {
    double gradientSquared = 0, trace = 0, weight = 0;
  };
  const State& state() const { return state_; }  // for checkpoints
  void setState(const State& state) { state_ = state; }

 private:
  double smoothing_ = 0.98;
  State state_;
};

// The trade-off curve: (S/Smin − 1)(E/Emin − 1) = 1, with the critical batch B_crit = Emin / Smin.
struct BatchTradeOff {
  double minimumSteps = 1, criticalBatch = 1;
  double steps(double batch) const { return minimumSteps * (1 + criticalBatch / batch); }
  double examples(double batch) const { return steps(batch) * batch; }
};
// What a run needed to reach the target; both > 0.
struct StepsAtBatch {
  double batch = 0, steps = 0;
};
// Fits the curve through measured runs to one target by least squares of the relative errors of the steps. Returns
// nothing if there are fewer than two batch sizes, or if the runs do not fit such a curve.
std::optional<BatchTradeOff> fitTradeOff(std::span<const StepsAtBatch> runs);

}  // namespace lab
