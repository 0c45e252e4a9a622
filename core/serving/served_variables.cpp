// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving/served_variables.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/strategy/placement.h"
#include "core/strategy/strategy.h"

namespace lab::serving {

ServedVariables::ServedVariables(const ResolvedSettings& config, std::shared_ptr<const NeuralNetwork> network,
                                 std::span<const float> weights, std::span<const float> statistics)
    : network_(std::move(network)), wire_(config.wire) {
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
  for (const ParameterDevice& server : servers_)
    for (const VariablePart& part : server.parts()) inOrder_.emplace_back(&server, part);
  std::ranges::sort(inOrder_, {}, [](const auto& each) { return each.second.offset; });
}

Snapshot ServedVariables::snapshot() {
  if (snapshot_) return snapshot_;
  const std::int64_t weights = network_->layout().size();
  auto values = std::make_shared<std::vector<float>>();
  const auto size = static_cast<std::size_t>(weights + network_->statistics().size());
  values->reserve(size);
  for (const auto& [server, part] : inOrder_) {
    const float* from = server->variables.weights.data() + part.localOffset;
    values->insert(values->end(), from, from + part.count);
  }
  values->resize(size);
  for (const ParameterDevice& server : servers_) server.copyStatisticsTo(values->data() + weights);
  return snapshot_ = std::move(values);
}

Snapshot ServedVariables::pulled() {
  if (wire_ == Wire::Float32) return snapshot();
  if (pulled_) return pulled_;
  auto values = std::make_shared<std::vector<float>>(*snapshot());
  backend_->roundToBfloat16(network_->layout().size(), values->data(), values->data());
  return pulled_ = std::move(values);
}

std::vector<std::vector<float>> ServedVariables::optimizer() const {
  std::vector<std::vector<float>> all(servers_.front().variables.slotValues.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].resize(static_cast<std::size_t>(network_->layout().size()));
    for (const ParameterDevice& server : servers_)
      for (const VariablePart& part : server.parts())
        std::copy_n(server.variables.slotValues[i].data() + part.localOffset, part.count, all[i].data() + part.offset);
  }
  return all;
}

void ServedVariables::restore(std::int64_t version, const Snapshot& variables,
                              const std::vector<std::vector<float>>& optimizer) {
  const std::int64_t weights = network_->layout().size();
  LAB_CHECK(std::ssize(*variables) == weights + network_->statistics().size());
  for (ParameterDevice& server : servers_) {
    LAB_CHECK(optimizer.size() == server.variables.slotValues.size());
    server.version = version;
    server.takeStatisticsFrom(variables->data() + weights);
    for (const VariablePart& part : server.parts()) {
      std::copy_n(variables->data() + part.offset, part.count, server.variables.weights.data() + part.localOffset);
      for (std::size_t i = 0; i < optimizer.size(); ++i)
        std::copy_n(optimizer[i].data() + part.offset, part.count,
                    server.variables.slotValues[i].data() + part.localOffset);
    }
  }
  version_ = version;
  snapshot_ = variables;
  pulled_ = nullptr;
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
  snapshot_ = pulled_ = nullptr;
}

}  // namespace lab::serving
