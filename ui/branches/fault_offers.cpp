// SPDX-License-Identifier: GPL-3.0-or-later
// Lists the tasks of the window's run that can die or come back in the shown step, each with the branch that results.
#include <algorithm>
#include <exception>
#include <utility>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "core/training/branches.h"
#include "core/training/faults.h"
#include "ui/branches/branches.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/setup/process_bar.h"

namespace lab {
namespace {

using Task = RunFault::Task;
using What = RunFault::What;

FaultOffer faultOffer(const RunController& run, const QString& parent, const QString& words, const RunFault& fault) {
  FaultOffer offer{fault, words, {}, {}};
  RunController::Start& from = offer.from;
  from = branchOf(run, {parent.toStdString(), parentSettings(run), fault.step, std::nullopt, fault});
  try {
    checkLineage(from.origin.lineage, run.info()->isClass ? resolve(parentSettings(run)) : run.info()->config);
  } catch (const UserError& error) {
    offer.refusal = coreSentence(error);
  }
  return offer;
}

// After a step that was given up, all tasks start again from a backup.
void offerRestarts(std::vector<FaultOffer>& offers, const RunController& run, const StepRecord& record,
                   const QString& parent) {
  const DeadTask& dead = record.dead.back();
  const QString who = taskWords(dead.task, dead.index);
  bool anew = false;  // whether a new start is offered
  for (const std::int64_t every : {std::int64_t{0}, kBackupSteps}) {
    const std::int64_t backup = backupBefore(record.metric.step, run.info()->stepsPerEpoch, every);
    if (backup == 0 && std::exchange(anew, true)) continue;
    const QString words =
        backup == 0 ? tr("Revive %1: there is no backup yet, so all start again from scratch").arg(who)
        : every == 0
            ? tr("Revive %1: all start again from the epoch's backup, of step %2").arg(who, countText(backup))
            : tr("Revive %1: all start again from a backup every 10 steps, of step %2").arg(who, countText(backup));
    offers.push_back(
        faultOffer(run, parent, words, {backup + 1, dead.task, dead.index, What::Revive, restartNs(record.endNs)}));
  }
}

// Offers to kill real processes.
std::vector<FaultOffer> processOffers(const RunController& run) {
  std::vector<FaultOffer> offers;
  const RunInfo& info = *run.info();
  for (int w = 0; w < std::ssize(info.processes); ++w) {
    const QString words = tr("Kill %1, %2").arg(taskWords(Task::Worker, w), processWords(info, w));
    offers.push_back({{run.liveStep() + 1, Task::Worker, w, What::Kill}, words, killRefusal(run, w), {}, w});
  }
  return offers;
}

// The replica that an object belongs to; -1: none.
int replicaOf(const Object& object, const RunInfo& info) {
  using Kind = Object::Kind;
  for (const Kind kind : {Kind::Digit, Kind::Gradient, Kind::Weights, Kind::Layer, Kind::Device, Kind::Loss})
    if (object.kind == kind && object.endpoint >= 0 && object.endpoint < info.replicas) return object.endpoint;
  return -1;
}

}  // namespace

QString taskWords(Task task, int index) {
  if (task == Task::Chief) return tr("the coordinator");
  return (task == Task::Server ? tr("parameter server %1") : tr("worker %1")).arg(index);
}

QString struckWords(const RunFault& fault) {
  return tr("%1. Play shows what follows, Undo takes it back.").arg(coreSentence(describe(fault)));
}

Object boxOf(const RunFault& fault, const RunInfo& info) {
  if (fault.task == Task::Chief) return {Object::Kind::Queue};
  if (fault.task == Task::Server) return {Object::Kind::VariableShard, info.replicas + fault.index};
  if (!strategyInfo(info.config.strategy).synchronous) return {Object::Kind::Device, fault.index};
  if (info.replicas != info.hosts) return {};
  return {Object::Kind::Device, fault.index};
}

bool concerns(const FaultOffer& offer, const Object& object, const RunInfo& info, int perColumn) {
  const RunFault& fault = offer.fault;
  if (fault.atNs > 0) return true;
  if (object.kind == Object::Kind::Queue) return fault.task == Task::Chief;
  if (object.kind == Object::Kind::Host) return fault.task == Task::Worker && fault.index == object.index;
  if (object.endpoint >= info.replicas)
    return fault.task == Task::Server && fault.index == object.endpoint - info.replicas;
  const int replica = replicaOf(object, info);
  if (replica < 0) return true;
  const bool hosts = strategyInfo(info.config.strategy).tasks == StrategyInfo::Tasks::AllStop;
  const int first = replica / perColumn * perColumn, last = std::min(first + perColumn, info.replicas) - 1;
  const auto workerOf = [&](int r) { return hosts ? at(info.legend.endpoints, r).host : r; };
  return fault.task == Task::Worker && fault.index >= workerOf(first) && fault.index <= workerOf(last);
}

std::vector<FaultOffer> faultOffers(const RunController& run, const Playback& playback, const QString& parent) {
  std::vector<FaultOffer> offers;
  if (run.info() != nullptr && !run.info()->processes.empty()) return processOffers(run);
  if (run.info() == nullptr || !playback.record()) return offers;
  const StepRecord& record = *playback.record();
  if (record.metric.aborted) {
    offerRestarts(offers, run, record, parent);
    return offers;
  }
  const ResolvedSettings& config = run.info()->config;
  const auto tasks = strategyInfo(config.strategy).tasks;
  if (tasks == StrategyInfo::Tasks::OneProcess) return offers;
  const bool allStop = tasks == StrategyInfo::Tasks::AllStop;
  const auto offer = [&](const QString& words, Task task, int index, What what) {
    offers.push_back(
        faultOffer(run, parent, words.arg(taskWords(task, index)), {record.metric.step, task, index, what}));
  };
  for (int w = 0; w < (allStop ? config.hosts : config.replicas); ++w) {
    bool isDead = false;
    for (const DeadTask& dead : record.dead) isDead = isDead || (dead.task == Task::Worker && dead.index == w);
    offer(isDead ? tr("Revive %1") : tr("Kill %1"), Task::Worker, w, isDead ? What::Revive : What::Kill);
    if (allStop) offer(tr("Cut %1 off, as if its machine were lost"), Task::Worker, w, What::Freeze);
  }
  if (allStop) return offers;
  for (int s = 0; s < config.parameterServers; ++s) offer(tr("Kill %1"), Task::Server, s, What::Kill);
  offer(tr("Kill %1"), Task::Chief, 0, What::Kill);
  return offers;
}

}  // namespace lab
