// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/run_curves.h"

#include <utility>

#include "ui/runview/run_summary.h"

namespace lab {

RunCurves::RunCurves(int run, std::shared_ptr<const RunMetrics> metrics, Quantity quantity, const ChartOptions& options)
    : run_(run),
      metrics_(std::move(metrics)),
      quantity_(quantity),
      axis_(options.axis),
      smoothing_(options.smoothing),
      smooth_(options.smoothing > 0) {
  begin();
  follow();
}

void RunCurves::begin() {
  places_.begin(axis_);
  smoothed_.begin(smoothing_);
  applies_ = metrics_->steps.empty() || has(*metrics_, axis_);
  each_.clear();
  test_.clear();
  steps_ = evaluations_ = 0;
  images_ = wallNs_ = 0;
  divergence_ = {};
}

bool RunCurves::isBehind() const {
  return steps_ != metrics_->steps.size() || evaluations_ != metrics_->evaluations.size();
}

bool RunCurves::follow() {
  const RunMetrics& run = *metrics_;
  if (!isBehind()) return false;
  // A run that resumes from a checkpoint has lost steps: points of them would stand for nothing.
  if (steps_ > run.steps.size() || evaluations_ > run.evaluations.size()) begin();
  places_.follow(run);
  if (quantity_ == Quantity::Loss) divergence_.follow(run.steps);
  for (; steps_ < run.steps.size(); ++steps_) {
    const std::optional<double> value = nextValue(run.steps[steps_]);
    if (value && applies_) each_.append(places_.ofStep(steps_), *value, static_cast<std::uint32_t>(steps_));
  }
  if (smooth_) smoothed_.follow(each_);
  for (; evaluations_ < run.evaluations.size(); ++evaluations_) {
    const EvalMetric& evaluation = run.evaluations[evaluations_];
    const std::optional<double> value = testValueOf(evaluation, quantity_), place = places_.after(run, evaluation.step);
    if (value && place && applies_ && (test_.empty() || *place >= test_.x(test_.size() - 1)))
      test_.append(*place, *value, static_cast<std::uint32_t>(evaluations_));
  }
  return true;
}

// Steps of asynchronous workers overlap, so the measured rate is that of all images until now.
std::optional<double> RunCurves::nextValue(const StepMetric& step) {
  if (quantity_ != Quantity::MeasuredThroughput || !step.worker) return valueOf(step, quantity_);
  if (!step.aborted) images_ += step.examples;
  wallNs_ += step.wallNs;
  return ratePerSecond(images_, wallNs_);
}

std::optional<double> RunCurves::divergesAt() const {
  const std::optional<std::size_t> index = divergence_.index();
  if (!index || !applies_ || *index >= places_.size()) return std::nullopt;
  return places_.ofStep(*index);
}

std::int64_t RunCurves::stepOf(std::uint32_t tag, bool test) const {
  return test ? metrics_->evaluations.at(tag).step : metrics_->steps.at(tag).step;
}

}  // namespace lab
