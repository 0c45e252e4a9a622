// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving/served_variables.h"

#include <utility>

#include "core/base/error.h"

namespace lab::serving {

ServedVariables::ServedVariables(const ResolvedSettings& config, const NeuralNetwork& network,
                                 std::unique_ptr<ParameterServers> servers)
    : weights_(static_cast<std::size_t>(network.layout().size())),
      statistics_(static_cast<std::size_t>(network.statistics().size())),
      slots_(ParameterServer::slotsOf(config)),
      wire_(config.wire),
      servers_(std::move(servers)) {}

Snapshot ServedVariables::snapshot() {
  if (!snapshot_) snapshot_ = std::make_shared<const std::vector<float>>(servers_->read());
  return snapshot_;
}

Snapshot ServedVariables::pulled() {
  if (wire_ == Wire::Float32) return snapshot();
  if (pulled_) return pulled_;
  auto values = std::make_shared<std::vector<float>>(*snapshot());
  backend_->roundToBfloat16(static_cast<std::int64_t>(weights_), values->data(), values->data());
  return pulled_ = std::move(values);
}

std::vector<std::vector<float>> ServedVariables::optimizer() {
  std::vector<std::vector<float>> all(slots_, std::vector<float>(weights_));
  servers_->readOptimizer(std::vector<std::span<float>>(all.begin(), all.end()));
  return all;
}

void ServedVariables::restore(std::int64_t version, const Snapshot& variables,
                              const std::vector<std::vector<float>>& optimizer) {
  LAB_CHECK(variables->size() == weights_ + statistics_ && optimizer.size() == slots_);
  servers_->restore(version, *variables, std::vector<std::span<const float>>(optimizer.begin(), optimizer.end()));
  version_ = version;
  snapshot_ = variables;
  pulled_ = nullptr;
}

void ServedVariables::apply(std::span<const float> pushed, double learningRate) {
  LAB_CHECK(pushed.size() == weights_ + statistics_);
  servers_->apply(pushed, learningRate);
  ++version_;
  snapshot_ = pulled_ = nullptr;
}

}  // namespace lab::serving
