// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving/class_training.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/model/network_text.h"
#include "core/options/config_field.h"
#include "core/options/learning_rate.h"
#include "core/options/network_of.h"
#include "core/protocol/messages.h"
#include "core/serving/class_state.h"
#include "core/strategy/strategy.h"

namespace lab::serving {
namespace {

using nlohmann::json;

// Sums in eight lanes, which a processor adds at once. The result is not finite if any value is not.
double squaredNorm(std::span<const float> values) {
  std::array<double, 8> sums{};
  std::size_t k = 0;
  for (; k + sums.size() <= values.size(); k += sums.size())
    for (std::size_t lane = 0; lane < sums.size(); ++lane)
      sums[lane] += static_cast<double>(values[k + lane]) * static_cast<double>(values[k + lane]);
  for (; k < values.size(); ++k) sums[0] += static_cast<double>(values[k]) * static_cast<double>(values[k]);
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

ClosureRules rulesOf(const ResolvedSettings& config, bool synchronous, std::int64_t updates, int firstWorkers) {
  ClosureRules rules;
  rules.synchronous = synchronous;
  rules.updates = updates;
  rules.batch = config.largestShare();
  const StrategyInfo& info = strategyInfo(config.strategy);
  if (!info.goesWithout.empty()) rules.backups = config.strategySettings.at(info.goesWithout);
  rules.firstWorkers = firstWorkers;
  rules.lossReduction = config.lossReduction;
  return rules;
}

}  // namespace

ClassTraining::ClassTraining(const ResolvedSettings& config, std::shared_ptr<const Dataset> dataset, int firstWorkers,
                             const Patience& patience, std::unique_ptr<ParameterServers> servers)
    : config_(config),
      dataset_(std::move(dataset)),
      network_(networkOf(config)),
      description_(networkText(*network_)),
      synchronous_(strategyInfo(config.strategy).synchronous),
      stepsPerEpoch_(stepsPerEpochOf(config, dataset_->train.count)),
      updatesWanted_(config.totalSteps(stepsPerEpoch_)),
      examples_(dataset_->train, config.shuffleBuffer, static_cast<std::uint64_t>(config.seed)),
      coordinator_(rulesOf(config, synchronous_, updatesWanted_, firstWorkers), patience,
                   [this](std::int64_t most) { return examples_.draw(most); }),
      variables_(config, *network_, servers ? std::move(servers) : makeServersHere(config, *network_)) {
  checkClass(config, *dataset_);
}

WireShape ClassTraining::shape() const {
  return {static_cast<std::size_t>(network_->layout().size()), static_cast<std::size_t>(network_->statistics().size()),
          config_.wire};
}

// Moving statistics replace those of the class as they are: with a negative variance, all that it computes from then on
// would be NaN.
std::optional<Reason> ClassTraining::whyNot(std::span<const float> pushed, double most) const {
  const auto weights = static_cast<std::size_t>(network_->layout().size());
  const auto statistics = pushed.subspan(weights);
  const double norm = squaredNorm(pushed.first(weights));
  if (!std::isfinite(norm)) return Reason::NotFinite;
  if (norm > most * most) return Reason::NormTooLarge;
  if (!std::isfinite(squaredNorm(statistics))) return Reason::NotFinite;
  for (const Variable& variable : network_->statistics().variables()) {
    const auto values =
        statistics.subspan(static_cast<std::size_t>(variable.offset), static_cast<std::size_t>(variable.size));
    const bool isVariance = variable.name.ends_with("/moving_variance");
    for (const float value : values) {
      if (isVariance && value < 0) return Reason::BadFrame;
      if (std::abs(static_cast<double>(value)) > most) return Reason::NormTooLarge;
    }
  }
  return std::nullopt;
}

// ---- Updates

// Adds in the order of the slots; a single push is unchanged. The moving statistics are those of the first push.
std::vector<float> ClassTraining::sumOf(const Coordinator::Update& due, ReceivedPushes& pushes) const {
  std::vector<float> sum = std::move(pushes.at(due.used.front().work.number).values);
  const auto weights = static_cast<std::size_t>(network_->layout().size());
  for (std::size_t i = 1; i < due.used.size(); ++i) {
    const std::vector<float>& values = pushes.at(due.used[i].work.number).values;
    for (std::size_t k = 0; k < weights; ++k) sum[k] += values[k];
  }
  return sum;
}

ClassUpdate ClassTraining::apply(const Coordinator::Update& due, ReceivedPushes& pushes, std::int64_t ns) {
  const std::int64_t before = variables_.version();
  double learningRate = learningRateAt(config_, before + 1, stepsPerEpoch_);
  const std::int64_t staleness = before - pushes.at(due.used.front().work.number).version;
  if (config_.lrScaling == LearningRateScaling::Staleness)
    learningRate /= static_cast<double>(std::max<std::int64_t>(1, staleness));
  variables_.apply(sumOf(due, pushes), learningRate);
  ClassUpdate update = describe(due, pushes, ns);
  update.metric.learningRate = learningRate;
  order_.updates.push_back(update.parts);
  return update;
}

ClassUpdate ClassTraining::describe(const Coordinator::Update& due, const ReceivedPushes& pushes, std::int64_t ns) {
  ClassUpdate update;
  StepMetric& metric = update.metric;
  std::vector<std::pair<ClassOrder::Part, ClassTimes::Part>> all;
  double lossSum = 0, correct = 0;
  const auto add = [&](const Coordinator::Contribution& each, bool used) {
    const auto examples = std::ssize(each.work.examples);
    ClassOrder::Part part{each.work.number, each.worker, 0, examples, each.work.scale, used, ""};
    ClassTimes::Part times;
    if (used) {
      const ReceivedPush& pushed = pushes.at(each.work.number);
      times = pushed.times;
      part.version = pushed.version;
      part.path = pushed.path;
      lossSum += pushed.push.lossSum;
      correct += pushed.push.correct;
      metric.examples += examples;
      metric.stepNs = std::max(metric.stepNs, ns - times.givenNs);
      metric.computeNs = std::max(metric.computeNs, times.computeNs);
      metric.bytesSent += 2 * shape().bytes();
    }
    distributed_ += examples;
    all.emplace_back(part, times);
  };
  for (const Coordinator::Contribution& each : due.used) add(each, true);
  for (const Coordinator::Contribution& each : due.leftOut) add(each, false);
  metric.communicationNs = metric.stepNs - metric.computeNs;
  metric.step = variables_.version();
  metric.epoch = static_cast<double>(distributed_) / static_cast<double>(dataset_->train.count);
  const auto examples = static_cast<double>(metric.examples);
  metric.loss = lossSum / examples;
  metric.accuracy = correct / examples;
  metric.wallNs = updatedNs_ < 0 ? metric.stepNs : ns - updatedNs_;
  updatedNs_ = ns;
  metric.clock = TimeSource::Measured;
  examplesHere_ += metric.examples;
  elapsedNs_ += metric.wallNs;
  const std::int64_t images = synchronous_ ? metric.examples : examplesHere_;
  const std::int64_t inNs = synchronous_ ? metric.stepNs : elapsedNs_;
  metric.imagesPerSecond = inNs > 0 ? static_cast<double>(images) * 1e9 / static_cast<double>(inNs) : 0;
  std::ranges::sort(all, {}, [](const auto& each) { return each.first.closure; });
  update.times.appliedNs = ns;
  for (const auto& [part, partTimes] : all) {
    if (!part.used) metric.leftOut.push_back(static_cast<int>(update.parts.size()));
    metric.shards.push_back(part.examples);
    update.parts.push_back(part);
    update.times.parts.push_back(partTimes);
  }
  if (!synchronous_) {
    metric.worker = update.parts.front().worker;
    metric.staleness = metric.step - 1 - update.parts.front().version;
  }
  return update;
}

bool ClassTraining::evaluationIsDue() const {
  const std::int64_t every = config_.stepsPerEvaluation(stepsPerEpoch_);
  return every > 0 && (variables_.version() % every == 0 || coordinator_.isOver());
}

// ---- Checkpoints

Checkpoint ClassTraining::checkpoint() {
  Checkpoint kept = toCheckpoint(
      {.step = variables_.version(), .variables = variables_.snapshot(), .optimizer = variables_.optimizer()});
  const Coordinator::Position at = coordinator_.position();
  json undone = json::array();
  for (const Work& work : at.undone) undone.push_back({work.number, work.examples});
  const InputPosition input = examples_.position();
  kept.config = configToJson(config_);
  kept.state["class"] = {
      {"scheduled", at.scheduled}, {"undone", undone},          {"input", {input.epoch, input.stepInEpoch}},
      {"trained", distributed_},   {"dataset", dataset_->name}, {"examples", dataset_->train.count}};
  return kept;
}

void ClassTraining::resume(const Checkpoint& kept) try {
  checkSameRun(kept.config, config_);
  const json& all = kept.state.at("class");
  const ClassState was = classStateFrom(kept);
  LAB_CHECK(all.at("dataset") == dataset_->name && all.at("examples") == dataset_->train.count);
  LAB_CHECK(was.variables->size() == shape().floats() && tensorNotFinite(kept.tensors).empty());
  Coordinator::Position at{.scheduled = integerOf<std::uint64_t>(all.at("scheduled")), .updates = was.step};
  for (const json& each : all.at("undone")) {
    Work& work = at.undone.emplace_back(Work{.number = integerOf<std::uint64_t>(each.at(0))});
    for (const json& example : each.at(1)) {
      work.examples.push_back(integerOf<std::int64_t>(example));
      LAB_CHECK(work.examples.back() >= 0 && work.examples.back() < dataset_->train.count);
    }
  }
  examples_.seek({integerOf<std::int64_t>(all.at("input").at(0)), integerOf<std::int64_t>(all.at("input").at(1))});
  coordinator_.resume(std::move(at));
  variables_.restore(was.step, was.variables, was.optimizer);
  distributed_ = integerOf<std::int64_t>(all.at("trained"));
} catch (const UserError&) {
  throw;
} catch (const std::exception&) {
  throw UserError(say::classCheckpointDoesNotFit);
}

}  // namespace lab::serving
