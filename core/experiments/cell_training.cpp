// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiments/cell_training.h"

#include <cmath>
#include <limits>
#include <system_error>
#include <utility>

#include "core/options/config_field.h"
#include "core/training/trainer.h"

namespace lab {
namespace {

// A time measured beside other work is not worth keeping; without it, a cell's file has the same bits whenever it ran
// and whatever ran beside it.
void dropWallTimes(Metric& metric) {
  if (auto* step = std::get_if<StepMetric>(&metric); step != nullptr && step->clock == TimeSource::Modelled)
    step->wallNs = 0;
  if (auto* end = std::get_if<EndMetric>(&metric); end != nullptr && end->modelledSeconds)
    end->seconds = end->imagesPerSecond = 0;
}

// Adds the earlier pieces to the measured time, so that it covers all pieces, not only the last.
void addEarlier(std::vector<Metric>& metrics, double seconds, std::int64_t examples) {
  auto* end = metrics.empty() ? nullptr : std::get_if<EndMetric>(&metrics.back());
  if (end == nullptr || end->modelledSeconds) return;
  end->seconds += seconds;
  end->imagesPerSecond = end->seconds > 0 ? static_cast<double>(examples) / end->seconds : 0;
}

std::vector<Metric> metricsFrom(Telemetry& telemetry) {
  std::vector<Metric> metrics;
  for (Metric& metric : telemetry.takeMetrics()) {
    dropWallTimes(metric);
    metrics.push_back(std::move(metric));
  }
  return metrics;
}

bool isEvaluated(const std::vector<Metric>& metrics, std::int64_t step) {
  const auto* last = metrics.empty() ? nullptr : std::get_if<EvalMetric>(&metrics.back());
  return last != nullptr && last->step == step;
}

}  // namespace

bool CellTraining::train(int threads, const std::function<bool()>& goOn,
                         const std::function<std::int64_t(std::int64_t)>& until) {
  ResolvedSettings config = cell_.config;
  config.threads = threads;
  const TargetWatch fresh(cell_.target, config);
  Telemetry telemetry;
  telemetry.setSpansWanted(false);
  Trainer trainer(config, dataset_, telemetry);
  if (state_) {
    trainer.loadState(*state_);
    (void)telemetry.takeMetrics();
    state_.reset();
  } else {
    watch_ = fresh;
    seconds_ = 0;
    metrics_.clear();
  }
  ifStopped_.clear();
  const auto take = [&] {
    for (Metric& metric : metricsFrom(telemetry)) {
      watch_->take(metric);
      metrics_.push_back(std::move(metric));
    }
  };
  const std::int64_t all = trainer.info().totalSteps, limit = until ? until(all) : all;
  while (!trainer.finished() && !watch_->isOver() && trainer.stepsDone() < limit) {
    if (!goOn()) return false;
    trainer.step();
    watch_->afterStep(trainer);
    take();
  }
  ended_ = trainer.finished() || watch_->isOver();
  if (!ended_) {
    state_ = trainer.saveState();
    take();
    if (!isEvaluated(metrics_, trainer.stepsDone())) trainer.evaluate();  // the continued run has no such evaluation
  }
  trainer.finish();
  if (ended_)
    take();
  else
    ifStopped_ = metricsFrom(telemetry);
  addEarlier(ended_ ? metrics_ : ifStopped_, seconds_, watch_->tally().examples);
  seconds_ += static_cast<double>(trainer.wallNs()) / 1e9;
  const RunInfo& info = trainer.info();
  RunSettings kept = cell_.config.asked();
  kept.threads.reset();
  header_ = {configToJson(kept), info.dataset, info.parameters, info.clock, info.legend};
  header_.program = cell_.program;
  return true;
}

double CellTraining::testLoss() const {
  const EvalMetric* last = nullptr;
  for (const std::vector<Metric>* metrics : {&metrics_, &ifStopped_})
    for (const Metric& metric : *metrics)
      if (const auto* eval = std::get_if<EvalMetric>(&metric)) last = eval;
  const bool isNumber = last != nullptr && std::isfinite(last->testLoss) && watch_->tally().divergence.isFinite();
  return isNumber ? last->testLoss : std::numeric_limits<double>::infinity();
}

std::vector<Metric> CellTraining::metrics() const {
  std::vector<Metric> all = metrics_;
  all.insert(all.end(), ifStopped_.begin(), ifStopped_.end());
  return all;
}

RunTally CellTraining::tally() const {
  TargetWatch watch = *watch_;
  for (const Metric& metric : ifStopped_) watch.take(metric);
  RunTally tally = watch.tally();
  tally.stopped = !ended_;
  return tally;
}

void CellTraining::write(const std::filesystem::path& folder) const {
  RunFileWriter file(folder / cell_.fileName(!ended_), header_);
  file.metrics(metrics());
  file.finish(0);
  std::error_code error;
  if (ended_)
    std::filesystem::remove(folder / cell_.fileName(true), error);  // of an earlier sweep, which went less far
}

std::size_t CellTraining::stateBytes() const {
  std::size_t bytes = 0;
  if (state_)
    for (const auto& [name, tensor] : state_->tensors.tensors) bytes += tensor.values.size() * sizeof(float);
  return bytes;
}

}  // namespace lab
