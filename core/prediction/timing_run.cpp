// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prediction/timing_run.h"

#include <algorithm>
#include <utility>

#include "core/base/ceil_divide.h"
#include "core/base/error.h"
#include "core/model/model_presets.h"
#include "core/model/network_profile.h"
#include "core/model/optimizer.h"
#include "core/options/network_of.h"
#include "core/prediction/hardware.h"
#include "core/prediction/messages.h"
#include "core/strategy/placement.h"
#include "core/timing/device_program.h"

namespace lab {

bool goesOnOverHosts(const StrategyInfo& info) {
  return info.hosts == StrategyInfo::Hosts::One && info.variables == StrategyInfo::VariablesOn::Replicas &&
         !info.singleReplica;
}

std::int64_t fullHosts(std::int64_t devices, std::int64_t most) {
  if (most <= 0) return 1;
  std::int64_t hosts = ceilDivide(devices, most);
  while (devices % hosts != 0) ++hosts;
  return hosts;
}

namespace {

constexpr std::int64_t kUsualDevicesPerHost = 8;  // for strategies of several machines

// Returns the reducer that a strategy uses by default, like reducerInForce() in training.
Reducer methodOf(const RunSettings& config, const StrategyInfo& info, bool processors) {
  if (config.reducer != Reducer::Auto) {
    if (std::ranges::find(info.reducers, config.reducer) == info.reducers.end())
      throw UserError(say::reducerNotUsable, Option{"reducer"}, toString(config.reducer), Words{info.name});
  }
  if (info.costedAs) return *info.costedAs;
  if (config.reducer != Reducer::Auto) return config.reducer;
  return processors ? info.reducer : info.gpuReducer.value_or(info.reducer);
}

// Sets how much each server holds. The trained network's variables are placed as the strategy places them; for other
// networks only the sizes are known.
void placeServers(const RunSettings& config, const TimingOptions& options, StepRequest& request) {
  request.servers = static_cast<int>(serversOf(config));
  request.serversApart = strategyInfo(config.strategy).variables == StrategyInfo::VariablesOn::Servers;
  if (!request.serversApart) return;
  request.wire = config.wire;
  const Partitioner partitioner = parsePartitioner(config.partitioner);
  if (const auto network = networkOf(config); options.model == network->key()) {
    for (const HeldVariables& held : placeVariables(*network, partitioner, request.servers))
      request.held.push_back({elementsOf(held.trained), elementsOf(held.moving)});
  } else if (partitioner.kind != Partitioner::Kind::None) {
    request.placement = StepRequest::Placement::Sliced;
  }
}

// The trained network is timed by its own layers; other networks are presets.
ModelProfile profileFor(const RunSettings& config, const TimingOptions& options) {
  const auto network = networkOf(config);
  return options.model == network->key() ? profileOf(*network) : modelPreset(options.model);
}

std::int64_t hostsOf(const RunSettings& config, const StrategyInfo& info, std::int64_t replicas,
                     const TimingOptions& options, const LinkModel& link) {
  if (info.hosts == StrategyInfo::Hosts::EachWorker) return replicas;
  if (config.hosts) return *config.hosts;
  if (info.hosts == StrategyInfo::Hosts::One) {
    if (!options.goesOnOverHosts || !goesOnOverHosts(info)) return 1;
    if (!options.devicesPerHost) return fullHosts(replicas, link.largestDomain);
  }
  const std::int64_t perHost = options.devicesPerHost.value_or(kUsualDevicesPerHost);
  if (replicas <= perHost) {
    if (options.devicesPerHost) return 1;
    // As a training run spreads them by default.
    const std::int64_t usual = std::min(info.defaultHosts, replicas);
    return replicas % usual == 0 ? usual : 1;
  }
  if (replicas % perHost != 0) throw UserError(say::replicasDoNotFillHosts, Count{replicas}, Count{perHost});
  return replicas / perHost;
}

// Returns the distinct device models of the first replicas.
std::vector<const DeviceModel*> modelsOf(const Network& network, int replicas) {
  std::vector<const DeviceModel*> models;
  for (int replica = 0; replica < replicas; ++replica) {
    const DeviceModel* device = &network.device(replica);
    if (std::ranges::find(models, device) == models.end()) models.push_back(device);
  }
  return models;
}

// Returns one note for each device model that has replicas.
std::vector<Message> float32Notes(const Network& network, const StepRequest& request) {
  std::vector<Message> all;
  for (const DeviceModel* device : modelsOf(network, request.replicas))
    if (Message why = whyFloat32(*device, request.precision); !why.empty()) all.push_back(std::move(why));
  return all;
}

ClusterSpec clusterOf(const RunSettings& config, const TimingOptions& options, const StrategyInfo& info,
                      std::int64_t replicas, const Catalogue& catalogue) {
  if (options.cluster) return *options.cluster;
  const auto orDefault = [](const std::string& given, const std::string& usual) {
    return given.empty() ? usual : given;
  };
  const std::string device = orDefault(config.deviceModel, info.defaultDeviceModel);
  const std::string link = config.link.empty() ? catalogue.linkOf(device, info.defaultLink) : config.link;
  ClusterSpec cluster = uniformCluster(replicas, hostsOf(config, info, replicas, options, catalogue.link(link)), device,
                                       link, orDefault(config.hostLink, info.defaultHostLink), options.nics);
  cluster.transport = options.transport;
  return cluster;
}

// Takes what the strategy's row says about its step.
void takeStrategy(const RunSettings& config, const StrategyInfo& info, StepRequest& request) {
  for (std::int64_t step = 1; step <= info.round(config); ++step) request.round.push_back(info.exchange(config, step));
  if (request.round.empty()) request = withExchange(std::move(request), exchangeAfter(config, 1));
  request.shardStage = info.shardStage(config);
  if (info.besideSlots) request.keptBytesPerParameter = 4.0 * static_cast<double>(info.besideSlots(config).size());
  // A scaling curve begins with fewer replicas than the strategy leaves out.
  if (!info.goesWithout.empty())
    request.waitsFor = static_cast<int>(std::max<std::int64_t>(1, info.waitsFor(config, request.replicas)));
  if (info.turns) request.turns = info.turns(config);
  if (info.timing) info.timing(config, request);
}

}  // namespace

TimingRun::TimingRun(const RunSettings& config, const TimingOptions& options, const Catalogue& catalogue,
                     const TimingConstants& constants) {
  const StrategyInfo& info = strategyInfo(config.strategy);
  const std::int64_t replicas =
      options.cluster && !config.replicas ? options.cluster->devices() : info.replicasOf(config);
  if (info.singleReplica && replicas != 1)
    throw UserError(say::replicasForOne, Option{"replicas"}, replicas, Words{info.name});
  const ClusterSpec cluster = clusterOf(config, options, info, replicas, catalogue);
  const auto made = std::make_shared<StepModel>(
      StepModel{constants, Network(cluster, catalogue, constants), profileFor(config, options), {}});
  const Network& network = made->network;
  StepRequest& request = made->request;
  if (replicas > network.devices())
    throw UserError(say::replicasBeyondCluster, Option{"replicas"}, replicas, Count{network.devices()});
  request.replicas = static_cast<int>(replicas);
  request.method = request.sums = methodOf(config, info, network.device(0).isProcessor());
  const bool mayGoOn = options.goesOnOverHosts && goesOnOverHosts(info);
  if (network.hostOf(request.replicas - 1) > 0 && info.hosts == StrategyInfo::Hosts::One && !mayGoOn)
    throw UserError(say::runsOnOneHost, Words{info.name}, Count{replicas}, Count{network.hostsOf(request.replicas)});
  request.precision = options.precision != Precision::Auto ? options.precision
                      : config.matmul != Precision::Auto   ? config.matmul
                                                           : info.matmul;
  // A single pack is sent when all gradients are ready; smaller packs during backward (timing/README.md, Overlap).
  const std::int64_t bytesPerPack = info.packsGradients() ? config.bytesPerPack : 0;
  request.packBytes = static_cast<double>(bytesPerPack);
  request.overlap = bytesPerPack > 0 || request.method == Reducer::CentralHost;
  placeServers(config, options, request);
  OptimizerSettings optimizer;
  optimizer.kind = config.optimizer;
  optimizer.momentum = config.momentum;
  request.updateBytesPerParameter = static_cast<double>(optimizer.bytesPerParameter());
  request.server = catalogue.device(kVariablesHost);
  request.input = options.input;
  // Examples reach the devices as they are stored: one byte per element, and the label.
  if (request.input.bytesPerExample <= 0) request.input.bytesPerExample = made->model.inputElements + 1;
  request.computeScale = options.computeScale;
  request.launchScale = options.launchScale;
  request.commScale = options.commScale;
  request.traced = options.traced;
  for (int r = 0; r < options.mostTraced && options.mostTraced < request.replicas; ++r)
    request.tracedAlone.push_back(r);
  request.stragglers.sigma = options.jitter;
  request.stragglers.stallProbability = options.stallProbability;
  request.stragglers.stallFactor = constants["straggler.stall_factor"];
  request.stragglers.seed = static_cast<std::uint64_t>(config.seed);
  for (const auto& [option, factors] : {std::pair{"slow", &config.slow}, std::pair{"slow-link", &config.slowLink}})
    for (const auto& [replica, factor] : *factors)
      if (replica >= request.replicas) throw UserError(say::slowReplica, Option{option}, replica, Count{replicas});
  request.stragglers.persistent = config.slow;
  request.slowLinks = config.slowLink;
  takeStrategy(config, info, request);
  extrapolated_ = whyExtrapolated(network.cluster(), replicas, catalogue);
  for (const DeviceModel* device : modelsOf(network, request.replicas))
    if (extrapolated_.empty()) extrapolated_ = whyOtherDevice(info, *device, replicas, catalogue);
  asFloat32_ = float32Notes(network, request);
  model_ = made;
}

StepTiming TimingRun::step(std::int64_t batchPerReplica, std::int64_t index) const {
  StepRequest request = model_->asked();
  request.batchPerReplica = batchPerReplica;
  request.step = index;
  return simulateStep(request);
}

StepTiming TimingRun::step(std::vector<std::int64_t> batches, std::int64_t index) const {
  StepRequest request = model_->asked();
  request.batches = std::move(batches);
  request.step = index;
  return simulateStep(request);
}

DeviceMemory TimingRun::memory(std::int64_t batchPerReplica) const {
  StepRequest request = model_->asked();
  request.batchPerReplica = batchPerReplica;
  return deviceMemory(request);
}

StepTiming TimingRun::alone(std::int64_t batch) const {
  StepRequest request = model_->asked();
  request.batchPerReplica = batch;
  request.replicas = 1;
  request.method = request.sums = Reducer::None;
  request.round.clear();
  request.stragglers = {};
  request.slowLinks.clear();
  return simulateStep(request);
}

}  // namespace lab
