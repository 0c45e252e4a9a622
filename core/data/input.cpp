// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/input.h"

#include <algorithm>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/data/full_batch.h"
#include "core/data/messages.h"

namespace lab {
namespace {

using Ranges = std::vector<ShuffledRange::Range>;

// The top byte separates shuffling's random streams from other uses of a seed.
Rng shuffleRng(std::uint64_t seed, int worker, std::int64_t epoch) {
  return Rng(seed, (std::uint64_t{0x53} << 56) ^ (static_cast<std::uint64_t>(worker) << 36) ^
                       static_cast<std::uint64_t>(epoch));
}

// Returns files host, host + hosts, … of `files` equal contiguous parts; the first (examples mod files) are one longer.
Ranges rangesOfHost(std::int64_t examples, int files, int hosts, int host) {
  const std::int64_t size = examples / files, longer = examples % files;
  Ranges ranges;
  for (std::int64_t file = host; file < std::min<std::int64_t>(files, examples); file += hosts) {
    const std::int64_t begin = file * size + std::min(file, longer);
    ranges.push_back({begin, begin + size + (file < longer ? 1 : 0)});
  }
  return ranges;
}

std::int64_t total(const Ranges& ranges) {
  std::int64_t count = 0;
  for (const ShuffledRange::Range& range : ranges) count += range.end - range.begin;
  return count;
}

// What one host reads: its examples, in order before shuffling, and the sizes into which it cuts them, cyclically.
// Under the legacy rule, all hosts share one such pipeline, which is cut into global batches.
struct Pipeline {
  Ranges ranges;
  std::vector<std::int64_t> sizes;
};

std::vector<Pipeline> makePipelines(std::int64_t examples, const SplitSettings& split, const ResolvedSplit& resolved) {
  if (resolved.rule == SplitRule::Legacy) return {{{{0, examples}}, {split.globalBatch}}};
  std::vector<Pipeline> pipelines;
  for (int host = 0; host < split.hosts; ++host)
    pipelines.push_back({resolved.policy == AutoShard::File ? rangesOfHost(examples, split.files, split.hosts, host)
                                                            : Ranges{{0, examples}},
                         v2BatchSizes(split.globalBatch, split.replicas, split.hosts, host)});
  return pipelines;
}

// Counts the steps until every pipeline is at its end, with `perStep` sub-batches of each per step, not counting rounds
// without data. All lists have the same length and sum, so whole cycles are counted at once until a pipeline runs out.
std::int64_t countSteps(const std::vector<Pipeline>& pipelines, std::size_t perStep, std::int64_t sumOfSizes) {
  const std::size_t phases = pipelines[0].sizes.size() / perStep;
  struct Remaining {
    std::int64_t examples;
    std::vector<std::int64_t> taken;  // per phase of the cycle
  };
  std::vector<Remaining> live;
  for (const Pipeline& pipeline : pipelines) {
    Remaining remaining{total(pipeline.ranges), std::vector<std::int64_t>(phases)};
    for (std::size_t i = 0; i < pipeline.sizes.size(); ++i) remaining.taken[i / perStep] += pipeline.sizes[i];
    if (remaining.examples > 0) live.push_back(std::move(remaining));
  }
  std::int64_t steps = 0;
  while (!live.empty()) {
    std::int64_t wholeCycles = live[0].examples / sumOfSizes;
    for (const Remaining& each : live) wholeCycles = std::min(wholeCycles, each.examples / sumOfSizes);
    for (Remaining& each : live) each.examples -= wholeCycles * sumOfSizes;
    for (std::size_t phase = 0; phase < phases; ++phase) {
      bool inWholeCycles = false, now = false;
      for (Remaining& each : live) {
        inWholeCycles = inWholeCycles || each.taken[phase] > 0;
        const std::int64_t taken = std::min(each.taken[phase], each.examples);
        now = now || taken > 0;
        each.examples -= taken;
      }
      steps += (inWholeCycles ? wholeCycles : 0) + (now ? 1 : 0);
    }
    std::erase_if(live, [](const Remaining& each) { return each.examples == 0; });
  }
  return steps;
}

void take(IndexStream& stream, std::int64_t count, std::vector<std::int64_t>& indices) {
  std::int64_t index = 0;
  for (std::int64_t i = 0; i < count && stream.next(index); ++i) indices.push_back(index);
}

void checkPosition(const InputPosition& position, std::int64_t stepsPerEpoch) {
  if (position.epoch < 0 || position.stepInEpoch < 0 || position.stepInEpoch > stepsPerEpoch)
    throw UserError(say::noStepInInput, position.stepInEpoch, position.epoch, stepsPerEpoch);
}

void checkStream(std::int64_t examples, std::int64_t shuffleBuffer) {
  if (examples < 1) throw UserError(say::noTrainingExamples);
  if (shuffleBuffer < 0) throw UserError(say::badShuffleBuffer, shuffleBuffer);
}

}  // namespace

ShuffledRange::ShuffledRange(std::vector<Range> ranges, std::int64_t buffer, Rng rng)
    : ranges_(std::move(ranges)), rng_(rng) {
  for (const Range& range : ranges_) LAB_CHECK(range.begin <= range.end);
  if (!ranges_.empty()) at_ = ranges_[0].begin;
  // A buffer larger than the data holds all of the data.
  capacity_ = std::min(buffer, total(ranges_));
}

bool ShuffledRange::nextInOrder(std::int64_t& index) {
  while (rangeAt_ < ranges_.size() && at_ == ranges_[rangeAt_].end)
    if (++rangeAt_ < ranges_.size()) at_ = ranges_[rangeAt_].begin;
  if (rangeAt_ == ranges_.size()) return false;
  index = at_++;
  return true;
}

bool ShuffledRange::next(std::int64_t& index) {
  if (capacity_ <= 1) return nextInOrder(index);
  if (!filled_) {
    buffer_.resize(static_cast<std::size_t>(capacity_));
    for (std::int64_t& slot : buffer_) LAB_CHECK(nextInOrder(slot));
    filled_ = true;
  }
  if (buffer_.empty()) return false;
  std::int64_t& slot = at(buffer_, rng_.below(buffer_.size()));
  index = slot;
  if (!nextInOrder(slot)) {
    slot = buffer_.back();
    buffer_.pop_back();
  }
  return true;
}

struct Input::State {
  std::int64_t examples;
  SplitSettings split;
  std::int64_t shuffleBuffer;
  std::uint64_t seed;
  ResolvedSplit resolved;
  std::vector<Pipeline> pipelines;
  std::int64_t stepsPerEpoch = 0;
  InputPosition position;

  std::vector<ShuffledRange> streams;  // one per pipeline
  std::size_t sizeAt = 0;              // index into every pipeline's list of sizes

  std::size_t hosts() const { return static_cast<std::size_t>(split.hosts); }
  std::size_t replicasPerHost() const { return static_cast<std::size_t>(split.replicas / split.hosts); }

  void beginEpoch(std::int64_t epoch) {
    position = {epoch, 0};
    sizeAt = 0;
    streams.clear();
    for (const Pipeline& pipeline : pipelines)
      streams.emplace_back(pipeline.ranges, shuffleBuffer, shuffleRng(seed, 0, epoch));
  }

  // Cuts the global batch by the number of examples that it really holds.
  void distributeLegacy(DistributedBatch& distributed) {
    std::vector<std::int64_t> batch;
    take(streams[0], split.globalBatch, batch);
    const std::vector<std::int64_t> sizes = legacyBatchSizes(static_cast<std::int64_t>(batch.size()), split.replicas);
    auto begin = batch.begin();
    for (std::size_t part = 0; part < sizes.size(); ++part) {
      distributed.shards[replicaOfPart(part, sizes.size(), hosts())].assign(begin, begin + sizes[part]);
      begin += sizes[part];
    }
  }

  void distributeV2(DistributedBatch& distributed) {
    for (std::size_t host = 0; host < pipelines.size(); ++host)
      for (std::size_t i = 0; i < replicasPerHost(); ++i)
        take(streams[host], pipelines[host].sizes[sizeAt + i], distributed.shards[host * replicasPerHost() + i]);
    sizeAt = (sizeAt + replicasPerHost()) % pipelines[0].sizes.size();
  }

  DistributedBatch next() {
    if (position.stepInEpoch == stepsPerEpoch) beginEpoch(position.epoch + 1);
    DistributedBatch distributed;
    distributed.shards.resize(static_cast<std::size_t>(split.replicas));
    // Terminates: every list contains examples within one cycle, and the epoch is not at its end.
    for (int round = 0; distributed.examples() == 0; ++round) {
      LAB_CHECK(round <= split.hosts);
      resolved.rule == SplitRule::Legacy ? distributeLegacy(distributed) : distributeV2(distributed);
    }
    ++position.stepInEpoch;
    return distributed;
  }
};

std::vector<std::int64_t> fullShards(const SplitSettings& split) {
  std::vector<std::int64_t> shards;
  if (resolveSplit(split).rule == SplitRule::V2) {
    for (int host = 0; host < split.hosts; ++host) {
      const std::vector<std::int64_t> sizes = v2BatchSizes(split.globalBatch, split.replicas, split.hosts, host);
      shards.insert(shards.end(), sizes.begin(), sizes.begin() + split.replicas / split.hosts);
    }
    return shards;
  }
  const std::vector<std::int64_t> parts = legacyBatchSizes(split.globalBatch, split.replicas);
  shards.resize(parts.size());
  const auto hosts = static_cast<std::size_t>(split.hosts);
  for (std::size_t part = 0; part < parts.size(); ++part)
    shards[replicaOfPart(part, parts.size(), hosts)] = parts[part];
  return shards;
}

Input::Input(std::int64_t examples, const SplitSettings& split, std::int64_t shuffleBuffer, std::uint64_t seed) {
  checkStream(examples, shuffleBuffer);
  const ResolvedSplit resolved = resolveSplit(split);
  state_ = std::make_unique<State>(
      State{examples, split, shuffleBuffer, seed, resolved, makePipelines(examples, split, resolved), 0, {}, {}, 0});
  const std::size_t perStep = resolved.rule == SplitRule::Legacy ? 1 : state_->replicasPerHost();
  state_->stepsPerEpoch = countSteps(state_->pipelines, perStep, split.globalBatch);
  state_->beginEpoch(0);
}

Input::~Input() = default;

DistributedBatch Input::next() {
  return state_->next();
}

std::int64_t Input::stepsPerEpoch() const {
  return state_->stepsPerEpoch;
}

std::int64_t Input::examplesPerEpoch() const {
  return state_->examples * (state_->resolved.policy == AutoShard::Off ? state_->split.hosts : 1);
}

InputPosition Input::position() const {
  return state_->position;
}

void Input::seek(const InputPosition& position) {
  checkPosition(position, state_->stepsPerEpoch);
  state_->beginEpoch(position.epoch);
  while (state_->position.stepInEpoch < position.stepInEpoch) state_->next();
}

ResolvedSplit Input::resolved() const {
  return state_->resolved;
}

WorkerInput::WorkerInput(std::int64_t examples, std::int64_t batch, int worker, std::int64_t shuffleBuffer,
                         std::uint64_t seed)
    : examples_(examples), batch_(batch), shuffleBuffer_(shuffleBuffer), worker_(worker), seed_(seed) {
  LAB_CHECK(worker >= 0);
  checkStream(examples, shuffleBuffer);
  if (batch < 1) throw UserError(say::badWorkerBatch, batch);
  beginEpoch();
}

void WorkerInput::beginEpoch() {
  position_.stepInEpoch = 0;
  stream_ = std::make_unique<ShuffledRange>(Ranges{{0, examples_}}, shuffleBuffer_,
                                            shuffleRng(seed_, worker_, position_.epoch));
}

std::vector<std::int64_t> WorkerInput::next() {
  std::vector<std::int64_t> indices;
  take(*stream_, batch_, indices);
  if (indices.empty()) {
    ++position_.epoch;
    beginEpoch();
    take(*stream_, batch_, indices);
  }
  ++position_.stepInEpoch;
  return indices;
}

InputPosition WorkerInput::position() const {
  return position_;
}

void WorkerInput::seek(const InputPosition& position) {
  checkPosition(position, examples_ / batch_ + (examples_ % batch_ != 0 ? 1 : 0));
  position_.epoch = position.epoch;
  beginEpoch();
  while (position_.stepInEpoch < position.stepInEpoch) next();
}

}  // namespace lab
