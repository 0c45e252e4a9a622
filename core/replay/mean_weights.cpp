// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/replay/mean_weights.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>

#include "core/config/run_info.h"
#include "core/strategy/strategy.h"
#include "core/trace/metric.h"
#include "core/trace/step_record.h"

namespace lab {
namespace {

using Counts = std::vector<std::int64_t>;

// Returns how much each copy counts: all alike, or by the images since all were equal.
std::optional<Counts> countsOf(const RunInfo& info, const StepRecord& record, std::span<const StepMetric> steps) {
  const auto copies = static_cast<std::size_t>(info.replicas);
  const StrategyInfo& strategy = strategyInfo(info.config.strategy);
  if (strategy.round(info.config) <= 1) return Counts(copies, 1);
  const std::int64_t last = record.metric.step;
  std::int64_t average = last;
  while (!strategy.copiesAgree(info.config, average)) --average;
  // A branch may have begun with another round.
  for (const RunBranch& branch : info.lineage)
    if (branch.step > average + 1 && branch.step <= last) return std::nullopt;
  Counts counts(copies, 0);
  std::int64_t found = 0;
  for (const StepMetric& step : steps) {
    if (step.step <= average || step.step > last || step.shards.size() != copies) continue;
    ++found;
    for (std::size_t r = 0; r < copies; ++r) counts[r] += step.shards[r];
  }
  if (found != last - average || std::ranges::count(counts, 0) == std::ssize(counts)) return std::nullopt;
  return counts;
}

// Returns a replica's copy after the step; null if the record does not have it.
const std::vector<float>* copyAfter(const StepRecord& record, std::size_t replica) {
  const ReplicaStep& own = record.replicas[replica];
  if (replica == 0) return &record.weightsAfter;
  if (own.weightsDigest == 0) return nullptr;
  if (own.weightsDigest == record.replicas.front().weightsDigest) return &record.weightsAfter;
  const std::vector<float>& kept = record.averagesWeights() ? own.weightsAfter : own.ownWeights;
  return kept.size() == record.weightsAfter.size() ? &kept : nullptr;
}

}  // namespace

bool copiesMayDiffer(const RunInfo& info, const StepRecord& record) {
  const StrategyInfo& strategy = strategyInfo(info.config.strategy);
  return info.replicas > 1 && !record.metric.worker && !strategy.copiesAgree(info.config, record.metric.step);
}

std::optional<std::vector<float>> meanWeights(const RunInfo& info, const StepRecord& record,
                                              std::span<const StepMetric> steps) {
  const std::optional<Counts> counts = countsOf(info, record, steps);
  if (!counts || record.replicas.size() != counts->size()) return std::nullopt;
  const auto all = static_cast<double>(std::accumulate(counts->begin(), counts->end(), std::int64_t{0}));
  std::vector<double> sum(record.weightsAfter.size(), 0);
  for (std::size_t r = 0; r < counts->size(); ++r) {
    const std::vector<float>* copy = copyAfter(record, r);
    if (copy == nullptr) return std::nullopt;
    const double share = static_cast<double>((*counts)[r]) / all;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += share * static_cast<double>((*copy)[i]);
  }
  std::vector<float> mean(sum.size());
  std::ranges::transform(sum, mean.begin(), [](double value) { return static_cast<float>(value); });
  return mean;
}

}  // namespace lab
