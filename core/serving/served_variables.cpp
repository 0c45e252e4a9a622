// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving/served_variables.h"

#include <utility>

#include "core/base/error.h"
#include "core/strategy/placement.h"
#include "core/strategy/strategy.h"

namespace lab::serving {

ServedVariables::ServedVariables(const ResolvedSettings& config, std::shared_ptr<const NeuralNetwork> network,
                                 std::span<const float> weights, std::span<const float> statistics)
    : network_(std::move(network)) {
  LAB_CHECK(std::ssize(weights) == network_->layout().size());
  LAB_CHECK(std::ssize(statistics) == network_->statistics().size());
  const bool apart = strategyInfo(config.strategy).variables == StrategyInfo::VariablesOn::Servers;
  const int count = apart ? static_cast<int>(config.parameterServers) : 1;
  OptimizerSettings optimizer;
  optimizer.kind = config.optimizer;
  optimizer.momentum = config.momentum;
  // A modelled clock: nobody asks it, and it keeps no spans.
  for (int s = 0; s < count; ++s) servers_.emplace_back(DeviceClock(TimeSource::Modelled, s, 0), *backend_, optimizer);
  auto held = placeVariables(*network_, parsePartitioner(apart ? config.partitioner : "none"), count);
  for (std::size_t s = 0; s < servers_.size(); ++s) {
    servers_[s].create(std::move(held[s]), weights);
    servers_[s].takeStatisticsFrom(statistics.data());
  }
}

Snapshot ServedVariables::snapshot() {
  if (snapshot_) return snapshot_;
  const std::int64_t weights = network_->layout().size();
  auto values = std::make_shared<std::vector<float>>(static_cast<std::size_t>(weights + network_->statistics().size()));
  for (const ParameterDevice& server : servers_) {
    server.copyWeightsTo(values->data());
    server.copyStatisticsTo(values->data() + weights);
  }
  return snapshot_ = std::move(values);
}

void ServedVariables::apply(std::span<const float> pushed, double learningRate) {
  const std::int64_t weights = network_->layout().size();
  LAB_CHECK(std::ssize(pushed) == weights + network_->statistics().size());
  for (ParameterDevice& server : servers_) {
    server.takeGradientsFrom(pushed.data());
    server.takeStatisticsFrom(pushed.data() + weights);
    server.update(learningRate);
  }
  ++version_;
  snapshot_ = nullptr;
}

}  // namespace lab::serving
