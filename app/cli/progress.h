// SPDX-License-Identifier: GPL-3.0-or-later
// A run's progress on standard error: on a terminal one line that is rewritten ten times a second, elsewhere one line
// per evaluation, so that a log stays readable.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "core/prediction/rates.h"
#include "core/trace/metric.h"
#include "core/training/trainer.h"

namespace lab::cli {

class Progress {
 public:
  // `steady`: for the run's settings. `quiet`: standard output shares the terminal and carries JSON, so no line is
  // rewritten.
  Progress(const RunInfo& info, const std::optional<SteadyStep>& steady, std::string name, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(const Metric& metric);

 private:
  void showStep(const StepMetric& metric);
  void clear();

  std::int64_t totalSteps_;
  std::string name_;
  int columns_ = 0;                        // 0: nothing is rewritten
  std::optional<double> steadyPerSecond_;  // images, modelled
  bool drawn_ = false;
  std::int64_t images_ = 0, wallNs_ = 0;  // since the line was last drawn, for the current rate
  std::chrono::steady_clock::time_point last_{};
};

// Returns "[#####-----]", also for other progress than a run's.
std::string bar(double share, int width);

}  // namespace lab::cli
