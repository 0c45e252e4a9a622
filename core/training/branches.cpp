// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/branches.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <span>
#include <utility>

#include "core/base/error.h"
#include "core/base/messages.h"
#include "core/config/resolved_settings.h"
#include "core/data/split.h"
#include "core/files/messages.h"
#include "core/model/neural_network.h"
#include "core/options/config_field.h"
#include "core/options/derived_settings.h"
#include "core/options/network_of.h"
#include "core/options/resolve.h"
#include "core/strategy/strategy.h"
#include "core/training/faults.h"
#include "core/training/messages.h"
#include "core/training/trainer.h"

namespace lab {
namespace {

// Returns whether a synchronous run may change this setting between two steps. Its state is one set of variables with
// their slots, and the place in the data, which these settings do not affect.
bool mayChange(const ConfigField& field) {
  static const std::set<std::string_view> kMay{"strategy",      "replicas",   "hosts",         "batch-per-replica",
                                               "device-model",  "link",       "host-link",     "catalogue",
                                               "matmul",        "slow",       "reducer",       "bytes-per-pack",
                                               "learning-rate", "lr-scaling", "warmup-epochs", "loss-scaling"};
  return !field.changesResults || kMay.contains(field.name);
}

// The same for asynchronous workers, which always have gradients under way.
bool mayChangeAsynchronous(const ConfigField& field) {
  static const std::set<std::string_view> kMay{"learning-rate", "lr-scaling", "warmup-epochs"};
  return !field.changesResults || kMay.contains(field.name);
}

void checkChanges(const ResolvedSettings& parent, const ResolvedSettings& config) {
  const bool synchronous = strategyInfo(parent.strategy).synchronous;
  for (const ConfigField& field : configFields()) {
    const std::string was = field.get(parent), is = field.get(config);
    if (was == is || (field.name == "init" && is.empty())) continue;
    if (field.name == "momentum" && parent.momentum > 0 && config.momentum > 0 && synchronous) continue;
    if (field.name == "strategy" && (!synchronous || !strategyInfo(config.strategy).synchronous))
      throw UserError(say::cannotBranch, Option{field.name}, say::gradientsUnderWay);
    // A setting that only one of the two strategies has is not a change.
    const bool isNew = parent.strategy != config.strategy && was.empty() != is.empty();
    const auto isThis = [&](const OwnSetting& own) { return own.mayChange && own.name == field.name; };
    if (isNew || std::ranges::any_of(strategyInfo(config.strategy).settings, isThis)) continue;
    if (synchronous ? mayChange(field) : mayChangeAsynchronous(field)) continue;
    throw UserError(say::cannotBranch, Option{field.name},
                    field.name == "momentum" || field.name == "optimizer" ? say::otherSlots
                    : synchronous                                         ? say::fromTheFirstStep
                                                                          : say::gradientsUnderWay);
  }
  // The state has one place in the data, which means the same to any number of hosts only if they share one pipeline.
  if (synchronous && parent.hosts != config.hosts && resolveSplit(splitOf(config)).rule != SplitRule::Legacy)
    throw UserError(say::cannotBranch, Option{"hosts"}, say::hostsReadTheirOwn);
  if (layersOfFile(parent) != layersOfFile(config))
    throw UserError(say::cannotBranch, Option{"network"}, say::fromTheFirstStep);
}

void checkEdit(const RunBranch& branch, const ResolvedSettings& config) {
  const RunEdit& edit = *branch.edit;
  if (config.devices == DeviceChoice::Cuda) throw UserError(say::noEditOnGpu, Option{"devices"});
  const StrategyInfo& strategy = strategyInfo(config.strategy);
  if (edit.what == RunEdit::What::Weight && strategy.shardStage(config) >= StrategyInfo::kWholeNowhere)
    throw UserError(say::noEditOfParts, Words{strategy.name});
  if (edit.replica < 0 || edit.replica >= config.replicas)
    throw UserError(say::noSuchReplica, edit.replica, config.replicas - 1);
  const std::int64_t size = networkOf(config)->layout().size();
  if (edit.index < 0 || edit.index >= size) throw UserError(say::noSuchValue, edit.index, size);
  if (edit.step != branch.step || edit.bit < 0 || edit.bit > 31 || (edit.value && !std::isfinite(*edit.value)))
    throw UserError(say::badEdit);
}

// Resolves again, because the file may have been written by hand.
ResolvedSettings settingsOf(const RunBranch& branch) {
  return resolve(withoutOutputs(branch.config));
}

// Returns settings for the parent's steps alone.
ResolvedSettings parentOf(const RunBranch& branch, const ResolvedSettings& child, bool evaluated) {
  ResolvedSettings config = settingsOf(branch);
  config.threads = child.threads;
  if (!evaluated) config.evalEvery = 0;
  config.steps = std::max<std::int64_t>(1, branch.step - 1);
  return config;
}

std::optional<Checkpoint> stateBefore(const Lineage& lineage, const ResolvedSettings& child,
                                      const std::shared_ptr<const Dataset>& dataset, const Checkpoint* near,
                                      const std::function<bool()>& goOn, std::vector<Metric>* past) {
  const RunBranch& branch = lineage.back();
  if (branch.fault && branch.fault->atNs > 0) {
    // Take the lineage of the ancestor that took the backup's step; everything after the backup is lost.
    const auto last = std::ranges::find_if(lineage, [&](const RunBranch& one) { return one.step >= branch.step; });
    Lineage backup(lineage.begin(), last);
    backup.push_back({"", last->config, branch.step, std::nullopt, std::nullopt});
    return stateBefore(backup, child, dataset, near, goOn, past);
  }
  if (branch.ofClass && near == nullptr) throw UserError(say::branchOfClass, branch.step);
  Telemetry silent{1};
  silent.setSpansWanted(false);
  Trainer parent(parentOf(branch, child, past != nullptr), dataset, silent, {lineage.begin(), lineage.end() - 1});
  if (near != nullptr)
    parent.loadState(*near);
  else if (lineage.size() > 1 && !startBranch(parent, dataset, nullptr, goOn, past))
    return std::nullopt;
  while (parent.stepsDone() < branch.step - 1) {
    if (!goOn()) return std::nullopt;
    parent.step();
    std::vector<Metric> reported = silent.takeMetrics();
    if (past != nullptr) std::ranges::move(reported, std::back_inserter(*past));
  }
  // On GPUs the last step is reported only when somebody waits for it; saveState() does.
  Checkpoint state = parent.saveState();
  if (past != nullptr) std::ranges::move(silent.takeMetrics(), std::back_inserter(*past));
  return state;
}

}  // namespace

void checkLineage(const Lineage& lineage, const ResolvedSettings& config) {
  if (lineage.size() > kMostBranches) throw UserError(say::badLineage, "branches");
  std::vector<ResolvedSettings> settings;  // begins with the oldest ancestor
  for (const RunBranch& branch : lineage) settings.push_back(settingsOf(branch));
  settings.push_back(config);
  std::int64_t step = 1;
  for (std::size_t i = 0; i < lineage.size(); ++i) {
    const RunBranch& branch = lineage[i];
    if (branch.step < step && !(branch.fault && branch.fault->atNs > 0)) throw UserError(say::badLineage, "step");
    step = branch.step;
    checkChanges(settings[i], settings[i + 1]);
    if (branch.edit) checkEdit(branch, settings[i + 1]);
  }
  checkFaults(lineage, std::span(settings).subspan(1));
}

std::vector<Message> describe(const Lineage& lineage) {
  if (lineage.empty()) return {};
  const RunBranch& branch = lineage.back();
  std::vector<Message> said;
  said.emplace_back(branch.parent.empty() ? Message(say::branchFrom, branch.step)
                                          : Message(say::branchOf, branch.parent, branch.step));
  if (const auto& edit = branch.edit)
    said.emplace_back(edit->what == RunEdit::What::Weight ? say::editedWeight : say::editedGradient, edit->index,
                      edit->replica, edit->step);
  if (branch.fault) said.push_back(describe(*branch.fault));
  return said;
}

bool startBranch(Trainer& trainer, const std::shared_ptr<const Dataset>& dataset, const Checkpoint* near,
                 const std::function<bool()>& goOn, std::vector<Metric>* past) {
  const Lineage& lineage = trainer.info().lineage;
  if (lineage.empty()) return true;
  const std::optional<Checkpoint> state = stateBefore(lineage, trainer.info().config, dataset, near, goOn, past);
  if (state) trainer.startFrom(*state);
  return state.has_value();
}

}  // namespace lab
