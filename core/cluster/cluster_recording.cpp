// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/cluster_recording.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <utility>

#include "core/base/at.h"
#include "core/base/bit_digest.h"
#include "core/base/error.h"
#include "core/cluster/cluster.h"

namespace lab {
namespace {

std::vector<float> copyOf(const AlignedBuffer<float>& buffer) {
  return {buffer.span().begin(), buffer.span().end()};
}

// Returns infinity if one value of a pair is not finite and their bits differ.
double largestDifference(std::span<const float> a, std::span<const float> b) {
  if (std::memcmp(a.data(), b.data(), a.size_bytes()) == 0) return 0;
  // The bits of non-negative floats are ordered like the floats, and the maximum of integers can be vectorized.
  std::int32_t largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, std::bit_cast<std::int32_t>(std::abs(a[i] - b[i])));
  if (const float difference = std::bit_cast<float>(largest); std::isfinite(difference)) return difference;
  // A pair of equal infinities or equal NaNs makes no difference.
  float finite = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::bit_cast<std::int32_t>(a[i]) == std::bit_cast<std::int32_t>(b[i])) continue;
    const float difference = std::abs(a[i] - b[i]);
    if (!std::isfinite(difference)) return std::numeric_limits<double>::infinity();
    finite = std::max(finite, difference);
  }
  return finite;
}

MemoryBreakdown breakdownOf(const Variables& variables, std::int64_t activations) {
  // Buffers of variables in parts are whole only because somebody looks.
  const Shard& shard = variables.shard;
  const bool shares = shard.what != Sharding::None;
  MemoryBreakdown breakdown{
      .variables = shard.isOf(Sharding::Weights) ? shard.weights.bytes() : variables.weights.bytes(),
      .gradients = shard.isOf(Sharding::Gradients) ? shard.gradients.bytes() : variables.gradients.bytes(),
      .activations = activations};
  for (const AlignedBuffer<float>& slot : shares ? shard.slotValues : variables.slotValues)
    breakdown.optimizer += slot.bytes();
  return breakdown;
}

// Write a replica's part of a record as bytes, and read it back.
struct BytesOut {
  std::vector<std::byte>& to;
  template <typename T>
  void value(const T& each) {
    const auto* first = reinterpret_cast<const std::byte*>(&each);
    to.insert(to.end(), first, first + sizeof each);
  }
  template <typename T>
  void list(const std::vector<T>& values) {
    value(std::uint64_t{values.size()});
    const auto* first = reinterpret_cast<const std::byte*>(values.data());
    to.insert(to.end(), first, first + values.size() * sizeof(T));
  }
};

struct BytesIn {
  std::span<const std::byte> from;
  void take(void* to, std::size_t count) {
    LAB_CHECK(count <= from.size());
    if (count > 0) std::memcpy(to, from.data(), count);
    from = from.subspan(count);
  }
  template <typename T>
  void value(T& each) {
    take(&each, sizeof each);
  }
  template <typename T>
  void list(std::vector<T>& values) {
    std::uint64_t count = 0;
    value(count);
    LAB_CHECK(count <= from.size() / sizeof(T));
    values.resize(count);
    take(values.data(), count * sizeof(T));
  }
};

template <typename Bytes>
void eachPart(ReplicaStep& step, MemoryBreakdown& memory, Bytes& bytes) {
  bytes.list(step.shard);
  bytes.list(step.losses);
  bytes.list(step.predictions);
  bytes.list(step.gradients);
  bytes.list(step.ownWeights);
  bytes.list(step.statistics);
  bytes.value(step.weightsDigest);
  bytes.value(step.weightsDistance);
  bytes.value(step.version);
  bytes.value(memory);
}

}  // namespace

ClusterRecording::ClusterRecording(Cluster& cluster) : cluster_(cluster), record_(std::make_shared<StepRecord>()) {
  record_->replicas.resize(static_cast<std::size_t>(cluster.replicas()));
  record_->weightsBefore = primaryWeights();
}

std::vector<float> ClusterRecording::primaryWeights() const {
  if (cluster_.parameterDevices() == 0)
    return cluster_.replica(0).isHere() ? copyOf(cluster_.replica(0).variables.weights)
                                        : std::vector<float>(static_cast<std::size_t>(cluster_.layout().size()));
  std::vector<float> whole(static_cast<std::size_t>(cluster_.layout().size()));
  for (int i = 0; i < cluster_.parameterDevices(); ++i) cluster_.parameterDevice(i).copyWeightsTo(whole.data());
  return whole;
}

void ClusterRecording::keepOwn(ReduceTarget what) {
  if (what == ReduceTarget::Gradients && std::exchange(ownGradientsKept_, true)) return;
  cluster_.pool().forEach(cluster_.replicas(), [this, what](std::int64_t r) {
    const Replica& replica = cluster_.replica(static_cast<int>(r));
    if (!replica.isHere()) return;
    ReplicaStep& step = at(record_->replicas, r);
    if (what == ReduceTarget::Weights)
      step.ownWeights = copyOf(replica.variables.weights);
    else if (replica.hasComputed())
      step.gradients = copyOf(replica.variables.gradients);
  });
}

void ClusterRecording::describe(int index) {
  const Replica& replica = cluster_.replica(index);
  if (!replica.isHere()) return;
  ReplicaStep& step = at(record_->replicas, index);
  step.statistics = copyOf(replica.variables.statistics);
  if (!replica.hasComputed()) return;
  step.shard = replica.shard();
  const auto examples = static_cast<std::int64_t>(step.shard.size());
  const Activations& activations = replica.activations;
  step.losses.assign(activations.losses.data(), activations.losses.data() + examples);
  step.predictions.assign(activations.predictions.data(), activations.predictions.data() + examples);
  // If no replica has all weights, all parts together are recorded.
  const bool inParts = replica.variables.shard.isOf(Sharding::Weights);
  const std::span<const float> weights =
      inParts ? std::span<const float>(record_->weightsAfter) : replica.variables.weights.span();
  step.weightsDigest = bitDigest(weights);
  step.weightsDistance = largestDifference(weights, record_->weightsAfter);
  step.version = replica.version;
}

std::shared_ptr<StepRecord> ClusterRecording::finish(std::optional<int> worker, std::int64_t beginNs,
                                                     std::int64_t endNs, std::vector<Span> spans) {
  keepOwn(ReduceTarget::Gradients);
  StepRecord& record = *record_;
  record.beginNs = beginNs;
  record.endNs = endNs;
  record.spans = std::move(spans);
  record.weightsAfter = primaryWeights();
  cluster_.group().shareFromFirst(record.weightsAfter);
  record.statistics = cluster_.movingStatistics().values();
  if (worker)
    record.gradients = at(record.replicas, *worker).gradients;
  else if (cluster_.parameterDevices() > 0)
    record.gradients = copyOf(cluster_.parameterDevice(0).variables.gradients);
  else if (cluster_.replica(0).isHere())
    record.gradients = copyOf(cluster_.replica(0).variables.gradients);
  cluster_.pool().forEach(cluster_.replicas(), [this](std::int64_t r) { describe(static_cast<int>(r)); });
  if (worker)
    keepStale();
  else
    keepBroken();

  describeMemory();
  gatherReplicas();
  return std::move(record_);
}

// A worker that is behind has weights that are nowhere else in the record; so does a worker that read some servers
// before an update and others after it.
void ClusterRecording::keepStale() {
  const auto sameBits = [](std::span<const float> a, const std::vector<float>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
  };
  cluster_.pool().forEach(cluster_.replicas(), [&](std::int64_t r) {
    const Replica& replica = cluster_.replica(static_cast<int>(r));
    if (!replica.isHere() || !replica.hasComputed()) return;
    const std::span<const float> weights = replica.variables.weights.span();
    if (!sameBits(weights, record_->weightsBefore) && !sameBits(weights, record_->weightsAfter))
      at(record_->replicas, r).ownWeights = copyOf(replica.variables.weights);
  });
}

// Keeps copies that should be equal and are not, or that differ although weights have been averaged.
void ClusterRecording::keepBroken() {
  const std::vector<ReplicaStep>& steps = record_->replicas;
  if (cluster_.parameterDevices() > 0 || !cluster_.replica(0).isHere()) return;
  for (int r = 1; r < cluster_.replicas(); ++r) {
    ReplicaStep& step = at(record_->replicas, r);
    if (cluster_.replica(r).isHere() && step.weightsDigest != 0 && step.weightsDigest != steps.front().weightsDigest)
      (record_->averagesWeights() ? step.weightsAfter : step.ownWeights) =
          copyOf(cluster_.replica(r).variables.weights);
  }
}

void ClusterRecording::describeMemory() {
  StepRecord& record = *record_;
  record.memory.resize(static_cast<std::size_t>(cluster_.topology().endpoints()));
  record.memoryOverStep = cluster_.memory().overStep();
  for (int r = 0; r < cluster_.replicas(); ++r) {
    if (!cluster_.replica(r).isHere()) continue;
    // The memory that this shard needs: the buffers themselves only ever grow, and evaluation uses them too.
    const auto examples = static_cast<std::int64_t>(cluster_.replica(r).shard().size());
    at(record.memory, r) = breakdownOf(cluster_.replica(r).variables, cluster_.group().activationBytes(examples));
  }
  for (int i = 0; i < cluster_.parameterDevices(); ++i)
    at(record.memory, cluster_.topology().parameterDevice(i)) = breakdownOf(cluster_.parameterDevice(i).variables, 0);
}

// If there are several processes, only the first one's record is complete.
void ClusterRecording::gatherReplicas() {
  bool allHere = true;  // in one process nothing travels: the gradients alone would be tens of megabytes
  for (int r = 0; r < cluster_.replicas(); ++r) allHere = allHere && cluster_.replica(r).isHere();
  if (allHere) return;
  std::vector<std::vector<std::byte>> bytes(record_->replicas.size());
  for (std::size_t r = 0; r < bytes.size(); ++r) {
    if (!cluster_.replica(static_cast<int>(r)).isHere()) continue;
    BytesOut out{bytes[r]};
    eachPart(record_->replicas[r], record_->memory[r], out);
  }
  cluster_.group().gatherToFirst(bytes);
  for (std::size_t r = 0; r < bytes.size(); ++r) {
    if (cluster_.replica(static_cast<int>(r)).isHere() || bytes[r].empty()) continue;
    BytesIn in{bytes[r]};
    eachPart(record_->replicas[r], record_->memory[r], in);
  }
}

}  // namespace lab
