// SPDX-License-Identifier: GPL-3.0-or-later
// What the settings mean together: the defaults of each strategy, and every combination that TensorFlow refuses or that
// this machine cannot do, refused before anything is read or allocated.
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/platform.h"
#include "core/base/units.h"
#include "core/device/cuda/gpu_module.h"
#include "core/run/run_config.h"
#include "core/timing/catalogue.h"

namespace lab {
namespace {

// A setting that only one strategy has is said to be that one's; the others' checks say more.
void checkOwnSettings(const RunConfig& config, const StrategyInfo& info) {
  for (const ConfigField& field : configFields())
    if (field.strategies.size() == 1 && !field.belongsTo(info) && !field.isUsual(config))
      throw UserError("--" + field.name + " belongs to --strategy " + field.strategies.front() +
                      ". Leave it out, or change the strategy.");
}

void resolveReplicas(RunConfig& config, const StrategyInfo& info) {
  if (info.singleReplica && config.replicas.value_or(1) != 1)
    throw UserError("--replicas " + std::to_string(*config.replicas) + ": " + info.name +
                    " has exactly one replica. Leave --replicas out, or choose another --strategy.");
  config.replicas = config.replicas.value_or(info.defaultReplicas);
  // One worker needs no second host; an explicit number of hosts is checked below instead.
  config.hosts = config.hosts.value_or(std::min(info.defaultHosts, *config.replicas));

  if (info.hosts != StrategyInfo::Hosts::Chosen && *config.hosts != 1)
    throw UserError("--hosts " + std::to_string(*config.hosts) + ": " +
                    (info.hosts == StrategyInfo::Hosts::EachWorker
                         ? info.name + " gives every worker and every server a host of its own. Leave --hosts out."
                         : info.name + " works on one machine. Use --strategy multi-worker-mirrored for several."));
  if (*config.replicas % *config.hosts != 0)
    throw UserError("--hosts " + std::to_string(*config.hosts) + " does not divide --replicas " +
                    std::to_string(*config.replicas) + ": every host must have the same number of replicas.");

  checkOwnSettings(config, info);
  for (const OwnSetting& setting : info.settings) config.own.try_emplace(setting.name, setting.usual);
  config.parameterServers = config.parameterServers.value_or(1);
  (void)parsePartitioner(config.partitioner);
  for (const auto& [replica, factor] : config.slow)
    if (replica >= *config.replicas)
      throw UserError("--slow " + std::to_string(replica) + ":…: there are only replicas 0 to " +
                      std::to_string(*config.replicas - 1) + ".");
}

void resolveBatch(RunConfig& config, const StrategyInfo& info) {
  const std::int64_t replicas = *config.replicas;
  if (!info.synchronous) {
    if (config.globalBatch.has_value())
      throw UserError(
          "--global-batch has no meaning for parameter-server, where a batch belongs to one worker's step. "
          "Use --batch-per-replica.");
    config.batchPerReplica = config.batchPerReplica.value_or(64);
    return;
  }
  if (config.batchPerReplica.has_value() && config.globalBatch.has_value() &&
      *config.batchPerReplica != (*config.globalBatch + replicas - 1) / replicas)
    throw UserError("--batch-per-replica " + std::to_string(*config.batchPerReplica) + " and --global-batch " +
                    std::to_string(*config.globalBatch) + " disagree for " + std::to_string(replicas) +
                    " replicas. Give one of the two.");
  // A resolved configuration holds both, and resolves to itself.
  if (!config.globalBatch.has_value()) config.globalBatch = config.batchPerReplica.value_or(64) * replicas;
  if (*config.globalBatch > 1'000'000'000)
    throw UserError("the global batch of " + std::to_string(*config.globalBatch) +
                    " examples is more than 1000000000. Lower --batch-per-replica or --replicas.");
  // Where the replicas do not divide the global batch, this is the largest share.
  if (!config.batchPerReplica.has_value()) config.batchPerReplica = (*config.globalBatch + replicas - 1) / replicas;
}

void resolveDevices(RunConfig& config, const StrategyInfo& info) {
  if (config.devices == DeviceChoice::Cuda) {
    const std::string why = info.simulatedOnly ? "TPU cores are always simulated" : whyNoGpu();
    if (!why.empty())
      throw UserError("--devices cuda: " + why + ". Use --devices simulated" +
                      (info.simulatedOnly ? "." : " or --devices cpu."));
  }
  if (config.devices == DeviceChoice::Cpu && info.simulatedOnly)
    throw UserError("--devices cpu: TPU cores are always simulated. Leave --devices out.");
  if (config.devices == DeviceChoice::Auto) {
    // Whoever describes hardware means simulated hardware.
    const bool described =
        !config.slow.empty() || !config.deviceModel.empty() || !config.link.empty() || !config.hostLink.empty();
    config.devices =
        info.simulatedOnly || described || !whyNoGpu().empty() ? DeviceChoice::Simulated : DeviceChoice::Cuda;
  }

  if (config.deviceModel.empty()) config.deviceModel = info.defaultDeviceModel;
  if (config.link.empty()) config.link = info.defaultLink;
  if (config.hostLink.empty()) config.hostLink = info.defaultHostLink;
  const Catalogue catalogue = catalogueOf(config);
  (void)catalogue.device(config.deviceModel);
  (void)catalogue.link(config.link);
  (void)catalogue.link(config.hostLink);

  if (config.devices != DeviceChoice::Simulated && !config.slow.empty())
    throw UserError(std::string("--slow needs simulated devices: time on ") +
                    (config.devices == DeviceChoice::Cpu ? "this processor" : "a GPU") +
                    " is measured, not modelled. Use --devices simulated.");
  if (config.matmul == Precision::Auto) config.matmul = info.matmul;
  config.threads = config.threads.value_or(processorCount());
}

void resolveReducer(RunConfig& config, const StrategyInfo& info) {
  if (config.reducer == Reducer::Auto) return;
  const std::string given = "--reducer " + std::string(toString(config.reducer)) + ": ";
  if (info.reducers.empty())
    throw UserError(given + info.name + " reduces nothing over replicas. Leave --reducer out.");
  if (std::ranges::find(info.reducers, config.reducer) == info.reducers.end()) {
    std::string allowed;
    for (const Reducer reducer : info.reducers) allowed += " " + std::string(toString(reducer));
    throw UserError(given + info.name + " cannot use it. One of: auto" + allowed + ".");
  }
  if (config.reducer == Reducer::Nccl && config.devices == DeviceChoice::Cpu)
    throw UserError(given + "NCCL works between GPUs, and --devices cpu has none. Use --reducer ring.");
  if (config.reducer == Reducer::Nccl && config.devices == DeviceChoice::Cuda) {
    const auto gpus = static_cast<std::int64_t>(gpuInfos().size());
    if (*config.replicas > gpus)
      throw UserError(given + "NCCL needs a GPU for each replica, and there are " + std::to_string(gpus) + " for " +
                      std::to_string(*config.replicas) + " replicas. Use --reducer ring, or fewer --replicas.");
    if (!whyNoNccl().empty()) throw UserError(given + whyNoNccl() + ". Or use --reducer ring.");
  }
}

void checkTraining(const RunConfig& config) {
  if (config.optimizer == OptimizerKind::Adam && config.momentum != 0)
    throw UserError("--momentum belongs to --optimizer sgd; Adam has its own. Leave it out, or change the optimizer.");
  if (config.files != 1 && config.split != SplitSource::File)
    throw UserError("--files belongs to --split file: examples in memory are in no file. Add --split file.");
  if (config.resume && config.checkpointDir.empty())
    throw UserError("--resume needs --checkpoint-dir, the folder with the checkpoints.");
  if (config.resume && !config.init.empty())
    throw UserError("--init and --resume both say where the weights come from. Give one of the two.");
  if (config.checkpointEvery.has_value() && config.checkpointDir.empty())
    throw UserError("--checkpoint-every needs --checkpoint-dir, the folder for the checkpoints.");
  if (strategyInfo(config.strategy).synchronous)
    (void)resolveSplit({.globalBatch = *config.globalBatch,
                        .replicas = static_cast<int>(*config.replicas),
                        .hosts = static_cast<int>(*config.hosts),
                        .source = config.split,
                        .autoShard = config.autoShard,
                        .files = static_cast<int>(config.files)});
}

// Every replica has weights, gradients and slots of its own, and activations for its share; refused here rather than
// found out by the system in the middle of a run.
void checkMemory(const RunConfig& config) {
  const std::int64_t memory = memoryBytes();
  if (memory == 0) return;
  const double variables = 4.0 * static_cast<double>(cnnLayout().bytes());
  const double perExample = 4.0 * 2.5 * (kPooledSize + kImageSize);
  const double examples = static_cast<double>(std::min<std::int64_t>(*config.batchPerReplica, 100'000));
  const double need = static_cast<double>(*config.replicas) * (variables + perExample * examples);
  if (need > 0.9 * static_cast<double>(memory))
    throw UserError("--replicas " + std::to_string(*config.replicas) + " with --batch-per-replica " +
                    std::to_string(*config.batchPerReplica) + " needs about " +
                    formatBytes(static_cast<std::int64_t>(need)) + " of memory, and this machine has " +
                    formatBytes(memory) + ". Lower one of the two.");
}

}  // namespace

Catalogue catalogueOf(const RunConfig& config) {
  if (config.catalogue.empty()) return Catalogue::builtIn();
  constexpr std::int64_t kMostBytes = std::int64_t{4} << 20;
  const std::vector<std::uint8_t> bytes = readFile(config.catalogue, kMostBytes);
  return Catalogue::builtIn().mergedWith(
      Catalogue::parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, config.catalogue));
}

RunConfig resolveConfig(RunConfig config) {
  const StrategyInfo& info = strategyInfo(config.strategy);
  resolveReplicas(config, info);
  resolveBatch(config, info);
  resolveDevices(config, info);
  resolveReducer(config, info);
  checkTraining(config);
  checkMemory(config);
  return config;
}

}  // namespace lab
