// SPDX-License-Identifier: GPL-3.0-or-later
// A goal for a run, a test accuracy, and what it took: when to evaluate for it, when it is reached, and what had been
// done by then. Counted from a run's metrics alone, so that a kept file gives the same. Of one thread.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>

#include "core/config/run_settings.h"
#include "core/trace/divergence.h"
#include "core/trace/metric.h"
#include "core/training/trainer.h"

namespace lab {

inline constexpr std::int64_t kTargetEpochs = 20;  // the most that a run trains until its target

struct Target {
  std::optional<double> accuracy;  // on the test examples, 0 to 1
  bool until = false;              // the run ends where it is reached, or after kTargetEpochs
};

struct RunTally {
  std::int64_t steps = 0, examples = 0;
  std::optional<double> testAccuracy;  // the last
  std::optional<double> testLoss;      // the last, where it is a number
  bool diverged = false;               // as of the last step: Divergence
  bool stopped = false;                // before its end, after `steps`: others of its sweep were better (halving.h)
  bool modelled = true;                // the time below; else measured
  double seconds = 0;
  std::optional<double> noiseScale;  // the gradient noise scale as it was last, where it was measured; examples
  std::optional<double> staleness;   // mean over the updates, of workers
  double imagesPerSecond() const { return seconds > 0 ? static_cast<double>(examples) / seconds : 0; }
  // At the first evaluation that reached the target.
  std::optional<std::int64_t> stepsToTarget, examplesToTarget;
  std::optional<double> secondsToTarget;

  void take(const Metric& metric, const Target& target);
  Divergence divergence{};
};

// Of a run that ends at its target: it may take so long.
template <std::derived_from<SettingsBase> Settings>
Settings withTarget(Settings config, const Target& target) {
  if (target.until) config.epochs = kTargetEpochs;
  return config;
}

class TargetWatch {
 public:
  // Of a configuration withTarget(). It is changed: where there is a target and no eval-every of its own, this
  // evaluates, at least each time that a twentieth more steps have been taken.
  TargetWatch(const Target& target, SettingsBase& config);

  void take(const Metric& metric) { tally_.take(metric, target_); }
  // After each step of the run: evaluates where it is due.
  void afterStep(Trainer& trainer);
  // Reached, or missed for good: weights that are no numbers stay so.
  bool isOver() const { return target_.until && (tally_.stepsToTarget || !tally_.divergence.isFinite()); }
  const RunTally& tally() const { return tally_; }

 private:
  Target target_;
  bool evaluates_ = false;
  std::int64_t due_ = 1;
  RunTally tally_;
};

}  // namespace lab
