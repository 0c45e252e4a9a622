// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/timing_run.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/model/optimizer.h"
#include "core/run/messages.h"
#include "core/strategy/placement.h"

namespace lab {
namespace {

CommMethod methodOf(Reducer reducer) {
  switch (reducer) {
    case Reducer::Ring:
      return CommMethod::Ring;
    case Reducer::Tree:
      return CommMethod::Tree;
    case Reducer::HalvingDoubling:
      return CommMethod::HalvingDoubling;
    case Reducer::Hierarchical:
      return CommMethod::Hierarchical;
    case Reducer::Torus:
      return CommMethod::Torus;
    case Reducer::OneDevice:
      return CommMethod::OneDevice;
    case Reducer::Auto:
    case Reducer::Nccl:
      break;
  }
  return CommMethod::Nccl;
}

// What a strategy uses where nothing is chosen: as reducerInForce() in training.
CommMethod methodOf(const RunConfig& config, const StrategyInfo& info, bool processors) {
  if (config.reducer != Reducer::Auto) {
    if (std::ranges::find(info.reducers, config.reducer) == info.reducers.end())
      throw UserError(say::reducerNotUsable, Option{"reducer"}, toString(config.reducer), Words{info.name});
  }
  switch (config.strategy) {
    case StrategyKind::Default:
    case StrategyKind::OneDevice:
      return CommMethod::None;
    case StrategyKind::Mirrored:
      return config.reducer != Reducer::Auto ? methodOf(config.reducer)
             : processors                    ? CommMethod::Ring
                                             : CommMethod::Nccl;
    case StrategyKind::MultiWorkerMirrored:
      return config.reducer != Reducer::Auto ? methodOf(config.reducer) : CommMethod::Ring;
    case StrategyKind::Tpu:
      return CommMethod::Torus;
    case StrategyKind::CentralStorage:
      return CommMethod::CentralHost;
    case StrategyKind::ParameterServer:
      return CommMethod::ServersAsync;
  }
  throwBrokenInvariant("a strategy without a method", __FILE__, __LINE__);
}

// Which server holds how much. The variables of the network that is trained are placed as the strategy places them; of
// others only the sizes are known.
void placeServers(const RunConfig& config, const TimingOptions& options, StepRequest& request) {
  request.servers = static_cast<int>(config.parameterServers.value_or(1));
  request.serversApart = config.strategy == StrategyKind::ParameterServer;
  if (!request.serversApart) return;
  const Partitioner partitioner = parsePartitioner(config.partitioner);
  if (const auto network = networkOf(config); options.model == network->key()) {
    for (const auto& parts : placeVariables(network->layout(), partitioner, request.servers)) {
      std::int64_t& elements = request.serverElements.emplace_back(0);
      for (const VariablePart& part : parts) elements += part.count;
    }
  } else if (partitioner.kind != Partitioner::Kind::None) {
    request.placement = StepRequest::Placement::Sliced;
  }
}

std::int64_t hostsOf(const RunConfig& config, const StrategyInfo& info, std::int64_t replicas,
                     const TimingOptions& options) {
  if (config.strategy == StrategyKind::ParameterServer) return replicas;  // every worker is a host
  if (config.hosts) return *config.hosts;
  const bool spread = info.severalMachines || config.strategy == StrategyKind::Tpu;
  if (!spread) return 1;
  if (replicas <= options.devicesPerHost) {  // as a training run spreads them where nobody says how
    const std::int64_t usual = std::min(info.defaultHosts, replicas);
    return replicas % usual == 0 ? usual : 1;
  }
  if (replicas % options.devicesPerHost != 0)
    throw UserError(say::replicasDoNotFillHosts, Count{replicas}, Count{options.devicesPerHost});
  return replicas / options.devicesPerHost;
}

}  // namespace

TimingRun::TimingRun(const RunConfig& config, const TimingOptions& options, const Catalogue& catalogue,
                     const TimingConstants& constants) {
  const StrategyInfo& info = strategyInfo(config.strategy);
  const std::int64_t replicas =
      config.replicas.value_or(options.cluster ? options.cluster->devices() : info.defaultReplicas);
  if (info.singleReplica && replicas != 1)
    throw UserError(say::replicasForOne, Option{"replicas"}, replicas, Words{info.name});
  const auto orDefault = [](const std::string& given, const std::string& usual) {
    return given.empty() ? usual : given;
  };
  ClusterSpec cluster;
  if (options.cluster) {
    cluster = *options.cluster;
  } else {
    cluster = uniformCluster(
        replicas, hostsOf(config, info, replicas, options), orDefault(config.deviceModel, info.defaultDeviceModel),
        orDefault(config.link, info.defaultLink), orDefault(config.hostLink, info.defaultHostLink), options.nics);
    cluster.transport = options.transport;
  }
  const auto made = std::make_shared<StepModel>(
      StepModel{constants, Network(cluster, catalogue, constants), modelPreset(options.model), {}});
  const Network& network = made->network;
  StepRequest& request = made->request;
  if (replicas > network.devices())
    throw UserError(say::replicasBeyondCluster, Option{"replicas"}, replicas, Count{network.devices()});
  request.replicas = static_cast<int>(replicas);
  request.method = methodOf(config, info, network.device(0).isProcessor());
  if (network.hostOf(request.replicas - 1) > 0 && !info.severalMachines && config.strategy != StrategyKind::Tpu)
    throw UserError(say::runsOnOneHost, Words{info.name}, Count{replicas},
                    Count{network.hostOf(request.replicas - 1) + 1});
  const bool bfloat16 = config.matmul == MatmulChoice::Bfloat16 ||
                        (config.matmul == MatmulChoice::Auto && config.strategy == StrategyKind::Tpu);
  request.precision = bfloat16 ? Precision::Bfloat16 : options.precision;
  // One pack is sent when all gradients are there; smaller ones while backward goes on (timing/README.md, Overlap).
  request.packBytes = static_cast<double>(config.bytesPerPack);
  request.overlap = config.bytesPerPack > 0 || request.method == CommMethod::CentralHost;
  placeServers(config, options, request);
  OptimizerSettings optimizer;
  optimizer.kind = config.optimizer;
  optimizer.momentum = config.momentum;
  request.updateBytesPerParameter = static_cast<double>(optimizer.bytesPerParameter());
  request.server = catalogue.device(kVariablesHost);
  request.input = options.input;
  // Examples reach the devices as they are stored: a byte an element, and the label.
  if (request.input.bytesPerExample <= 0) request.input.bytesPerExample = made->model.inputElements + 1;
  request.computeScale = options.computeScale;
  request.launchScale = options.launchScale;
  request.commScale = options.commScale;
  request.traced = options.traced;
  request.stragglers.sigma = options.jitter;
  request.stragglers.stallProbability = options.stallProbability;
  request.stragglers.stallFactor = constants["straggler.stall_factor"];
  request.stragglers.seed = static_cast<std::uint64_t>(config.seed);
  for (const auto& [replica, factor] : config.slow) {
    if (replica >= request.replicas) throw UserError(say::slowReplica, Option{"slow"}, replica, Count{replicas});
    request.stragglers.persistent.emplace_back(replica, factor);
  }
  request.oneLaunchPerStep = config.strategy == StrategyKind::Tpu;
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

StepTiming TimingRun::alone(std::int64_t batch) const {
  StepRequest request = model_->asked();
  request.batchPerReplica = batch;
  request.replicas = 1;
  request.method = CommMethod::None;
  request.stragglers = {};
  return simulateStep(request);
}

}  // namespace lab
