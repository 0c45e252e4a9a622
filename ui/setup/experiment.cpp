// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/setup/experiment.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/messages.h"
#include "core/keras/keras_json.h"
#include "core/options/config_field.h"
#include "core/options/network_of.h"
#include "core/options/resolve.h"
#include "core/protocol/class_settings.h"
#include "core/training/branches.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/runview/run_controller.h"

namespace lab {
namespace {

bool isBatch(const std::string& setting) {
  return setting == "batch-per-replica" || setting == "global-batch";
}

// Resolves the settings and checks that they can be started here. Throws UserError.
ResolvedSettings startable(const RunSettings& config) {
  ResolvedSettings resolved = resolve(config);
  checkProcessRun(resolved);
  return resolved;
}

// States of the parent are not kept, so the parent is trained again.
RunController::Start startOf(const Experiment::Settings& settings) {
  RunController::Start start;
  start.origin.lineage = settings.lineage;
  if (settings.lineage.empty() || settings.past == nullptr || settings.lineage.back().ofClass) return start;
  start.before = settings.past->before(settings.lineage.back().step);
  return start;
}

}  // namespace

Experiment::Experiment(RunController& controller, QObject* parent) : QObject(parent), controller_(controller) {
  resolved_ = resolve(asked_);
}

void Experiment::begin(const RunSettings& config, By whom, const Lineage& lineage) {
  if (!lineage.empty()) checkLineage(lineage, resolve(config));
  Settings settings{config, config, batchKeptBy(config, keeps_), lineage};
  // A configuration that gives both batches, as a recorded one does, keeps the one that is kept here.
  if (config.globalBatch && config.batchPerReplica)
    settings.wish = keepingBatch(config, resolve(config), settings.keeps);
  goBackTo(settings, whom);
}

void Experiment::refusalChanged() {
  forgetComplaint();
  Q_EMIT changed();
}

void Experiment::setClassWorkers(std::optional<int> workers) {
  if (std::exchange(classWorkers_, workers) != workers) Q_EMIT changed();
}

void Experiment::beginOrComplain(const RunSettings& config, const Lineage& lineage) {
  try {
    begin(config, By::Anyone, lineage);
  } catch (const UserError& error) {
    complain(error);
  }
}

void Experiment::complain(const UserError& error) {
  complaint_ = coreSentence(error);
  about_.clear();
  Q_EMIT changed();
}

void Experiment::refuseLocked(const ResolvedSettings& resolved) const {
  if (!refusal_) return;
  for (const ConfigField& field : configFields()) {
    if (field.get(resolved) == field.get(resolved_)) continue;
    const QString why = refusal_(QString::fromStdString(field.name));
    if (!why.isEmpty()) throw UserError(say::verbatim, why.toStdString());
  }
}

Experiment::Settings Experiment::settings() const {
  return {withoutOutputs(asked_), withoutOutputs(withoutRefused(wish_)), keeps_, lineage_, past_,
          controller_.metrics()};
}

// `wish` with the setting that was refused last as it is in force: a refused value never takes that one's place.
RunSettings Experiment::withoutRefused(RunSettings wish) const {
  if (pending_.empty()) return wish;
  if (pending_ != "network") return withSetting(wish, pending_, configField(pending_).get(asked_));
  wish.network = asked_.network;
  wish.networkFile = asked_.networkFile;
  wish.init = asked_.init;
  return wish;
}

bool Experiment::isOf(const Settings& settings) const {
  return settings.run.lock() == controller_.metrics();
}

void Experiment::forgetPast() {
  controller_.forgetAside();
}

bool Experiment::isBusy() {
  const QString why = busyWords();
  if (why.isEmpty()) return false;
  complaint_ = why;
  about_.clear();
  Q_EMIT changed();
  return true;
}

void Experiment::goBackTo(const Settings& settings, By whom) {
  if (const QString why = busyWords(); !why.isEmpty()) throw UserError(say::verbatim, why.toStdString());
  const ResolvedSettings resolved = startable(settings.asked);
  if (whom == By::Anyone) refuseLocked(resolved);
  wish_ = settings.wish;
  keeps_ = settings.keeps;
  past_ = settings.past;
  remark_ = remarkOn(wish_, settings.asked);
  pending_.clear();
  complaint_.clear();
  about_.clear();
  start(settings.asked, resolved, startOf(settings), settings.run.lock());
  Q_EMIT changed();
}

void Experiment::start(const RunSettings& asked, const ResolvedSettings& resolved, const RunController::Start& from,
                       const std::shared_ptr<const RunMetrics>& back) {
  Q_EMIT aboutToStart();
  asked_ = asked;
  resolved_ = resolved;
  // The contents of a network's file stay with the settings: they go into files and undo. The file may vanish,
  // but the weights of a .keras file are read from it.
  if (resolved.network == asked_.network) {
    asked_.networkFile = wish_.networkFile = resolved.networkFile;
    if (resolved.init == resolved.network) asked_.init = wish_.init = resolved.init;
  }
  lineage_ = from.origin.lineage;
  if (lineage_.empty()) past_.reset();
  controller_.setAside();
  if (!controller_.bringBack(back)) controller_.start(asked_, true, from);
  Q_EMIT started();
}

void Experiment::branch(const RunController::Start& from) {
  if (isBusy()) return;
  past_ = controller_.metrics();  // the library keeps them too
  const RunBranch& branch = from.origin.lineage.back();
  if (branch.ofClass) {
    ResolvedSettings resolved;
    try {
      resolved = resolve(branch.config);
    } catch (const UserError& error) {  // a file of the settings has gone
      return complain(error);
    }
    start(branch.config, resolved, from);
  } else {
    start(withoutOutputs(asked_), resolved_, from);
  }
  Q_EMIT changed();
}

void Experiment::again() {
  if (isBusy()) return;
  const RunSettings asked = withoutOutputs(asked_);
  ResolvedSettings resolved;
  try {
    resolved = resolve(asked);
  } catch (const UserError& error) {  // a file of the settings may have gone since the run began
    return complain(error);
  }
  forgetComplaint();              // an earlier refusal to start it
  wish_ = withoutOutputs(wish_);  // the kept settings stay the same
  start(asked, resolved);
  Q_EMIT changed();
}

// Serves the settings as they are; a class ignores what its workers decide themselves.
void Experiment::serve(const RunSettings& config, const ClassRun::Wishes& wishes) {
  (void)serving::classSettings(config);
  RunController::Start from;
  from.serve = wishes;
  look(config, from);
}

void Experiment::look(const RunSettings& config, const RunController::Start& at) {
  if (const QString why = busyWords(); !why.isEmpty()) throw UserError(say::verbatim, why.toStdString());
  const ResolvedSettings resolved = resolve(config);
  refuseLocked(resolved);
  wish_ = config;
  remark_.clear();
  pending_.clear();
  complaint_.clear();
  about_.clear();
  start(config, resolved, at);
  Q_EMIT changed();
}

void Experiment::resume() {
  const WorkerProcesses& processes = controller_.processes();
  const std::int64_t step = processes.resumesAt();
  if (step == 0 || isBusy()) return;
  RunController::Start from;
  // Steps after the checkpoint are trained again. They are left out before anything follows the metrics.
  from.before = controller_.metrics()->before(step + 1);
  from.checkpoints = processes.checkpoints();
  start(asked_, resolved_, from);
  Q_EMIT changed();
}

// `wish` as the present strategy accepts it, after a change of the setting `key`.
RunSettings Experiment::fit(const RunSettings& wish, const std::string& key) const {
  RunSettings config = fitted(wish, key);
  // Workers that come and go do not change the others' batch.
  if (!isBatch(key) && wish.globalBatch && !wish.batchPerReplica && !hasGlobalBatch() &&
      !strategyInfo(config.strategy).synchronous)
    config.batchPerReplica = resolved_.batchPerReplica;
  return config;
}

void Experiment::set(const QString& name, const QString& value) {
  if (isBusy()) return;
  if (const QString why = refusal(name); !why.isEmpty()) {
    complaint_ = why;
    about_ = name;
    Q_EMIT changed();
    return;
  }
  const std::string key = name.toStdString();
  RunSettings wish = wish_;
  try {
    // With another strategy the setting refused last no longer applies.
    if (key == "strategy") wish = withoutRefused(wish);
    if (configField(key).group != "Output") wish = withoutOutputs(wish);
    wish = withSetting(wish, key, value.toStdString());
    // Until now, a batch that the replicas do not share evenly could not be kept per replica.
    if (key == "replicas" && keeps_ == BatchKept::PerReplica && wish.globalBatch && hasGlobalBatch()) {
      wish.batchPerReplica = resolved_.batchPerReplica;
      wish.globalBatch.reset();
    }
    RunSettings next = fit(wish, key);
    ResolvedSettings resolved;
    try {
      resolved = startable(next);
    } catch (const UserError&) {
      if (pending_.empty() || pending_ == key) throw;
      // The previously refused setting blocks a change that is fine without it.
      wish = withoutRefused(wish);
      next = fit(wish, key);
      resolved = startable(next);
    }
    wish = settled(wish, key);
    // A setting that was refused and reported, and is still not in force, is dropped.
    for (const ConfigField* field : notInForce(wish, next))
      if (field->name == pending_) wish = withoutRefused(wish);
    if (isBatch(key)) {
      wish = keepingBatch(wish, resolved, keeps_);
      next = keepingBatch(next, resolved, keeps_);
    }
    const bool same = configToJson(resolved) == configToJson(resolved_) && !controller_.isOver();
    complaint_.clear();
    about_.clear();
    pending_.clear();
    remark_ = remarkOn(wish, next);
    wish_ = wish;
    if (same) {
      asked_ = next;
    } else {
      start(next, resolved);
    }
  } catch (const UserError& error) {
    complaint_ = coreSentence(error);
    about_ = name;
    pending_ = key;
    wish_ = wish;
  }
  Q_EMIT changed();
}

// A refused value stays with its complaint until it is corrected or taken back.
void Experiment::forgetComplaint() {
  if (!pending_.empty()) return;
  complaint_.clear();
  about_.clear();
}

void Experiment::takeBackRefused() {
  if (about_.isEmpty()) return;
  wish_ = withoutRefused(wish_);
  pending_.clear();
  complaint_.clear();
  about_.clear();
  Q_EMIT changed();
}

void Experiment::setNetwork(const NeuralNetwork& network) {
  wish_.networkFile = {kEditedNetwork, kerasJson(network)};
  set(QStringLiteral("network"), QLatin1String(kEditedNetwork));
}

bool Experiment::runs(const RunSettings& settings) const {
  return configToJson(settings) == configToJson(withoutOutputs(asked_));
}

void Experiment::keepBatch(BatchKept kept) {
  if (kept == keeps_ || !hasGlobalBatch()) return;
  keeps_ = kept;
  wish_ = keepingBatch(wish_, resolved_, kept);
  asked_ = keepingBatch(asked_, resolved_, kept);  // the same run in another form
  Q_EMIT changed();
}

QString Experiment::remarkOn(const RunSettings& wish, const RunSettings& next) const {
  const StrategyInfo& info = strategyInfo(next.strategy);
  QStringList notOfIt, notWithTheOthers;
  for (const ConfigField* field : notInForce(wish, next))
    (field->belongsTo(info) ? notWithTheOthers : notOfIt)
        << QStringLiteral("%1 %2").arg(settingName(*field), settingText(*field, field->get(wish)));
  QStringList sentences;
  if (!notOfIt.isEmpty())
    sentences << tr("Not used with %1, and kept for later: %2.").arg(coreText(info.name), notOfIt.join(u", "));
  if (!notWithTheOthers.isEmpty())
    sentences << tr("Does not fit the other settings, and is kept for later: %1.").arg(notWithTheOthers.join(u", "));
  if (!sentences.isEmpty() && wish.globalBatch && !next.globalBatch && next.batchPerReplica)
    sentences << tr("Each worker takes its own batch of %Ln images.", nullptr, plural(*next.batchPerReplica));
  return sentences.join(u' ');
}

void Experiment::slowDown(int replica, double factor) {
  auto slow = asked_.slow;
  std::erase_if(slow, [&](const auto& straggler) { return straggler.first == replica; });
  if (factor != 1) slow.emplace_back(replica, factor);
  std::sort(slow.begin(), slow.end());
  RunSettings config = asked_;
  config.slow = slow;
  set(QStringLiteral("slow"), QString::fromStdString(configField("slow").get(config)));
}

}  // namespace lab
