// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiments/comparison.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "core/base/ceil_divide.h"
#include "core/experiments/messages.h"
#include "core/hardware/catalogue.h"
#include "core/options/config_field.h"
#include "core/options/network_of.h"
#include "core/options/resolve.h"
#include "core/strategy/strategy.h"

namespace lab {
namespace {

bool has(const GivenFields& given, std::string_view name) {
  return std::any_of(given.begin(), given.end(), [&](const auto& item) { return item.first->name == name; });
}

void drop(GivenFields& given, std::string_view name) {
  std::erase_if(given, [&](const auto& item) { return item.first->name == name; });
}

// Gives each strategy its own file: metrics.jsonl becomes metrics-mirrored.jsonl.
void nameAfter(std::string& file, std::string_view strategy) {
  if (file.empty()) return;
  const std::filesystem::path path(file);
  const std::string name = path.stem().string() + "-" + std::string(strategy) + path.extension().string();
  file = (path.parent_path() / name).string();
}

void multiply(std::optional<std::int64_t>& steps, std::int64_t factor, std::string_view option) {
  if (!steps) return;
  if (static_cast<double>(*steps) * static_cast<double>(factor) > configField(option).maximum)
    throw UserError(say::tooLargeForWorkers, Option{std::string(option)}, *steps, factor);
  *steps *= factor;
}

// Returns the settings; only the check of the combination is left to resolve.
RunSettings configFor(const StrategyInfo& info, const GivenFields& given) {
  RunSettings config = configOf(given);
  config.strategy = info.kind;
  const std::int64_t usual = config.replicas.value_or(kComparedReplicas);
  const std::int64_t globalBatch =
      config.globalBatch ? *config.globalBatch
                         : (config.batchPerReplica ? *config.batchPerReplica * usual : kComparedGlobalBatch);
  const bool asked = config.globalBatch || config.batchPerReplica;
  if (info.singleReplica)
    config.replicas.reset();
  else if (!config.replicas)
    config.replicas = std::max(kComparedReplicas, info.defaultReplicas);

  config.globalBatch = globalBatch;
  config.batchPerReplica.reset();
  if (!info.synchronous) {
    // Each worker's step takes a share of the global batch, so all workers' steps together see the same examples.
    const std::int64_t workers = *config.replicas;
    if (globalBatch % workers != 0 && !asked)
      throw UserError(say::workersDoNotDivideUsualBatch, Option{"replicas"}, workers, globalBatch, info.key);
    if (globalBatch % workers != 0)
      throw UserError(say::workersDoNotDivideBatch, Option{"global-batch"}, globalBatch, workers, info.key);
    config.globalBatch.reset();
    config.batchPerReplica = globalBatch / workers;
    multiply(config.steps, workers, "steps");
    multiply(config.evalEvery, workers, "eval-every");
    multiply(config.checkpointEvery, workers, "checkpoint-every");
  }
  for (std::string* file : {&config.save, &config.metrics, &config.trace, &config.run}) nameAfter(*file, info.key);
  if (!config.checkpointDir.empty())
    config.checkpointDir = (std::filesystem::path(config.checkpointDir) / info.key).string();
  return config;
}

// Returns why the strategy certainly has no use for an option; empty if it may have.
Message whyUseless(const StrategyInfo& info, std::string_view option, const RunSettings& config) {
  if (option == "replicas" && info.singleReplica && config.replicas != 1) return say::hasOneReplica;
  if (option == "hosts" && info.hosts == StrategyInfo::Hosts::One && config.hosts != 1) return say::runsOnHost;
  const ConfigField& field = configField(option);
  if (field.isForeign(info, config)) return {say::itBelongsTo, field.theirNames()};
  // TPU cores stay TPU cores on their own links, and other devices never become TPU cores.
  const Catalogue catalogue = catalogueOf(config);
  const auto device = std::ranges::find(catalogue.devices(), config.deviceModel, &DeviceModel::id);
  const bool tpu = catalogue.device(info.defaultDeviceModel).standsInTorus();
  const bool tpuDevice = device != catalogue.devices().end() && device->standsInTorus();
  const auto ici = [&](const std::string& id) {
    const auto link = std::ranges::find(catalogue.links(), id, &LinkModel::id);
    return link != catalogue.links().end() && link->family == LinkFamily::Ici;
  };
  if (option == "device-model" && tpuDevice != tpu) return tpu ? say::runsOnTpu : say::notOnTpu;
  if ((option == "link" && ici(config.link) != tpu) || (option == "host-link" && ici(config.hostLink) != tpu))
    return tpu ? say::tpuHasOwnLinks : say::linkOfTpu;
  if (option == "reducer" && config.reducer != Reducer::Auto &&
      std::find(info.reducers.begin(), info.reducers.end(), config.reducer) == info.reducers.end())
    return say::cannotReduceSo;
  return {};
}

// Returns which of the strategy's own options given here the error is about; "" if it is about none of them.
std::string_view refusedOption(const UserError& error, const GivenFields& given) {
  for (const std::string& named : error.message().options()) {
    const auto field = std::ranges::find(configFields(), named, &ConfigField::name);
    if (field != configFields().end() && field->perStrategy && has(given, named)) return field->name;
  }
  return {};
}

}  // namespace

RunSettings configOf(const GivenFields& given) {
  RunSettings config;
  for (const auto& [field, text] : given) field->set(config, text);
  return config;
}

GivenFields givenOf(const RunSettings& asked) {
  RunSettings config = withoutOutputs(asked);
  const ResolvedSettings resolved = resolve(config);
  const StrategyInfo& info = strategyInfo(resolved.strategy);
  config.replicas = resolved.replicas;
  config.globalBatch = resolved.examplesOfReplicas();
  if (!info.synchronous) {
    // A step here is one worker's, so `workers` of its steps count as one step of the others.
    const std::int64_t workers = resolved.replicas;
    for (auto* steps : {&config.steps, &config.evalEvery})
      if (*steps) *steps = ceilDivide(**steps, workers);
  }
  config.batchPerReplica.reset();
  GivenFields given;
  for (const ConfigField& field : configFields())
    if (field.name != "strategy" && !field.isDefault(config)) given.emplace_back(&field, field.get(config));
  return given;
}

ComparedRun comparedRun(const StrategyInfo& info, GivenFields given) {
  ComparedRun run;
  const auto skip = [&](std::string_view option, const Message& why, const UserError& error) {
    drop(given, option);
    run.refused.emplace_back(option, error);
    run.notes.push_back({say::optionLeftOut, info.key, Option{std::string(option)}, why});
  };
  const RunSettings asked = configOf(given);
  for (const ConfigField& field : configFields()) {
    const std::string_view option = field.name;
    if (!field.perStrategy || !has(given, option)) continue;
    const Message why = whyUseless(info, option, asked);
    if (!why.empty())
      skip(option, {say::sentence, why}, UserError(say::suitsNone, Option{std::string(option)}, info.key, why));
  }
  for (;;) {
    try {
      run.config = resolve(configFor(info, given));
      run.taken = std::move(given);
      return run;
    } catch (const UserError& error) {
      const std::string_view option = refusedOption(error, given);
      if (option.empty()) throw;
      skip(option, error.message(), error);
    }
  }
}

Comparison planComparison(const GivenFields& given, const std::vector<StrategyKind>& kinds) {
  Comparison comparison;
  std::vector<std::string> taken;                          // options that some strategy accepted
  std::vector<std::pair<std::string, UserError>> refused;  // option, and the error about that option alone
  for (const StrategyKind kind : kinds) {
    ComparedRun run = comparedRun(strategyInfo(kind), given);
    comparison.runs.push_back(std::move(run.config));
    comparison.notes.insert(comparison.notes.end(), run.notes.begin(), run.notes.end());
    refused.insert(refused.end(), run.refused.begin(), run.refused.end());
    for (const auto& item : run.taken) taken.push_back(item.first->name);
  }
  // Strategies that have no use for an option come last: the others say what is wrong with its value.
  std::ranges::stable_partition(refused, [](const auto& item) { return !item.second.message().is(say::suitsNone); });
  for (const auto& [option, error] : refused)
    if (std::find(taken.begin(), taken.end(), option) == taken.end()) throw error;
  return comparison;
}

}  // namespace lab
