// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving/parameter_servers.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/strategy/placement.h"
#include "core/strategy/strategy.h"
#include "core/training/build.h"

namespace lab::serving {
namespace {

bool areApart(const ResolvedSettings& config) {
  return strategyInfo(config.strategy).variables == StrategyInfo::VariablesOn::Servers;
}

OptimizerSettings optimizerOf(const ResolvedSettings& config) {
  OptimizerSettings optimizer;
  optimizer.kind = config.optimizer;
  optimizer.momentum = config.momentum;
  return optimizer;
}

class ServersHere final : public ParameterServers {
 public:
  ServersHere(const ResolvedSettings& config, const NeuralNetwork& network)
      : size_(static_cast<std::size_t>(network.layout().size() + network.statistics().size())) {
    for (int number = 0; number < ParameterServer::countOf(config); ++number)
      servers_.push_back(std::make_unique<ParameterServer>(config, network, number));
  }
  void apply(std::span<const float> pushed, double learningRate) override {
    for (const auto& server : servers_) server->apply(pushed, learningRate);
  }
  std::vector<float> read() override {
    std::vector<float> variables(size_);
    for (const auto& server : servers_) server->read(variables);
    return variables;
  }
  void readOptimizer(std::span<const std::span<float>> slots) override {
    for (const auto& server : servers_) server->readOptimizer(slots);
  }
  void restore(std::int64_t version, std::span<const float> variables,
               std::span<const std::span<const float>> slots) override {
    for (const auto& server : servers_) server->restore(version, variables, slots);
  }

 private:
  const std::size_t size_;
  std::vector<std::unique_ptr<ParameterServer>> servers_;
};

}  // namespace

int ParameterServer::countOf(const ResolvedSettings& config) {
  return areApart(config) ? static_cast<int>(config.parameterServers) : 1;
}

std::size_t ParameterServer::slotsOf(const ResolvedSettings& config) {
  return optimizerOf(config).slotNames().size();
}

// The clock is modelled, because nobody asks it and it keeps no spans.
ParameterServer::ParameterServer(const ResolvedSettings& config, const NeuralNetwork& network, int number)
    : weights_(static_cast<std::size_t>(network.layout().size())),
      device_(DeviceClock(TimeSource::Modelled, number, 0), *backend_, optimizerOf(config)) {
  const Partitioner partitioner = parsePartitioner(areApart(config) ? config.partitioner : "none");
  auto held = placeVariables(network, partitioner, countOf(config));
  device_.create(std::move(held.at(static_cast<std::size_t>(number))), initialWeights(config));
  device_.takeStatisticsFrom(initialStatistics(config).data());
}

void ParameterServer::apply(std::span<const float> pushed, double learningRate) {
  device_.takeGradientsFrom(pushed.data());
  device_.takeStatisticsFrom(pushed.data() + weights_);
  device_.update(learningRate);
}

void ParameterServer::read(std::span<float> variables) const {
  device_.copyWeightsTo(variables.data());
  device_.copyStatisticsTo(variables.data() + weights_);
}

void ParameterServer::readOptimizer(std::span<const std::span<float>> slots) const {
  for (std::size_t i = 0; i < slots.size(); ++i)
    for (const VariablePart& part : device_.parts())
      std::copy_n(device_.variables.slotValues[i].data() + part.localOffset, part.count, slots[i].data() + part.offset);
}

void ParameterServer::restore(std::int64_t version, std::span<const float> variables,
                              std::span<const std::span<const float>> slots) {
  LAB_CHECK(slots.size() == device_.variables.slotValues.size());
  device_.version = version;
  device_.takeStatisticsFrom(variables.data() + weights_);
  for (const VariablePart& part : device_.parts()) {
    std::copy_n(variables.data() + part.offset, part.count, device_.variables.weights.data() + part.localOffset);
    for (std::size_t i = 0; i < slots.size(); ++i)
      std::copy_n(slots[i].data() + part.offset, part.count, device_.variables.slotValues[i].data() + part.localOffset);
  }
}

std::unique_ptr<ParameterServers> makeServersHere(const ResolvedSettings& config, const NeuralNetwork& network) {
  return std::make_unique<ServersHere>(config, network);
}

}  // namespace lab::serving
