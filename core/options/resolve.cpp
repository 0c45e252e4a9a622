// SPDX-License-Identifier: GPL-3.0-or-later
// Resolves settings: fills in each strategy's defaults, and refuses every combination that TensorFlow refuses or that
// this machine cannot do, before anything is read or allocated.
#include "core/options/resolve.h"

#include <algorithm>
#include <filesystem>

#include "core/base/ceil_divide.h"
#include "core/base/error.h"
#include "core/config/resolved_settings.h"
#include "core/data/dataset.h"
#include "core/hardware/catalogue.h"
#include "core/hardware/cluster_spec.h"
#include "core/keras/keras_file.h"
#include "core/keras/keras_json.h"
#include "core/model/cnn.h"
#include "core/options/config_field.h"
#include "core/options/derived_settings.h"
#include "core/options/memory_need.h"
#include "core/options/messages.h"
#include "core/options/network_of.h"
#include "core/options/output_files.h"
#include "core/options/own_pictures.h"
#include "core/options/surroundings.h"
#include "core/process/process_gpus.h"
#include "core/strategy/messages.h"
#include "core/strategy/strategy.h"

namespace lab {
namespace {

// Checks what real processes (--devices processes) allow, and sets their defaults before all else is resolved: a host
// for each joined process, and by default a replica for each host.
void resolveProcesses(RunSettings& asked, const StrategyInfo& info, const Surroundings& here) {
  if (Message why = whyNotOn(info, asked.devices); !why.empty()) throw UserError(std::move(why));
  if (Message why = whyNotOnGpusOfProcesses(info); !why.empty() && areOnGpus(asked)) throw UserError(std::move(why));
  if (asked.noiseScale) throw UserError(say::noiseAmongProcesses, Option{"noise-scale"});
  if (!asked.slow.empty()) throw UserError(say::slowAmongProcesses, Option{"slow"});
  // Processes that are not started yet: one for each replica.
  if (!asked.hosts) asked.hosts = here.workers ? here.workers->count : info.replicasOf(asked);
  if (here.workers && *asked.hosts != here.workers->count)
    throw UserError(say::hostsAreProcesses, Option{"hosts"}, *asked.hosts, here.workers->count);
  if (!asked.replicas) asked.replicas = asked.hosts;
}

// If joined processes compute on GPUs, checks that all can, with this reducer. All throw the same UserError.
void checkProcessGpus(const ResolvedSettings& config, const Surroundings& here) {
  if (!here.workers || config.devices != DeviceChoice::Processes || !areOnGpus(config)) return;
  const std::vector<WorkerGpus>& all = here.workers->gpus;
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    if (!all[rank].why.empty())
      throw UserError(say::noGpuThere, Option{"worker-devices"}, here.workers->names[rank], all[rank].why);
  if (config.reducer != Reducer::Nccl) return;
  const Option reducer{"reducer"};
  const std::string_view given = toString(config.reducer);
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    if (!all[rank].whyNoNccl.empty())
      throw UserError(say::noNcclThere, reducer, given, here.workers->names[rank], all[rank].whyNoNccl);
  const std::vector<ReplicaGpu> gpus =
      placeOnGpus(here.workers->hosts, all, static_cast<int>(config.replicas / config.hosts));
  for (std::size_t r = 0; r < gpus.size(); ++r)
    for (std::size_t other = 0; other < r; ++other)
      if (gpus[other].host == gpus[r].host && gpus[other].address == gpus[r].address)
        throw UserError(say::ncclSharesGpu, reducer, given, static_cast<std::int64_t>(other),
                        static_cast<std::int64_t>(r), gpus[r].host);
}

// Refuses a setting of other strategies by naming these.
void checkOwnSettings(const RunSettings& config, const StrategyInfo& info) {
  for (const ConfigField& field : configFields())
    if (field.isForeign(info, config)) throw UserError(say::belongsToStrategy, Option{field.name}, field.theirNames());
}

void resolveReplicas(const RunSettings& asked, const StrategyInfo& info, ResolvedSettings& config) {
  if (info.singleReplica && info.replicasOf(asked) != 1)
    throw UserError(say::exactlyOneReplica, Option{"replicas"}, *asked.replicas, Words{info.name});
  config.replicas = info.replicasOf(asked);
  config.hosts = info.hostsOf(asked);

  if (info.hosts != StrategyInfo::Hosts::Chosen && config.hosts != 1)
    throw UserError(info.hosts == StrategyInfo::Hosts::EachWorker ? say::hostsOfServers : say::oneMachine,
                    Option{"hosts"}, config.hosts, Words{info.name});
  if (config.replicas % config.hosts != 0)
    throw UserError(say::hostsNotDividing, Option{"hosts"}, config.hosts, Option{"replicas"}, config.replicas);
  if (info.hosts != StrategyInfo::Hosts::EachWorker && config.replicas / config.hosts > kMostDevicesPerHost) {
    if (info.hosts == StrategyInfo::Hosts::One)
      throw UserError(say::tooManyOnOneHost, Option{"replicas"}, config.replicas, Count{kMostDevicesPerHost});
    throw UserError(say::tooManyOnEachHost, Option{"replicas"}, config.replicas, config.hosts,
                    Count{kMostDevicesPerHost});
  }

  checkOwnSettings(asked, info);
  for (const OwnSetting& setting : info.settings) config.strategySettings.try_emplace(setting.name, setting.usual);
  if (info.waitsFor(config, config.replicas) < 1)
    throw UserError(say::waitsForNobody, Option{info.goesWithout}, config.strategySettings.at(info.goesWithout),
                    Option{"replicas"}, config.replicas);
  (void)parsePartitioner(config.partitioner);
  for (const auto& [option, factors] : {std::pair{"slow", &config.slow}, std::pair{"slow-link", &config.slowLink}})
    for (const auto& [replica, factor] : *factors)
      if (replica >= config.replicas)
        throw UserError(say::slowBeyondReplicas, Option{option}, replica, config.replicas - 1);
}

void resolveBatch(const RunSettings& asked, const StrategyInfo& info, ResolvedSettings& config) {
  const std::int64_t replicas = config.replicas;
  if (!info.synchronous) {
    if (asked.globalBatch) throw UserError(say::globalBatchOfServers, Option{"global-batch"});
    return;
  }
  if (asked.globalBatch) config.batchPerReplica = ceilDivide(*asked.globalBatch, replicas);
  if (asked.batchPerReplica && config.batchPerReplica != *asked.batchPerReplica)
    throw UserError(say::batchesDisagree, Option{"batch-per-replica"}, *asked.batchPerReplica, *asked.globalBatch,
                    replicas);
  if (!asked.globalBatch) config.globalBatch = config.batchPerReplica * replicas;
  if (constexpr std::int64_t kMost = 1'000'000'000; config.globalBatch > kMost)
    throw UserError(say::globalBatchTooLarge, Count{config.globalBatch}, Count{kMost});
}

// Gives the program's own networks an output for each folder of the user's pictures. If the folder is not here, the
// value in a run's file stays.
void takeClasses(const Surroundings& here, ResolvedSettings& config) {
  constexpr std::int64_t kUsual = 10;
  const std::int64_t classes = takesOwnPictures(config) ? here.pictureClasses : kUsual;
  if (classes == 0) return;
  if (config.networkFile.name == config.network) config.networkFile = {};
  if (classes == kUsual || classes < 2 || classes > kMostClasses) return;
  config.networkFile = {config.network, kerasJson(withClasses(*networkOf(config), classes))};
}

// `found`: the set that the examples come from.
void checkExamples(const SettingsBase& config, const std::string& found) {
  const std::shared_ptr<const NeuralNetwork> network = networkOf(config);
  if (takesOwnPictures(config)) {  // pictures are scaled to the network
    if (network->input().size() != 3 || (network->input()[2] != 1 && network->input()[2] != 3))
      throw UserError(say::networkTakesNoPictures, Option{"network"}, config.network, shapeText(network->input()));
    return;
  }
  const auto shape = imageShapeOf(config.dataset);
  const std::vector<std::int64_t> images(shape.begin(), shape.end());
  if (network->input() != images)
    throw UserError(say::networkDoesNotFit, Option{"network"}, config.network, shapeText(network->input()),
                    config.dataset, shapeText(images));
  if (constexpr std::int64_t kPublished = 10; config.dataDir.empty() && network->classes() < kPublished)
    throw UserError(say::tooFewOutputs, Option{"network"}, config.network, network->classes(), found, kPublished);
}

void checkStrategy(const SettingsBase& config, const StrategyInfo& info) {
  if (!networkOf(config)->exchangesStatistics()) return;
  if (!info.goesWithout.empty()) throw UserError(say::synchronisedNormWaits, config.network, Words{info.name});
  if (info.reducer == Reducer::Neighbours)
    throw UserError(say::synchronisedNormOfNeighbours, config.network, Words{info.name});
  if (!info.synchronous) throw UserError(say::synchronisedNormOfWorkers, config.network, Words{info.name});
}

void resolveNetwork(const Surroundings& here, ResolvedSettings& config) {
  takeNetwork(config, here.network);
  if (isNetworkName(config.network)) takeClasses(here, config);
  LAB_CHECK(isNetworkName(config.network) || !layersOfFile(config).empty());
  if (const Message why = networkOf(config)->whyNotTrained(); !why.empty())
    throw UserError(say::networkIsTimed, Option{"network"}, config.network, why);
  checkExamples(config, here.autoDataset.empty() ? config.dataset : here.autoDataset);
}

void resolveDevices(const StrategyInfo& info, const Surroundings& here, ResolvedSettings& config) {
  if (Message why = whyNotOn(info, config.devices); !why.empty()) throw UserError(std::move(why));
  if (config.devices == DeviceChoice::Cuda && here.gpus == 0)
    throw UserError(say::noCuda, Option{"devices"}, here.whyNoGpu);
  if (config.devices == DeviceChoice::Auto)
    config.devices = mayTakeGpus(config) && here.gpus > 0 ? DeviceChoice::Cuda : DeviceChoice::Simulated;

  if (config.deviceModel.empty()) config.deviceModel = info.defaultDeviceModel;
  if (config.hostLink.empty()) config.hostLink = info.defaultHostLink;
  const Catalogue& catalogue = here.catalogue;
  if (config.link.empty()) config.link = catalogue.linkOf(config.deviceModel, info.defaultLink);
  (void)catalogue.device(config.deviceModel);
  (void)catalogue.link(config.link);
  (void)catalogue.link(config.hostLink);

  if (config.devices != DeviceChoice::Simulated && !(config.slow.empty() && config.slowLink.empty()))
    throw UserError(config.devices == DeviceChoice::Cpu ? say::slowOnProcessor : say::slowOnGpu,
                    Option{config.slow.empty() ? "slow-link" : "slow"});
  if (config.matmul == Precision::Auto) config.matmul = info.matmul;
  if (config.threads == 0) config.threads = here.threads;
}

void checkReducer(const ResolvedSettings& config, const StrategyInfo& info, const Surroundings& here) {
  if (config.reducer == Reducer::Auto) return;
  const std::string_view given = toString(config.reducer);
  if (config.reducer == Reducer::Mpi) {
    if (config.devices != DeviceChoice::Processes) throw UserError(say::mpiNeedsProcesses, Option{"reducer"}, given);
    if (!info.shards.empty()) throw UserError(say::mpiSumsWhole, Option{"reducer"}, given, Words{info.name});
    return;
  }
  if (info.reducers.empty()) throw UserError(say::nothingToReduce, Option{"reducer"}, given, Words{info.name});
  if (std::ranges::find(info.reducers, config.reducer) == info.reducers.end()) {
    std::string allowed;
    for (const Reducer reducer : info.reducers) allowed += " " + std::string(toString(reducer));
    throw UserError(say::reducerNotUsed, Option{"reducer"}, given, Words{info.name}, allowed);
  }
  if (config.reducer == Reducer::Nccl && config.devices == DeviceChoice::Processes && !areOnGpus(config))
    throw UserError(say::ncclAmongProcesses, Option{"reducer"}, given);
  if (config.reducer == Reducer::Nccl && config.devices == DeviceChoice::Cpu)
    throw UserError(say::ncclNeedsGpus, Option{"reducer"}, given);
  if (config.reducer == Reducer::Nccl && config.devices == DeviceChoice::Cuda) {
    if (config.replicas > here.gpus)
      throw UserError(say::ncclNeedsMoreGpus, Option{"reducer"}, given, here.gpus, config.replicas);
    if (!here.whyNoNccl.empty()) throw UserError(say::noNccl, Option{"reducer"}, given, here.whyNoNccl);
  }
}

// The ending selects the format; a name without one gets safetensors.
void checkSave(const std::string& save, const Surroundings& here) {
  const std::filesystem::path file(save);
  if (!file.has_extension() || isKerasFile(save) || file.extension() == ".safetensors") return;
  if (!here.olderSave.empty()) throw UserError(here.olderSave);
  throw UserError(say::saveForm, Option{"save"}, save);
}

void checkTraining(const ResolvedSettings& config, const Surroundings& here) {
  checkSave(config.save, here);
  checkOutputFiles(config, here.outputPlaces);
  if (config.optimizer == OptimizerKind::Adam && config.momentum != 0)
    throw UserError(say::momentumOfSgd, Option{"momentum"});
  const StrategyInfo& info = strategyInfo(config.strategy);
  const bool hasOwn = info.own != StrategyInfo::Own::Nothing;
  if (hasOwn && config.devices == DeviceChoice::Processes && !config.checkpointDir.empty())
    throw UserError(say::checkpointsOfOwnCopies, Option{"checkpoint-dir"}, Words{info.name});
  if (hasOwn && config.noiseScale) throw UserError(say::noiseOfOwnUpdates, Option{"noise-scale"}, Words{info.name});
  if (config.lrScaling == LearningRateScaling::Staleness && info.synchronous)
    throw UserError(say::stalenessOfServers, Option{"lr-scaling"});
  if (config.files != 1 && config.split != SplitSource::File) throw UserError(say::filesOfSplit, Option{"files"});
  if (config.resume && config.checkpointDir.empty()) throw UserError(say::resumeNeedsFolder, Option{"resume"});
  if (config.resume && !config.init.empty()) throw UserError(say::initAndResume, Option{"init"});
  if (config.checkpointEvery.has_value() && config.checkpointDir.empty())
    throw UserError(say::everyNeedsFolder, Option{"checkpoint-every"});
  if (info.synchronous) (void)resolveSplit(splitOf(config));
}

// Checked here, so that the system does not run out of memory in the middle of a run.
void checkMemory(const ResolvedSettings& config, const Surroundings& here) {
  const double most = kUsableMemory * static_cast<double>(here.memoryBytes);
  const double need = memoryNeed(config);
  if (here.memoryBytes > 0 && need > most)
    throw UserError(say::notEnoughMemory, Option{"replicas"}, config.replicas, config.batchPerReplica,
                    Bytes{static_cast<std::int64_t>(need)}, Bytes{here.memoryBytes});
}

}  // namespace

Message whyNotOn(const StrategyInfo& info, DeviceChoice devices) {
  const Option option{"devices"};
  const Words name{info.name};
  if (const auto why = info.notOn.find(devices); why != info.notOn.end())
    return {*why->second, option, devices == DeviceChoice::Cuda ? "cuda" : "processes", name};
  if (devices == DeviceChoice::Cuda && info.simulatedOnly) return {say::tpuIsSimulatedNotCuda, option};
  if (devices == DeviceChoice::Processes) {
    if (!info.synchronous) return {say::serversAmongProcesses, option, name};
    if (!info.severalMachines) return {say::processesNeedHosts, option, name};
  }
  if (devices == DeviceChoice::Cpu && info.simulatedOnly) return {say::tpuIsSimulated, option};
  if (isReal(devices) && info.modelledOnly()) return {say::arrivalIsModelled, option, name};
  return {};
}

Message whyNotOnGpusOfProcesses(const StrategyInfo& info) {
  if (info.shards.empty()) return {};
  return {say::partsOnProcessors, Option{"worker-devices"}, "cuda", Words{info.name}};
}

bool mayTakeGpus(const SettingsBase& config) {
  if (config.devices != DeviceChoice::Auto) return config.devices == DeviceChoice::Cuda;
  // Describing hardware means simulated hardware.
  const bool described = !config.slow.empty() || !config.slowLink.empty() || !config.deviceModel.empty() ||
                         !config.link.empty() || !config.hostLink.empty();
  return !described && whyNotOn(strategyInfo(config.strategy), DeviceChoice::Cuda).empty();
}

void checkNetwork(const SettingsBase& config, bool examplesGiven) {
  if (examplesGiven) checkExamples(config, config.dataset);
  checkStrategy(config, strategyInfo(config.strategy));
}

ResolvedSettings resolve(RunSettings asked, const Surroundings& here) {
  const StrategyInfo& info = strategyInfo(asked.strategy);
  if (asked.devices == DeviceChoice::Processes) resolveProcesses(asked, info, here);
  ResolvedSettings config = unchecked(asked);
  resolveReplicas(asked, info, config);
  resolveBatch(asked, info, config);
  resolveNetwork(here, config);
  resolveDevices(info, here, config);
  checkStrategy(config, info);
  checkReducer(config, info, here);
  checkProcessGpus(config, here);
  checkTraining(config, here);
  checkMemory(config, here);
  return config;
}

}  // namespace lab
