// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/setup/fit.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/device/cuda/gpu_module.h"

namespace lab {
namespace {

constexpr std::int64_t kTeachingBatch = 8;
constexpr std::int64_t kTeachingEpochs = 10;  // one of the embedded digits is over in seconds, in Live
constexpr std::int64_t kFewestPerWorker = 4;  // a parameter-server worker's batch in Teach, whatever their number

// 2 for 4, 3 for 9, N itself for a prime: several hosts where there can be several.
std::int64_t fewestHosts(std::int64_t replicas) {
  for (std::int64_t hosts = 2; hosts < replicas; ++hosts) {
    if (replicas % hosts == 0) return hosts;
  }
  return replicas;
}

void fitHosts(RunConfig& config, const StrategyInfo& info, const std::string& changed) {
  const bool allowed = config.strategy == StrategyKind::MultiWorkerMirrored || config.strategy == StrategyKind::Tpu;
  if (!allowed && changed != "hosts") config.hosts.reset();
  if (!allowed || changed == "hosts") return;
  const std::int64_t replicas = config.replicas.value_or(info.defaultReplicas);
  const std::int64_t hosts = config.hosts.value_or(std::min(info.defaultHosts, replicas));
  if (replicas % hosts != 0) config.hosts = fewestHosts(replicas);
}

void fitBatch(RunConfig& config, const StrategyInfo& info, const std::string& changed) {
  const std::int64_t replicas = config.replicas.value_or(info.defaultReplicas);
  if (config.batchPerReplica && config.globalBatch) {
    if (changed == "batch-per-replica") config.globalBatch.reset();
    if (changed == "global-batch") config.batchPerReplica.reset();
  }
  if (config.strategy == StrategyKind::ParameterServer) {
    if (!config.globalBatch || changed == "global-batch") return;
    if (!config.batchPerReplica) {
      const std::int64_t share = (*config.globalBatch + replicas - 1) / replicas;
      config.batchPerReplica = std::max(share, std::min(kFewestPerWorker, *config.globalBatch));
    }
    config.globalBatch.reset();
  } else if (config.batchPerReplica && config.globalBatch) {
    config.batchPerReplica.reset();
  }
}

void fitDevices(RunConfig& config, const StrategyInfo& info, const std::string& changed) {
  const bool tpu = config.strategy == StrategyKind::Tpu;
  const bool impossible = (config.devices == DeviceChoice::Cpu && tpu) ||
                          (config.devices == DeviceChoice::Cuda && (tpu || !whyNoGpu().empty()));
  if (impossible && changed != "devices") config.devices = DeviceChoice::Auto;
  const bool real = config.devices == DeviceChoice::Cpu || config.devices == DeviceChoice::Cuda;
  if (real && !config.slow.empty()) {
    if (changed == "slow") {
      config.devices = DeviceChoice::Simulated;
    } else {
      config.slow.clear();
    }
  }
  if (changed == "slow") return;
  const std::int64_t replicas = config.replicas.value_or(info.defaultReplicas);
  std::erase_if(config.slow, [&](const auto& straggler) { return straggler.first >= replicas; });
}

}  // namespace

RunConfig withSetting(const RunConfig& config, const std::string& name, const std::string& value) {
  const ConfigField& field = configField(name);
  nlohmann::json json = configToJson(config);
  json.erase(name);  // back to the default, and to an empty list for settings that append
  RunConfig changed = configFromJson(json);
  if (!value.empty()) field.set(changed, value);
  return changed;
}

RunConfig fitted(RunConfig wish, const std::string& changed) {
  const StrategyInfo& info = strategyInfo(wish.strategy);
  if (info.singleReplica && changed != "replicas") wish.replicas.reset();
  fitHosts(wish, info, changed);
  fitBatch(wish, info, changed);
  fitDevices(wish, info, changed);
  if (wish.strategy != StrategyKind::ParameterServer) {
    if (changed != "parameter-servers") wish.parameterServers.reset();
    if (changed != "partitioner") wish.partitioner = "none";
  }
  const bool known = std::ranges::find(info.reducers, wish.reducer) != info.reducers.end();
  const bool ncclWithoutGpu =
      wish.reducer == Reducer::Nccl && (wish.devices == DeviceChoice::Cpu ||
                                        (wish.devices == DeviceChoice::Cuda &&
                                         (!whyNoNccl().empty() || wish.replicas.value_or(info.defaultReplicas) >
                                                                      static_cast<std::int64_t>(gpuInfos().size()))));
  if ((!known || ncclWithoutGpu) && changed != "reducer") wish.reducer = Reducer::Auto;
  if (wish.optimizer == OptimizerKind::Adam && changed != "momentum") wish.momentum = 0;
  if (wish.dataset == "digits" && !wish.dataDir.empty()) {  // which are inside the program
    if (changed == "data-dir") {
      wish.dataset = "auto";
    } else {
      wish.dataDir.clear();
    }
  }
  if (wish.split == SplitSource::InMemory && changed != "files") wish.files = 1;
  return wish;
}

RunConfig teachingConfig() {
  RunConfig config;
  config.strategy = StrategyKind::Mirrored;
  config.globalBatch = kTeachingBatch;
  config.epochs = kTeachingEpochs;
  return config;
}

}  // namespace lab
