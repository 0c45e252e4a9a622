// SPDX-License-Identifier: GPL-3.0-or-later
// A goal for a run, a test accuracy, and what reaching it took: when to evaluate, when it is reached, and what had been
// done by then. Everything is counted from a run's metrics, so a kept file gives the same result. Single-threaded.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>

#include "core/config/run_settings.h"
#include "core/trace/divergence.h"
#include "core/trace/metric.h"
#include "core/training/trainer.h"

namespace lab {

inline constexpr std::int64_t kTargetEpochs = 20;  // the most epochs that a run trains until its target

struct Target {
  std::optional<double> accuracy;  // on the test examples, 0 to 1
  bool until = false;              // the run ends when it reaches the target, or after kTargetEpochs
};

struct RunTally {
  std::int64_t steps = 0, examples = 0;
  std::optional<double> testAccuracy;  // the last one
  std::optional<double> testLoss;      // the last one, if it is a number
  bool diverged = false;               // as of the last step: Divergence
  bool stopped = false;  // after `steps`, before its end: other cells of its sweep were better (halving.h)
  bool modelled = true;  // whether the time below is modelled, otherwise measured
  double seconds = 0;
  std::optional<double> noiseScale;  // the last gradient noise scale, if measured; examples
  std::optional<double> staleness;   // mean over the workers' updates
  double imagesPerSecond() const { return seconds > 0 ? static_cast<double>(examples) / seconds : 0; }
  // At the first evaluation that reached the target.
  std::optional<std::int64_t> stepsToTarget, examplesToTarget;
  std::optional<double> secondsToTarget;

  void take(const Metric& metric, const Target& target);
  Divergence divergence{};
};

// Returns settings that let a run which ends at its target train for kTargetEpochs.
template <std::derived_from<SettingsBase> Settings>
Settings withTarget(Settings config, const Target& target) {
  if (target.until) config.epochs = kTargetEpochs;
  return config;
}

class TargetWatch {
 public:
  // `config` must come from withTarget(). It is changed: if there is a target and no eval-every, this class evaluates,
  // at least whenever a twentieth more steps have been taken.
  TargetWatch(const Target& target, SettingsBase& config);

  void take(const Metric& metric) { tally_.take(metric, target_); }
  // Must be called after each step of the run: evaluates if it is due.
  void afterStep(Trainer& trainer);
  // Reached, or missed for good: weights that are not finite stay so.
  bool isOver() const { return target_.until && (tally_.stepsToTarget || !tally_.divergence.isFinite()); }
  const RunTally& tally() const { return tally_; }

 private:
  Target target_;
  bool evaluates_ = false;
  std::int64_t due_ = 1;
  RunTally tally_;
};

}  // namespace lab
