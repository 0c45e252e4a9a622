// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/timing_run.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/units.h"

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
      throw UserError("--reducer " + std::string(toString(config.reducer)) + ": " + info.name +
                      " cannot use it. Leave --reducer out, or choose another strategy.");
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

std::int64_t hostsOf(const RunConfig& config, const StrategyInfo& info, std::int64_t replicas,
                     const TimingOptions& options) {
  if (config.strategy == StrategyKind::ParameterServer) return replicas;  // every worker is a host
  if (config.hosts) return *config.hosts;
  const bool spread = info.severalMachines || config.strategy == StrategyKind::Tpu;
  if (!spread || replicas <= options.devicesPerHost) return 1;
  if (replicas % options.devicesPerHost != 0)
    throw UserError(formatCount(replicas) + " replicas cannot fill hosts of " + formatCount(options.devicesPerHost) +
                    " devices. Give --hosts, or another --devices-per-host.");
  return replicas / options.devicesPerHost;
}

}  // namespace

TimingRun::TimingRun(const RunConfig& config, const TimingOptions& options, const Catalogue& catalogue,
                     const TimingConstants& constants)
    : constants_(constants), model_(modelPreset(options.model)) {
  const StrategyInfo& info = strategyInfo(config.strategy);
  const std::int64_t replicas =
      config.replicas.value_or(options.cluster ? options.cluster->devices() : info.defaultReplicas);
  if (info.singleReplica && replicas != 1)
    throw UserError("--replicas " + std::to_string(replicas) + ": " + info.name +
                    " has one replica. Leave --replicas out, or choose another strategy.");
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
  network_ = std::make_unique<Network>(cluster, catalogue, constants_);
  if (replicas > network_->devices())
    throw UserError("--replicas " + std::to_string(replicas) + " do not fit on a cluster of " +
                    formatCount(network_->devices()) + " devices. Give fewer replicas or a larger cluster.");
  request_.replicas = static_cast<int>(replicas);
  request_.method = methodOf(config, info, network_->device(0).isProcessor());
  if (network_->hostOf(request_.replicas - 1) > 0 && !info.severalMachines && config.strategy != StrategyKind::Tpu)
    throw UserError(info.name + " runs on one host, and " + formatCount(replicas) + " replicas are on " +
                    formatCount(network_->hostOf(request_.replicas - 1) + 1) +
                    ". Choose --strategy multi-worker-mirrored, or fewer hosts.");
  const bool bfloat16 = config.matmul == MatmulChoice::Bfloat16 ||
                        (config.matmul == MatmulChoice::Auto && config.strategy == StrategyKind::Tpu);
  request_.precision = bfloat16 ? Precision::Bfloat16 : options.precision;
  // One pack is sent when all gradients are there; smaller ones while backward goes on (timing model §6).
  request_.packBytes = static_cast<double>(config.bytesPerPack);
  request_.overlap = config.bytesPerPack > 0 || request_.method == CommMethod::CentralHost;
  request_.servers = static_cast<int>(config.parameterServers.value_or(1));
  request_.input = options.input;
  request_.computeScale = options.computeScale;
  request_.launchScale = options.launchScale;
  request_.commScale = options.commScale;
  request_.traced = options.traced;
  request_.stragglers.sigma = options.jitter;
  request_.stragglers.stallProbability = options.stallProbability;
  request_.stragglers.stallFactor = constants_["straggler.stall_factor"];
  request_.stragglers.seed = static_cast<std::uint64_t>(config.seed);
  for (const auto& [replica, factor] : config.slow) {
    if (replica >= request_.replicas)
      throw UserError("--slow " + std::to_string(replica) + ": there are only " + formatCount(replicas) +
                      " replicas, counted from 0. Name one of them.");
    request_.stragglers.persistent.emplace_back(replica, factor);
  }
  request_.oneLaunchPerStep = config.strategy == StrategyKind::Tpu;
}

// The pointers are set here, so that a TimingRun may be moved.
StepRequest TimingRun::requestFor(std::int64_t batchPerReplica) const {
  StepRequest request = request_;
  request.network = network_.get();
  request.model = &model_;
  request.constants = &constants_;
  request.batchPerReplica = batchPerReplica;
  return request;
}

StepTiming TimingRun::step(std::int64_t batchPerReplica, std::int64_t index) const {
  StepRequest request = requestFor(batchPerReplica);
  request.step = index;
  return simulateStep(request);
}

StepTiming TimingRun::alone(std::int64_t batch) const {
  StepRequest request = requestFor(batch);
  request.replicas = 1;
  request.method = CommMethod::None;
  request.stragglers = {};
  return simulateStep(request);
}

}  // namespace lab
