// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/evaluation.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/data/input.h"

namespace lab {

EvalMetric evaluateOn(const Examples& test, const SplitSettings& split, Cluster& cluster, Strategy& strategy) {
  // A share is cut into pieces, so that a large batch needs no more memory than training did.
  constexpr std::int64_t kPiece = 256;
  const auto count = static_cast<std::size_t>(test.count);
  std::vector<float> losses(count, 0);
  std::vector<std::uint8_t> right(count, 0);
  std::vector<std::uint8_t> seen(count, 0);
  std::vector<int> owners(count, 0);  // whose result that is

  std::vector<const float*> weights;
  for (int r = 0; r < cluster.replicas(); ++r) weights.push_back(strategy.weightsOf(cluster, r));

  // Replicas write results of their own: under AutoShard::Off two of them may hold the same example at once.
  struct Shard {
    std::vector<float> losses;
    std::vector<std::uint8_t> right;
  };
  std::vector<Shard> results(static_cast<std::size_t>(cluster.replicas()));
  Input input(test.count, split, 0, 0);
  const std::int64_t steps = input.stepsPerEpoch();
  for (std::int64_t step = 0; step < steps; ++step) {
    const DistributedBatch batch = input.next();
    cluster.pool().forEach(cluster.replicas(), [&](std::int64_t r) {
      const auto index = static_cast<std::size_t>(r);
      const std::span<const std::int64_t> shard = batch.shards[index];
      Shard& result = results[index];
      result.losses.resize(shard.size());
      result.right.resize(shard.size());
      for (std::size_t begin = 0; begin < shard.size(); begin += kPiece)
        cluster.replica(static_cast<int>(r))
            .evaluate(test, shard.subspan(begin, std::min<std::size_t>(kPiece, shard.size() - begin)), weights[index],
                      result.losses.data() + begin, result.right.data() + begin);
    });
    for (std::size_t r = 0; r < results.size(); ++r) {
      for (std::size_t i = 0; i < batch.shards[r].size(); ++i) {
        const auto example = static_cast<std::size_t>(batch.shards[r][i]);
        losses[example] = results[r].losses[i];
        right[example] = results[r].right[i];
        seen[example] = 1;
        owners[example] = static_cast<int>(r);
      }
    }
  }
  LAB_CHECK(std::ranges::all_of(seen, [](std::uint8_t s) { return s == 1; }));

  double lossSum = 0;
  std::int64_t correct = 0;
  EvalMetric metric;
  metric.shares.resize(results.size());
  for (std::size_t i = 0; i < count; ++i) {
    lossSum += static_cast<double>(losses[i]);
    correct += right[i];
    EvalShare& share = metric.shares[static_cast<std::size_t>(owners[i])];
    ++share.examples;
    share.correct += right[i];
  }
  metric.testLoss = lossSum / static_cast<double>(test.count);
  metric.testAccuracy = static_cast<double>(correct) / static_cast<double>(test.count);
  return metric;
}

}  // namespace lab
