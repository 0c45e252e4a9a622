// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/classruns/class_replay.h"

#include <algorithm>
#include <utility>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/model/network_text.h"
#include "core/options/learning_rate.h"
#include "core/options/network_of.h"
#include "core/protocol/messages.h"
#include "core/serving/class_session.h"
#include "core/strategy/strategy.h"
#include "core/training/build.h"

namespace lab::serving {

using Part = ClassOrder::Part;

ClassBatches::ClassBatches(const ResolvedSettings& config, const Examples& train, std::int64_t mostClosures)
    : synchronous_(strategyInfo(config.strategy).synchronous),
      batch_(config.largestShare()),
      mostClosures_(mostClosures),
      examples_(train, config.shuffleBuffer, static_cast<std::uint64_t>(config.seed)) {}

void ClassBatches::add(const std::vector<Part>& parts) {
  if (!synchronous_) return;
  for (const Part& part : parts) {
    constexpr auto kMost = static_cast<std::int64_t>(kMostClosureExamples);
    if (part.examples <= 0 || part.examples > kMost) throw UserError(say::classOrderWrong);
    of_[part.closure] = examples_.draw(part.examples);
  }
}

const std::vector<std::int64_t>& ClassBatches::of(std::uint64_t closure) {
  if (!synchronous_ && closure <= static_cast<std::uint64_t>(mostClosures_))
    while (drawn_ < closure) of_[++drawn_] = examples_.draw(batch_);
  const auto found = of_.find(closure);
  if (found == of_.end()) throw UserError(say::classOrderWrong);
  return found->second;
}

ClassReplayer::ClassReplayer(const ResolvedSettings& config, std::shared_ptr<const Dataset> dataset, int threads,
                             bool anyPath)
    : config_(config),
      dataset_(std::move(dataset)),
      network_(networkOf(config)),
      description_(networkText(*network_)),
      synchronous_(strategyInfo(config.strategy).synchronous),
      anyPath_(anyPath),
      threads_(threads),
      stepsPerEpoch_(stepsPerEpochOf(config, dataset_->train.count)),
      variables_(config, *network_, makeServersHere(config, *network_)) {}

void ClassReplayer::begin(const ClassState& state) {
  variables_.restore(state.step, state.variables, state.optimizer);
  usedOtherPath_ = false;
  kept_ = state.older;
}

WorkerReplica& ClassReplayer::replicaOf(const std::string& path) {
  OnPath& on = replicas_[path];
  try {
    if (!on.replica) on.replica = std::make_shared<WorkerReplica>(description_, threads_, path);
  } catch (const UserError&) {
    if (!anyPath_) throw;
    on = {std::make_shared<WorkerReplica>(description_, threads_), true};
  }
  usedOtherPath_ = usedOtherPath_ || on.isOther;
  return *on.replica;
}

ComputedPart ClassReplayer::compute(const Part& part, const std::vector<std::int64_t>& examples, std::int64_t offset) {
  ComputedPart computed;
  const auto kept = kept_.find(part.version);
  if (kept != kept_.end())
    computed.variables = kept->second;
  else if (part.version == version())
    computed.variables = variables_.pulled();
  if (computed.variables == nullptr || std::ssize(examples) != part.examples) throw UserError(say::classOrderWrong);
  Job job{.closure = part.closure,
          .version = static_cast<std::uint64_t>(part.version),
          .seed = static_cast<std::uint64_t>(config_.seed),
          .step = dropoutStepOf(part),
          .globalOffset = offset,
          .scale = part.scale,
          .wire = config_.wire,
          .variables = *computed.variables};
  const Examples& train = dataset_->train;
  for (const std::int64_t example : examples) {
    const std::uint8_t* pixels = train.image(example);
    job.pixels.insert(job.pixels.end(), pixels, pixels + train.imageSize());
    job.labels.push_back(at(train.labels, example));
  }
  WorkerReplica& replica = replicaOf(part.path);
  computed.result = replica.compute(job);
  computed.losses.assign(replica.losses(), replica.losses() + part.examples);
  computed.predictions.assign(replica.predictions(), replica.predictions() + part.examples);
  return computed;
}

std::vector<ComputedPart> ClassReplayer::computeAll(const std::vector<Part>& parts, ClassBatches& batches) {
  std::vector<ComputedPart> all;
  std::int64_t begin = 0;
  for (const Part& part : parts) {
    const std::int64_t offset = std::exchange(begin, begin + part.examples);
    all.push_back(part.used ? compute(part, batches.of(part.closure), synchronous_ ? offset : 0) : ComputedPart{});
  }
  return all;
}

std::vector<float> ClassReplayer::apply(const std::vector<Part>& parts, const std::vector<ComputedPart>& computed) {
  const auto weights = static_cast<std::size_t>(network_->layout().size());
  const auto first = std::ranges::find_if(parts, &Part::used);
  if (first == parts.end()) throw UserError(say::classOrderWrong);
  std::vector<float> sum;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!parts[i].used) continue;
    const std::vector<float>& values = computed[i].result.gradients;
    if (sum.empty())
      sum = values;
    else
      for (std::size_t k = 0; k < weights; ++k) sum[k] += values[k];
  }
  double rate = learningRateAt(config_, version() + 1, stepsPerEpoch_);
  if (config_.lrScaling == LearningRateScaling::Staleness)
    rate /= static_cast<double>(std::max<std::int64_t>(1, version() - first->version));
  variables_.apply(sum, rate);
  return sum;
}

ReplayedClass replayClass(const ResolvedSettings& config, const std::shared_ptr<const Dataset>& dataset,
                          const ClassOrder& order) {
  // If a lesson was ended early, each worker may have had a closure that is in no update.
  ClassBatches batches(config, dataset->train, std::ssize(order.updates) + ClassLimits{}.workers);
  ClassReplayer replayer(config, dataset, 1, false);
  std::map<std::int64_t, std::int64_t> uses;  // remaining uses of each version
  for (const std::vector<Part>& parts : order.updates)
    for (const Part& part : parts)
      if (part.used) ++uses[part.version];
  ReplayedClass replayed;
  for (const std::vector<Part>& parts : order.updates) {
    if (uses.contains(replayer.version())) replayer.keep();
    batches.add(parts);
    const std::vector<ComputedPart> computed = replayer.computeAll(parts, batches);
    (void)replayer.apply(parts, computed);
    double lossSum = 0;
    std::int64_t examples = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      batches.forget(parts[i].closure);
      if (!parts[i].used) continue;
      lossSum += computed[i].result.lossSum;
      examples += parts[i].examples;
      if (--uses[parts[i].version] == 0) replayer.forget(parts[i].version);
    }
    replayed.losses.push_back(lossSum / static_cast<double>(examples));
  }
  replayed.variables = *replayer.variables();
  return replayed;
}

}  // namespace lab::serving
