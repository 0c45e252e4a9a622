// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/options/derived_settings.h"

#include "core/device/cuda/gpu_module.h"
#include "core/options/config_field.h"
#include "core/options/messages.h"
#include "core/options/network_of.h"
#include "core/strategy/strategy.h"

namespace lab {

Reducer reducerInForce(const ResolvedSettings& config) {
  if (config.reducer != Reducer::Auto) return config.reducer;
  const StrategyInfo& info = strategyInfo(config.strategy);
  if (!info.gpuReducer) return info.reducer;
  // Processors, or several replicas on one GPU, cannot use a GPU reducer. Simulated devices count as what they
  // simulate.
  const bool onGpus =
      config.devices == DeviceChoice::Cuda
          ? config.replicas <= static_cast<std::int64_t>(gpuInfos().size()) && whyNoNccl().empty()
          : config.devices == DeviceChoice::Simulated && !catalogueOf(config).device(config.deviceModel).isProcessor();
  return onGpus ? *info.gpuReducer : info.reducer;
}

SplitSettings splitOf(const ResolvedSettings& config) {
  return {.globalBatch = config.globalBatch,
          .replicas = static_cast<int>(config.replicas),
          .hosts = static_cast<int>(config.hosts),
          .source = config.split,
          .autoShard = config.autoShard,
          .files = static_cast<int>(config.files)};
}

SplitSettings evaluationSplitOf(const ResolvedSettings& config) {
  if (strategyInfo(config.strategy).synchronous) return splitOf(config);
  return {.globalBatch = config.examplesOfReplicas(), .replicas = static_cast<int>(config.replicas)};
}

Message idleSharding(const ResolvedSettings& config) {
  if (!strategyInfo(config.strategy).synchronous) {
    for (const char* option : {"auto-shard", "split"})
      if (!configField(option).isDefault(config)) return {say::everyWorkerReadsAll, Option{option}};
    return {};
  }
  if (config.autoShard != AutoShard::Data || config.split != SplitSource::InMemory) return {};
  return {say::shardedByDataAnyway, Option{"auto-shard"}};
}

Message idlePacks(const ResolvedSettings& config) {
  const StrategyInfo& info = strategyInfo(config.strategy);
  if (config.bytesPerPack == 0 || info.packsGradients()) return {};
  return {say::nothingIsPacked, Option{"bytes-per-pack"}, Words{info.name}};
}

}  // namespace lab
