// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/evaluation.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/data/input.h"

namespace lab {
namespace {

// The result of a replica's share of one batch.
struct Result {
  std::vector<float> losses;
  std::vector<std::uint8_t> right;

  explicit Result(std::size_t examples) : losses(examples), right(examples) {}
  void appendTo(std::vector<std::byte>& bytes) const {
    const auto append = [&bytes](const auto& values) {
      const auto view = std::as_bytes(std::span(values));
      bytes.insert(bytes.end(), view.begin(), view.end());
    };
    append(losses);
    append(right);
  }
  std::size_t readFrom(const std::vector<std::byte>& bytes, std::size_t at) {
    const auto take = [&](auto& values) {
      const auto to = std::as_writable_bytes(std::span(values));
      LAB_CHECK(at + to.size() <= bytes.size());
      std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), to.size(), to.begin());
      at += to.size();
    };
    take(losses);
    take(right);
    return at;
  }
};

// Returns the metric of all examples, in their order; `owners` says which replica each result comes from.
EvalMetric metricOf(std::span<const float> losses, std::span<const std::uint8_t> right, std::span<const int> owners,
                    std::size_t replicas) {
  double lossSum = 0;
  std::int64_t correct = 0;
  EvalMetric metric;
  metric.shares.resize(replicas);
  for (std::size_t i = 0; i < losses.size(); ++i) {
    lossSum += static_cast<double>(losses[i]);
    correct += right[i];
    EvalShare& share = at(metric.shares, owners[i]);
    ++share.examples;
    share.correct += right[i];
  }
  metric.testLoss = lossSum / static_cast<double>(losses.size());
  metric.testAccuracy = static_cast<double>(correct) / static_cast<double>(losses.size());
  return metric;
}

// Returns the replicas that evaluate: the dead workers of a parameter server count nothing, and the others share all
// test examples.
std::vector<std::size_t> livingReplicas(const Cluster& cluster) {
  std::vector<std::size_t> living;
  for (int r = 0; r < cluster.replicas(); ++r)
    if (std::ranges::none_of(cluster.deadTasks(), [r](const DeadTask& dead) {
          return dead.task == RunFault::Task::Worker && dead.index == r;
        }))
      living.push_back(static_cast<std::size_t>(r));
  return living;
}

// Each of the living keeps the batch that it has beside the dead.
SplitSettings amongLiving(SplitSettings split, std::size_t living) {
  const auto replicas = static_cast<int>(living);
  if (replicas == split.replicas) return split;
  split.globalBatch = std::max<std::int64_t>(1, split.globalBatch / split.replicas) * replicas;
  split.replicas = replicas;
  return split;
}

// Returns a batch of the living with an empty shard for each dead replica.
DistributedBatch withDead(DistributedBatch batch, std::span<const std::size_t> living, std::size_t replicas) {
  if (living.size() == replicas) return batch;
  DistributedBatch whole;
  whole.shards.resize(replicas);
  for (std::size_t i = 0; i < living.size(); ++i) at(whole.shards, living[i]) = std::move(at(batch.shards, i));
  return whole;
}

}  // namespace

EvalMetric evaluateOn(const Examples& test, const SplitSettings& split, Cluster& cluster, Strategy& strategy) {
  // A share is cut into pieces, so that a large batch needs no more memory than training did.
  constexpr std::int64_t kPiece = 256;
  const auto count = static_cast<std::size_t>(test.count);
  std::vector<float> losses(count, 0);
  std::vector<std::uint8_t> right(count, 0);
  std::vector<std::uint8_t> seen(count, 0);
  std::vector<int> owners(count, 0);  // the replica that each result comes from

  std::vector<const float*> weights;
  for (int r = 0; r < cluster.replicas(); ++r) weights.push_back(strategy.weightsOf(cluster, r));

  std::vector<float> statistics = cluster.movingStatistics().values();
  cluster.group().shareFromFirst(statistics);
  cluster.group().evaluateWith(std::move(statistics));

  // Each replica writes to results of its own, because under AutoShard::Off two of them may have the same example at
  // once.
  std::vector<std::vector<std::byte>> results(static_cast<std::size_t>(cluster.replicas()));  // bytes of Result
  std::vector<DistributedBatch> batches;
  const std::vector<std::size_t> living = livingReplicas(cluster);
  Input input(test.count, amongLiving(split, living.size()), 0, 0);
  const std::int64_t steps = input.stepsPerEpoch();
  for (std::int64_t step = 0; step < steps; ++step) {
    const DistributedBatch& batch = batches.emplace_back(withDead(input.next(), living, results.size()));
    cluster.pool().forEach(cluster.replicas(), [&](std::int64_t r) {
      const auto index = static_cast<std::size_t>(r);
      const std::span<const std::int64_t> shard = batch.shards[index];
      Replica& replica = cluster.replica(static_cast<int>(r));
      if (!replica.isHere()) return;
      Result result(shard.size());
      for (std::size_t begin = 0; begin < shard.size(); begin += kPiece)
        replica.evaluate(test, shard.subspan(begin, std::min<std::size_t>(kPiece, shard.size() - begin)),
                         weights[index], result.losses.data() + begin, result.right.data() + begin);
      result.appendTo(results[index]);
    });
  }
  cluster.group().gatherToFirst(results);
  if (!cluster.replica(0).isHere()) return {};  // the first process has all results, and reports
  std::vector<std::size_t> read(results.size(), 0);
  for (const DistributedBatch& batch : batches)
    for (std::size_t r = 0; r < results.size(); ++r) {
      Result result(batch.shards[r].size());
      read[r] = result.readFrom(results[r], read[r]);
      for (std::size_t i = 0; i < batch.shards[r].size(); ++i) {
        const auto example = static_cast<std::size_t>(batch.shards[r][i]);
        losses[example] = result.losses[i];
        right[example] = result.right[i];
        seen[example] = 1;
        owners[example] = static_cast<int>(r);
      }
    }
  LAB_CHECK(std::ranges::all_of(seen, [](std::uint8_t s) { return s == 1; }));

  return metricOf(losses, right, owners, results.size());
}

}  // namespace lab
