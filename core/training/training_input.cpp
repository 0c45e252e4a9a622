// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/training_input.h"

#include <utility>

#include "core/base/at.h"
#include "core/base/ceil_divide.h"
#include "core/base/platform.h"
#include "core/options/derived_settings.h"

namespace lab {
namespace {

// Gathering an image takes about 0.4 µs, and waking a thread 10 to 20 µs.
constexpr std::int64_t kLeastExamplesToPrefetch = 64;

}  // namespace

bool TrainingInput::prefetches(const ResolvedSettings& config, const Cluster& cluster) {
  // Each worker's step has its own batch.
  const std::int64_t examples = config.examplesPerStep();
  return cluster.group().normalisesOnHost() && cluster.settings().threads > 1 && examples >= kLeastExamplesToPrefetch;
}

TrainingInput::TrainingInput(const ResolvedSettings& config, Cluster& cluster, const Examples& train, bool prefetching)
    : cluster_(cluster), train_(train) {
  const auto seed = static_cast<std::uint64_t>(config.seed);
  if (!strategyInfo(config.strategy).synchronous) {
    const std::int64_t batch = config.examplesPerStep();
    for (int w = 0; w < config.replicas; ++w) {
      workers_.emplace_back(train.count, batch, w, config.shuffleBuffer, seed);
      streams_.push_back({.first = w, .replicas = 1});
    }
    stepsPerEpoch_ = ceilDivide(train.count, batch);
    examplesPerEpoch_ = train.count;
  } else {
    global_ = std::make_unique<Input>(train.count, splitOf(config), config.shuffleBuffer, seed);
    streams_.push_back({.first = 0, .replicas = cluster.replicas()});
    stepsPerEpoch_ = global_->stepsPerEpoch();
    examplesPerEpoch_ = global_->examplesPerEpoch();
  }
  if (prefetching) thread_ = std::jthread([this](const std::stop_token& stop) { prefetch(stop); });
}

TrainingInput::~TrainingInput() {
  forget();
}

DistributedBatch TrainingInput::next() {
  return take(0);
}

std::vector<std::int64_t> TrainingInput::nextFor(int worker) {
  return std::move(take(static_cast<std::size_t>(worker)).shards.front());
}

DistributedBatch TrainingInput::distribute(std::size_t stream, InputPosition& after) {
  DistributedBatch batch;
  if (global_) {
    batch = global_->next();
    after = global_->position();
  } else {
    batch.shards.push_back(workers_[stream].next());
    after = workers_[stream].position();
  }
  return batch;
}

DistributedBatch TrainingInput::take(std::size_t index) {
  Stream& stream = streams_[index];
  if (!thread_.joinable()) return distribute(index, stream.position);
  std::unique_lock lock(mutex_);
  DistributedBatch distributed;
  if (stream.prefetching) {
    changed_.wait(lock, [&] { return stream.distributed; });
    stream.prefetching = stream.distributed = false;
    if (stream.failure) std::rethrow_exception(std::exchange(stream.failure, nullptr));
    distributed = std::move(stream.batch);
    stream.position = stream.after;
  } else {
    distributed = distribute(index, stream.position);
  }
  stream.prefetching = true;
  queue_.push_back(index);
  lock.unlock();
  changed_.notify_all();
  return distributed;
}

void TrainingInput::prefetch(const std::stop_token& stop) {
  lowerThreadPriority();
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [this] { return !queue_.empty(); })) {
    busy_ = true;
    const std::size_t stream = queue_.front();
    queue_.pop_front();
    make(lock, stream);
    busy_ = false;
    changed_.notify_all();
  }
}

// Announces the shards as soon as they are known; the batches follow while the step begins.
void TrainingInput::make(std::unique_lock<std::mutex>& lock, std::size_t index) {
  Stream& stream = streams_[index];
  DistributedBatch next, made;
  InputPosition after;
  std::exception_ptr failure;
  lock.unlock();
  try {
    next = distribute(index, after);
    made = next;
    for (int r = 0; r < stream.replicas; ++r)
      if (Replica& replica = cluster_.replica(stream.first + r); replica.isHere()) replica.prefetched().promise();
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  stream.batch = std::move(next);
  stream.after = after;
  stream.failure = failure;
  stream.distributed = true;
  changed_.notify_all();
  if (failure) return;
  lock.unlock();
  for (int r = 0; r < stream.replicas; ++r)
    if (Replica& replica = cluster_.replica(stream.first + r); replica.isHere())
      replica.prefetched().make(train_, std::move(at(made.shards, r)));
  lock.lock();
}

// Drops everything made ahead, and the thread rests.
void TrainingInput::forget() {
  if (!thread_.joinable()) return;
  for (int r = 0; r < cluster_.replicas(); ++r) cluster_.replica(r).prefetched().close();
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return queue_.empty() && !busy_; });
    for (Stream& stream : streams_) stream.prefetching = stream.distributed = false;
  }
  for (int r = 0; r < cluster_.replicas(); ++r) cluster_.replica(r).prefetched().open();
}

nlohmann::json TrainingInput::save() const {
  nlohmann::json positions = nlohmann::json::array();
  for (const Stream& stream : streams_) positions.push_back({stream.position.epoch, stream.position.stepInEpoch});
  return positions;
}

void TrainingInput::load(const nlohmann::json& positions) {
  forget();
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    const InputPosition position{positions.at(i).at(0).get<std::int64_t>(), positions.at(i).at(1).get<std::int64_t>()};
    if (global_)
      global_->seek(position);
    else
      workers_[i].seek(position);
    streams_[i].position = global_ ? global_->position() : workers_[i].position();
  }
}

}  // namespace lab
