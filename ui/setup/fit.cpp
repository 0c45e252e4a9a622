// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/setup/fit.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "core/base/ceil_divide.h"
#include "core/base/error.h"
#include "core/data/dataset.h"
#include "core/device/cuda/gpu_module.h"
#include "core/model/neural_network.h"
#include "core/options/config_field.h"
#include "core/options/network_of.h"
#include "core/options/resolve.h"
#include "core/prediction/hardware.h"

namespace lab {
namespace {

constexpr std::int64_t kTeachingBatch = 8;
constexpr std::int64_t kTeachingEpochs = 10;  // in Live, one epoch of the embedded digits takes only seconds
constexpr std::int64_t kFewestPerWorker = 4;  // a parameter-server worker's batch in Teach, whatever the number of
                                              // workers

// 2 for 4, 3 for 9, N itself for a prime: several hosts if possible.
std::int64_t fewestHosts(std::int64_t replicas) {
  for (std::int64_t hosts = 2; hosts < replicas; ++hosts) {
    if (replicas % hosts == 0) return hosts;
  }
  return replicas;
}

void fitHosts(RunSettings& config, const StrategyInfo& info, const std::string& changed) {
  if (info.hosts != StrategyInfo::Hosts::Chosen || changed == "hosts") return;
  if (config.devices == DeviceChoice::Processes && !config.hosts) return;  // one host per replica
  const std::int64_t replicas = info.replicasOf(config);
  const std::int64_t hosts = info.hostsOf(config);
  if (replicas % hosts != 0) config.hosts = fewestHosts(replicas);
}

void fitBatch(RunSettings& config, const StrategyInfo& info, const std::string& changed) {
  const std::int64_t replicas = info.replicasOf(config);
  if (!info.synchronous) {
    if (!config.globalBatch || changed == "global-batch") return;
    if (!config.batchPerReplica)
      config.batchPerReplica =
          std::max(ceilDivide(*config.globalBatch, replicas), std::min(kFewestPerWorker, *config.globalBatch));
    config.globalBatch.reset();
  } else if (config.batchPerReplica && config.globalBatch) {
    config.batchPerReplica.reset();
  }
}

bool mayRunOn(const RunSettings& config, const StrategyInfo& info) {
  if (config.deviceModel.empty()) return true;
  try {
    return runsOn(info, catalogueOf(config).device(config.deviceModel), info.replicasOf(config));
  } catch (const UserError&) {  // resolve() reports it
    return true;
  }
}

void fitDevices(RunSettings& config, const StrategyInfo& info, const std::string& changed) {
  const bool impossible =
      !whyNotOn(info, config.devices).empty() ||
      (config.devices == DeviceChoice::Processes && areOnGpus(config) && !whyNotOnGpusOfProcesses(info).empty()) ||
      (config.devices == DeviceChoice::Cuda && !whyNoGpu().empty());
  if (impossible && changed != "devices") config.devices = DeviceChoice::Auto;
  if (changed != "device-model" && !mayRunOn(config, info)) config.deviceModel = config.link = "";
  const std::int64_t replicas = info.replicasOf(config);
  for (const auto& [name, factors] : {std::pair{"slow", &config.slow}, std::pair{"slow-link", &config.slowLink}}) {
    if (isReal(config.devices)) factors->clear();
    if (changed != name) std::erase_if(*factors, [&](const auto& slow) { return slow.first >= replicas; });
  }
}

}  // namespace

RunSettings withSetting(const RunSettings& config, const std::string& name, const std::string& value) {
  const ConfigField& field = configField(name);
  nlohmann::json json = configToJson(config);
  json.erase(name);  // resets to the default, or to an empty list for settings that append
  RunSettings changed = configFromJson(json);
  if (name == "network") {  // a file is read again whenever it is chosen
    changed.networkFile = {};
    if (value == kEditedNetwork && config.networkFile.name == value) changed.networkFile = config.networkFile;
    if (config.init == config.network) changed.init.clear();  // its weights are removed with it
  }
  if (!value.empty()) field.set(changed, value);
  return changed;
}

BatchKept batchKeptBy(const RunSettings& config, BatchKept otherwise) {
  if (config.globalBatch && config.batchPerReplica) return otherwise;
  return config.globalBatch ? BatchKept::Global : BatchKept::PerReplica;
}

RunSettings keepingBatch(RunSettings config, const ResolvedSettings& resolved, BatchKept kept) {
  if (resolved.globalBatch == 0) return config;  // there is no global batch
  if (kept == BatchKept::Global) {
    config.globalBatch = resolved.globalBatch;
    config.batchPerReplica.reset();
  } else if (resolved.sharesEvenly()) {
    config.batchPerReplica = resolved.batchPerReplica;
    config.globalBatch.reset();
  }
  return config;
}

RunSettings settled(RunSettings wish, const std::string& changed) {
  if (wish.batchPerReplica && wish.globalBatch && strategyInfo(wish.strategy).synchronous) {
    if (changed == "batch-per-replica") wish.globalBatch.reset();
    if (changed == "global-batch") wish.batchPerReplica.reset();
  }
  const bool slowed = (changed == "slow" && !wish.slow.empty()) || (changed == "slow-link" && !wish.slowLink.empty());
  if (slowed && isReal(wish.devices)) wish.devices = DeviceChoice::Simulated;
  // The digits are embedded in the program, so a folder needs another data set.
  if (changed == "data-dir" && !wish.dataDir.empty() && wish.dataset == "digits") wish.dataset = "auto";
  return wish;
}

std::vector<const ConfigField*> notInForce(const RunSettings& wish, const RunSettings& next) {
  std::vector<const ConfigField*> fields;
  const RunSettings usual;
  for (const ConfigField& field : configFields()) {
    const std::string wanted = field.get(wish);
    if (wanted == field.get(usual) || wanted == field.get(next)) continue;
    // With a global batch, a worker's own batch is not set.
    if (field.name == "batch-per-replica" && next.globalBatch) continue;
    if (field.name == "data-dir") continue;  // belongs to another data set than the chosen one
    fields.push_back(&field);
  }
  return fields;
}

RunSettings fitted(RunSettings wish, const std::string& changed) {
  const StrategyInfo& info = strategyInfo(wish.strategy);
  wish = settled(std::move(wish), changed);
  // A batch and a reducer have nearest values, below; other settings that the strategy lacks are dropped.
  for (const ConfigField& field : configFields())
    if (!field.belongsTo(info) && field.name != changed && field.name != "global-batch" && field.name != "reducer")
      wish = withSetting(wish, field.name, "");
  fitHosts(wish, info, changed);
  fitBatch(wish, info, changed);
  fitDevices(wish, info, changed);
  const bool processes = wish.devices == DeviceChoice::Processes;
  const bool known = wish.reducer == Reducer::Mpi
                         ? processes && info.shards.empty()
                         : std::ranges::find(info.reducers, wish.reducer) != info.reducers.end();
  const bool ncclWithoutGpu =
      wish.reducer == Reducer::Nccl &&
      (wish.devices == DeviceChoice::Cpu || (processes && !areOnGpus(wish)) ||
       (wish.devices == DeviceChoice::Cuda &&
        (!whyNoNccl().empty() || info.replicasOf(wish) > static_cast<std::int64_t>(gpuInfos().size()))));
  if ((!known || ncclWithoutGpu) && changed != "reducer") wish.reducer = Reducer::Auto;
  if (wish.optimizer == OptimizerKind::Adam && changed != "momentum") wish.momentum = 0;
  if (info.synchronous && wish.lrScaling == LearningRateScaling::Staleness && changed != "lr-scaling")
    wish.lrScaling = LearningRateScaling::None;
  if (wish.dataset == "digits") wish.dataDir.clear();  // the digits are embedded in the program
  if (wish.split == SplitSource::InMemory && changed != "files") wish.files = 1;
  return wish;
}

RunSettings onDigits(RunSettings config) {
  config.dataset = "digits";
  config.dataDir.clear();
  config.trainExamples.reset();
  config.testExamples.reset();
  const auto shape = imageShapeOf(config.dataset);
  bool fits = false;
  try {
    std::error_code ignored;
    const bool weightsGone = config.init == config.network && !std::filesystem::exists(config.init, ignored);
    fits = !weightsGone && std::ranges::equal(networkOf(config)->input(), shape);
  } catch (const UserError&) {  // its file has vanished
  }
  return fits ? config : withSetting(config, "network", "auto");  // its weights are removed with it
}

RunSettings teachingConfig() {
  RunSettings config;
  config.globalBatch = kTeachingBatch;
  config.epochs = kTeachingEpochs;
  return config;
}

}  // namespace lab
