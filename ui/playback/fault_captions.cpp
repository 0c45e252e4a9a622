// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/playback/fault_captions.h"

#include <algorithm>

#include "core/base/at.h"
#include "core/strategy/strategy.h"
#include "core/training/faults.h"
#include "ui/i18n/words.h"

namespace lab {

// Where the clock stands, as in beats for reading, the moment would be shown too early.
double faultSeconds(const Story& story, const StepRecord& record, const RunFault& fault) {
  const auto dead = std::ranges::find_if(
      record.dead, [&](const DeadTask& one) { return one.task == fault.task && one.index == fault.index; });
  if (dead == record.dead.end() || story.beats.empty()) return 0;
  for (const Beat& beat : story.beats) {
    const bool moves = beat.endNs > beat.beginNs && beat.kind != BeatKind::Startup;
    if (moves && dead->sinceNs <= beat.endNs)
      return std::clamp(story.secondsAt(dead->sinceNs), beat.motionS, beat.endS);
  }
  return story.beats.back().motionS;
}

QString abortedCaption(const RunInfo& info, const StepRecord& record) {
  const DeadTask& dead = record.dead.back();
  const QString waited = durationText(record.endNs - dead.sinceNs);
  const RunFault* fault = info.lineage.empty() || !info.lineage.back().fault ? nullptr : &*info.lineage.back().fault;
  const QString error = fault == nullptr ? QString() : QString::fromStdString(tensorFlowError(*fault, info.config));
  QString words;
  if (dead.task == RunFault::Task::Server)
    words = tr("Parameter server %1 is dead, and its variables with it: training ends after %2 (modelled).")
                .arg(dead.index)
                .arg(waited);
  else if (dead.task == RunFault::Task::Chief)
    words = tr("The coordinator is dead: nobody hands out closures any more, and training ends.");
  else if (dead.index == 0)
    words = tr("Worker 0, the chief, is dead: the all-reduce waits %1 (modelled), then training stops. It "
               "wrote the backups: they must be where its successor can read them.")
                .arg(waited);
  else
    words =
        tr("Worker %1 is dead: the all-reduce waits %2 (modelled), then training stops.").arg(dead.index).arg(waited);
  return error.isEmpty() ? words : words + QLatin1Char(' ') + error;
}

QString deadWorkerCaption(const StepRecord& record, std::int64_t ns) {
  for (const DeadTask& dead : record.dead) {
    if (dead.task != RunFault::Task::Worker) continue;
    const auto isNow = [&](std::int64_t at) { return at > record.beginNs && at <= std::min(ns, record.endNs); };
    if (dead.takenBy >= 0 && isNow(dead.takenNs))
      return tr("The coordinator has noticed: worker %1's closure is back in the queue, and worker %2 takes one.")
          .arg(dead.index)
          .arg(dead.takenBy);
    if (isNow(dead.noticedNs))
      return tr("The coordinator has noticed: worker %1's closure is back in the queue, for the next free worker.")
          .arg(dead.index);
    if (dead.sinceNs >= record.beginNs && dead.sinceNs <= ns)
      return tr("Worker %1 dies in the middle of its closure: what it has computed is lost. The coordinator notices %2 "
                "later (modelled); the others go on.")
          .arg(dead.index)
          .arg(durationText(dead.noticedNs - dead.sinceNs));
  }
  return {};
}

QString brokenReductionCaption(const StepRecord& record, std::int64_t ns) {
  for (const DeadTask& dead : record.dead)
    if (dead.task == RunFault::Task::Worker && dead.sinceNs <= ns)
      return tr("Worker %1 is dead: its part of the sum never comes. The all-reduce waits %2 (modelled), then training "
                "stops.")
          .arg(dead.index)
          .arg(durationText(record.endNs - dead.sinceNs));
  return {};
}

const DeadTask* deadTaskOf(const RunInfo& info, const StepRecord& record, int endpoint, std::int64_t ns) {
  const bool isServer = endpoint >= info.replicas;
  const int index = isServer                                         ? endpoint - info.replicas
                    : strategyInfo(info.config.strategy).synchronous ? at(info.legend.endpoints, endpoint).host
                                                                     : endpoint;
  const auto found = std::ranges::find_if(record.dead, [&](const DeadTask& dead) {
    return dead.task == (isServer ? RunFault::Task::Server : RunFault::Task::Worker) && dead.index == index &&
           ns >= dead.sinceNs;
  });
  return found == record.dead.end() ? nullptr : &*found;
}

QStringList deadWorkerForms(int worker) {
  return {tr("✕ worker %1 is dead").arg(worker), tr("✕ %1 dead").arg(worker), QStringLiteral("✕ %1").arg(worker)};
}

QString deathWords(const RunInfo& info, const StepRecord& record, const DeadTask& dead, std::int64_t ns) {
  const RunFault* fault = nullptr;
  for (const RunBranch& branch : info.lineage)
    if (branch.fault && branch.fault->what != RunFault::What::Revive && branch.fault->task == dead.task &&
        branch.fault->index == dead.index)
      fault = &*branch.fault;
  const bool cut = fault != nullptr && fault->what == RunFault::What::Freeze;
  const QString step = countText(fault == nullptr ? record.metric.step : fault->step);
  if (ns <= dead.sinceNs)
    return (cut ? tr("cut off in step %1, just now (modelled)") : tr("killed in step %1, just now (modelled)"))
        .arg(step);
  const QString since = durationText(ns - dead.sinceNs);
  return (cut ? tr("cut off in step %1, %2 ago (modelled)") : tr("killed in step %1, %2 ago (modelled)"))
      .arg(step, since);
}

}  // namespace lab
