// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/build.h"

#include "core/base/at.h"
#include "core/data/split.h"
#include "core/device/cuda/gpu_module.h"
#include "core/keras/keras_file.h"
#include "core/model/safetensors.h"
#include "core/options/derived_settings.h"
#include "core/options/forwarded_files.h"
#include "core/options/network_of.h"
#include "core/prediction/timing_run.h"
#include "core/strategy/strategy.h"
#include "core/training/process_role.h"

namespace lab {
namespace {

// With more replicas than this, copies that are equal after every step share one copy in memory: 1,024 copies of the
// course network's variables with Adam took 4.3 GB, and took longer to make than to train. Up to this number each
// replica has its own copy and they are compared; as many replicas are also drawn in a box of their own.
constexpr std::int64_t kOwnCopies = 16;

bool sharesCopies(const ResolvedSettings& config, const Lineage& lineage) {
  const StrategyInfo& info = strategyInfo(config.strategy);
  return info.hasCopies && info.own == StrategyInfo::Own::Nothing && info.shardStage(config) == 0 &&
         config.replicas > kOwnCopies && config.devices == DeviceChoice::Simulated && !isEdited(lineage);
}

}  // namespace

ClusterSettings clusterSettings(const ResolvedSettings& config, const Lineage& lineage) {
  const Catalogue catalogue = catalogueOf(config);
  const StrategyInfo& info = strategyInfo(config.strategy);
  ClusterSettings settings;
  settings.topology.replicas = static_cast<int>(config.replicas);
  settings.topology.hosts = static_cast<int>(config.hosts);
  if (info.variables == StrategyInfo::VariablesOn::Servers)
    settings.topology.parameterDevices = static_cast<int>(config.parameterServers);
  if (info.variables == StrategyInfo::VariablesOn::Host && config.replicas > 1) settings.topology.parameterDevices = 1;
  settings.topology.separateHosts = info.hosts == StrategyInfo::Hosts::EachWorker;
  settings.topology.measured = config.devices != DeviceChoice::Simulated;
  if (config.devices == DeviceChoice::Cuda) {
    // Neighbouring replicas share a GPU if there are more replicas than GPUs.
    const std::vector<gpu::GpuInfo>& gpus = gpuInfos();
    const auto replicas = static_cast<std::size_t>(config.replicas);
    for (std::size_t r = 0; r < replicas; ++r) {
      const std::size_t gpu = replicas <= gpus.size() ? r : r * gpus.size() / replicas;
      settings.topology.gpuOfReplica.push_back(static_cast<int>(gpu));
      settings.topology.replicaHardware.push_back("GPU " + std::to_string(gpu) + " " + gpus[gpu].name);
    }
  }
  if (config.devices == DeviceChoice::Processes) addProcesses(config, settings.topology);
  settings.topology.device = catalogue.device(config.deviceModel);
  settings.topology.hostProcessor = catalogue.device(kVariablesHost);
  settings.topology.link = catalogue.link(config.link);
  settings.topology.hostLink = catalogue.link(config.hostLink);

  settings.network = networkOf(config);
  settings.seed = static_cast<std::uint64_t>(config.seed);
  settings.precision = config.matmul;
  settings.wire = config.wire;
  settings.optimizer.kind = config.optimizer;
  settings.optimizer.momentum = config.momentum;
  if (info.turns) settings.turns = info.turns(config);
  if (info.besideSlots) settings.besideSlots = info.besideSlots(config);
  settings.sharesCopies = sharesCopies(config, lineage);
  settings.sharding = static_cast<Sharding>(info.shardStage(config));
  settings.lossReduction = config.lossReduction;
  settings.globalBatch = config.examplesPerStep();
  if (info.synchronous) settings.splitRule = resolveSplit(splitOf(config)).rule;
  // A worker applies only its own gradient, so N is 1 for it, whatever the number of workers (strategy/README.md).
  settings.replicasInSync = info.synchronous ? static_cast<int>(config.replicas) : 1;
  if (!config.slow.empty()) {
    settings.slowdown.assign(static_cast<std::size_t>(config.replicas), 1.0);
    for (const auto& [replica, factor] : config.slow) at(settings.slowdown, replica) = factor;
  }
  settings.noiseScale = config.noiseScale;
  settings.sums = reducerInForce(config);
  settings.ncclForOne = config.reducer == Reducer::Nccl;
  settings.threads = static_cast<int>(config.threads);
  if (!settings.topology.measured)
    settings.timing =
        TimingRun(config.asked(), {.model = settings.network->key()}, catalogue, TimingConstants::builtIn()).shared();
  return settings;
}

TensorFile readInit(const SettingsBase& config) {
  if (const std::string* content = forwarded("init"))
    return parseSafetensors({reinterpret_cast<const std::uint8_t*>(content->data()), content->size()}, config.init);
  if (isKerasFile(config.init)) return readKerasWeights(config.init, *networkOf(config));
  refuseOlderKeras(config.init);
  return readSafetensors(config.init);
}

std::vector<float> initialWeights(const SettingsBase& config) {
  const std::shared_ptr<const NeuralNetwork> network = networkOf(config);
  std::vector<float> weights(static_cast<std::size_t>(network->layout().size()));
  if (config.init.empty())
    network->initialize(static_cast<std::uint64_t>(config.seed), weights);
  else
    tensorsToWeights(readInit(config), network->layout(), config.init, weights, network->statistics());
  return weights;
}

std::vector<float> initialStatistics(const SettingsBase& config) {
  const std::shared_ptr<const NeuralNetwork> network = networkOf(config);
  std::vector<float> statistics(static_cast<std::size_t>(network->statistics().size()));
  network->initializeStatistics(statistics);
  if (!statistics.empty() && !config.init.empty())
    tensorsToWeights(readInit(config), network->statistics(), config.init, statistics, network->layout());
  return statistics;
}

}  // namespace lab
