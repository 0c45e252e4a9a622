// SPDX-License-Identifier: GPL-3.0-or-later
// The moment on the stage, beside the run's latest figures, which may belong to a later step.
#include "core/base/at.h"
#include "core/strategy/strategy.h"
#include "ui/i18n/words.h"
#include "ui/inspect/describer.h"
#include "ui/playback/captions.h"

namespace lab {

std::vector<Description::Row> describeMoment(const StepIndex& step, const Story& story, double seconds) {
  const RunInfo& info = step.info();
  const StepRecord& record = step.record();
  const StepMetric& metric = record.metric;
  const std::int64_t ns = story.clockAt(seconds);
  bool computed = true;
  for (int r = 0; r < info.replicas; ++r)
    if (step.asynchronous() ? r == *metric.worker : !at(record.replicas, r).shard.empty() && !metric.leavesOut(r))
      computed = computed && step.hasLoss(r, ns);
  std::vector<Description::Row> rows;
  const auto row = [&rows](const QString& name, const QString& value) {
    rows.push_back({.name = name, .value = value});
  };
  row(tr("Step", "of the moment"), tr("%1 of %2").arg(countText(metric.step), countText(info.totalSteps)));
  row(tr("Moment"), story.beats[story.beatAt(seconds)].name);
  row(tr("Loss of its batch"), computed ? lossText(metric.loss, 4) : tr("not computed yet"));
  if (metric.worker) row(tr("Worker"), endpointName(info, *metric.worker));
  if (record.onOtherPath) row(tr("Its numbers"), tr("from this computer's instruction set, not the worker's"));
  if (!strategyInfo(info.config.strategy).keepsCopies(info.config) || info.replicas < 2 || info.isClass) return rows;
  const Beat* check = story.find(BeatKind::Check);
  const bool compared = check == nullptr || seconds >= check->verdictS();  // as in the caption
  row(tr("Copies of the variables"), metric.aborted                    ? tr("not compared: the step was given up")
                                     : !compared                       ? tr("compared when the step ends")
                                     : metric.copiesShared             ? tr("one, shared by all replicas")
                                     : !metric.mirrorsIdentical        ? tr("need not be equal after this step")
                                     : metric.mirrorsIdentical == true ? tr("identical")
                                                                       : tr("they differ"));
  return rows;
}

}  // namespace lab
