// SPDX-License-Identifier: GPL-3.0-or-later
// Describes the input pipeline, the sum of the losses, the test step, and an epoch's mean.
#include <QStringList>

#include <algorithm>

#include "core/base/at.h"
#include "core/replay/mean_weights.h"
#include "ui/i18n/words.h"
#include "ui/inspect/describer.h"
#include "ui/playback/beat_steps.h"
#include "ui/playback/captions.h"
#include "ui/playback/fault_captions.h"

namespace lab {
namespace {

constexpr int kMostReplicas = 32;  // that the inspector lists one by one

}  // namespace

const EvalMetric* evaluationAfter(const std::vector<EvalMetric>& all, const StepIndex& step) {
  if (!isEvaluated(step.info(), step.record())) return nullptr;
  const auto found = std::ranges::find(all.rbegin(), all.rend(), step.record().metric.step, &EvalMetric::step);
  return found == all.rend() ? nullptr : &*found;
}

void Describer::pipeline(const Object& object) {
  const bool starts = object.index < 0;
  const std::vector<BeatStep> steps = starts ? startUpSteps(info_, record_) : inputSteps(info_, record_);
  if (steps.empty() || object.index >= std::ssize(steps)) return;
  text_.title = starts ? tr("Start-up") : tr("Input pipeline");
  if (starts) {
    QStringList lines;
    for (const BeatStep& step : steps) lines << step.line;
    text_.code = lines.join(QLatin1Char('\n'));
    text_.note = steps.back().saying;
    return;
  }
  const BeatStep& now = at(steps, object.index);
  text_.subtitle = now.line;
  for (const BeatStep& step : steps) row(step.line, step.detail);
  QStringList first;
  for (int r = 0; r < info_.replicas; ++r)
    for (const std::int64_t example : at(record_.replicas, r).shard)
      if (first.size() < 8 && record_.metric.worker.value_or(r) == r) first << countText(example);
  row(tr("First images of this batch"), first.join(QStringLiteral(" · ")));
  text_.note = now.saying + QLatin1Char(' ') + inputNote(info_);
}

void Describer::loss(const Object& object) {
  if (step_.asynchronous() || info_.replicas < 2) return;
  const LossParts losses = lossParts(info_, record_);
  const WrittenSum sum = writtenSum(losses.parts);
  const bool loop = info_.config.lossReduction == LossReduction::Loop;
  if (object.endpoint >= 0) {
    if (!isReplica(object.endpoint)) return;
    const auto r = static_cast<std::size_t>(object.endpoint);
    const ReplicaStep& replica = record_.replicas[r];
    const auto images = std::ssize(replica.shard);
    const bool isKnown = replica.losses.size() == replica.shard.size();  // of a class's late worker nobody knows them
    text_.title = tr("Loss of %1").arg(nameOf(object.endpoint));
    if (const QString absent = absenceWords(record_, object.endpoint); !absent.isEmpty()) {
      row(tr("Now"), absent);
      return;
    }
    row(tr("Images"), countText(images));
    if (isKnown) row(tr("Sum of their losses"), lossNumber(losses.sums[r]));
    if (isKnown && images > 0) row(tr("Their mean"), lossNumber(losses.sums[r] / static_cast<double>(images)));
    row(record_.metric.leavesOut(object.endpoint) ? tr("Left out of the sum: too late")
        : loop                                    ? tr("Divided by the global batch")
        : losses.used == 1                        ? tr("Their mean: no other replica counts")
                                                  : tr("Their mean divided by %1 replicas").arg(countText(losses.used)),
        sum.terms[object.endpoint]);
    return;
  }
  text_.title = tr("Sum of the replicas' losses");
  for (int r = 0; r < std::min(info_.replicas, kMostReplicas); ++r) {
    const QString absent = absenceWords(record_, r);
    row(nameOf(r), absent.isEmpty() ? sum.terms[r] : absent);
  }
  moreReplicas(info_.replicas);
  row(tr("reduce(SUM)"), sum.whole());
  row(record_.metric.dropped() > 0 ? tr("Mean over the images that count, as reported")
                                   : tr("Mean over all images, as reported"),
      lossNumber(losses.reported));
  row(tr("Had each divided by its own batch"),
      losses.timesTooLarge == 0 ? tr("%1: too large, and so are the gradients").arg(lossNumber(losses.wrongSum))
      : losses.timesTooLarge == 1
          ? tr("%1: no difference, with one replica in the sum").arg(lossNumber(losses.wrongSum))
          : tr("%1: %2 times too large, and so are the gradients")
                .arg(lossNumber(losses.wrongSum), countText(losses.timesTooLarge)));
  text_.note = logExplanation(info_);
}

// A row for those of `all` replicas that have none of their own.
void Describer::moreReplicas(std::int64_t all) {
  if (all > kMostReplicas) row(tr("and %1 more").arg(countText(all - kMostReplicas)), QStringLiteral("…"));
}

void Describer::evaluation() {
  if (!isEvaluated(info_, record_)) return;
  text_.title = tr("Test step");
  row(tr("Test images"), countText(info_.testExamples));
  const Beat* beat = story_.find(BeatKind::Evaluate);
  const bool reached = beat != nullptr && seconds_ >= beat->beginS;
  if (!reached || evaluation_ == nullptr) {
    row(tr("Recognised"), reached ? tr("the result is not there yet") : tr("not computed yet"));
  } else {
    evaluationShares();
    row(tr("Accuracy"), percentText(evaluation_->testAccuracy));
    row(tr("Test loss"), lossNumber(evaluation_->testLoss));
  }
  text_.note =
      info_.isClass ? tr("The server alone answers, with the weights after this step, and counts the right answers: "
                         "the workers have no test images. No weight changes.")
      : info_.parameterDevices > 0
          ? tr("All share the test images and answer with the only copy of the weights; right answers are added, and "
               "divided by the number of images they are the accuracy. No weight changes.")
      : copiesMayDiffer(info_, record_)
          ? tr("Test images are distributed by the same rules as training images. Every replica answers with the mean "
               "of all "
               "copies; right answers are added, and the sum over all images is the accuracy. No weight changes.")
          : tr("Test images are distributed by the same rules as training images. Every replica answers with its own "
               "weights; right answers are added, and the sum over all images is the accuracy. No weight changes.");
}

// What each replica counted, and the result of reduce(SUM). A file has no counts.
void Describer::evaluationShares() {
  std::int64_t right = 0;
  for (std::size_t r = 0; r < evaluation_->shares.size(); ++r) {
    const EvalShare& share = evaluation_->shares[r];
    right += share.correct;
    if (share.examples == 0 && deadTaskOf(info_, record_, static_cast<int>(r), ns_) != nullptr) continue;
    if (static_cast<int>(r) < kMostReplicas)
      row(tr("%1 recognised").arg(nameOf(static_cast<int>(r))),
          tr("%1 of %2").arg(countText(share.correct), countText(share.examples)));
  }
  moreReplicas(std::ssize(evaluation_->shares));
  if (evaluation_->shares.size() > 1)
    row(tr("reduce(SUM)"), tr("%1 of %2").arg(countText(right), countText(info_.testExamples)));
}

void Describer::epochMean() {
  if (!endsEpoch(info_, record_)) return;
  text_.title = tr("End of epoch %1").arg(countText(epochOf(info_, record_)));
  row(tr("Steps"), countText(info_.stepsPerEpoch));
  row(tr("Loss of the last step"), lossNumber(record_.metric.loss));
  text_.note = epochCaption(info_, record_) + QLatin1Char(' ') + epochNote(info_);
}

}  // namespace lab
