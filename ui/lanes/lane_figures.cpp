// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lanes/lane_figures.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/base/at.h"
#include "core/timeline/link_bytes.h"
#include "ui/charts/quantity.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/runview/run_summary.h"

namespace lab {
namespace {

bool isDuration(LaneFigure figure) {
  return figure == LaneFigure::ModelledStep || figure == LaneFigure::MeasuredStep;
}

bool isShare(LaneFigure figure) {
  return figure == LaneFigure::Accuracy || figure == LaneFigure::TestAccuracy;
}

void addTarget(LaneFigures& figures, const RunMetrics& run, double target) {
  const auto reached =
      std::ranges::find_if(run.evaluations, [&](const EvalMetric& eval) { return eval.testAccuracy >= target; });
  if (reached == run.evaluations.end()) return;
  at(figures.values, LaneFigure::StepsToTarget) = static_cast<double>(reached->step);
  if (!has(run, XAxis::ModelledSeconds)) return;
  Places places;
  places.begin(XAxis::ModelledSeconds);
  places.follow(run);
  at(figures.values, LaneFigure::SecondsToTarget) = places.after(run, reached->step);
}

// The latest evaluation that the step shown has.
void addEvaluation(LaneFigures& figures, const RunMetrics& run, std::int64_t shown) {
  const auto isLater = [&](const EvalMetric& eval) { return eval.step > shown; };
  const auto after = std::ranges::find_if(run.evaluations, isLater);
  if (after == run.evaluations.begin()) return;
  const EvalMetric& latest = *std::prev(after);
  at(figures.values, LaneFigure::TestAccuracy) = latest.testAccuracy;
  const auto step = std::ranges::lower_bound(run.steps, latest.step, {}, &StepMetric::step);
  if (step != run.steps.end()) figures.evaluatedAfter = step->epoch;
}

}  // namespace

LaneFigures figuresOf(const Lane& lane, const Lane& base, std::optional<double> target,
                      const std::optional<SteadyStep>& steady) {
  LaneFigures figures;
  const auto put = [&](LaneFigure figure, std::optional<double> value) { at(figures.values, figure) = value; };
  const RunController& run = lane.controller();
  if (target) addTarget(figures, *run.metrics(), *target);
  const auto& record = lane.playback().record();
  if (!record || run.info() == nullptr) return figures;
  const StepMetric& step = record->metric;
  put(LaneFigure::Step, static_cast<double>(step.step));
  figures.examples = step.examples;
  figures.fullStep = run.info()->config.examplesPerStep();
  figures.clock = step.clock;
  put(LaneFigure::Loss, step.loss);
  put(LaneFigure::Accuracy, step.accuracy);
  addEvaluation(figures, *run.metrics(), step.step);
  const bool modelled = step.clock == TimeSource::Modelled;
  if (modelled) put(LaneFigure::ModelledStep, static_cast<double>(step.stepNs));
  if (step.wallNs > 0) put(LaneFigure::MeasuredStep, static_cast<double>(step.wallNs));
  const auto isLater = [&](std::int64_t shown, const StepMetric& one) { return shown < one.step; };
  const std::vector<StepMetric>& steps = run.steps();
  const auto shown = std::upper_bound(steps.begin(), steps.end(), step.step, isLater);
  put(LaneFigure::Rate, steady     ? std::optional(steady->imagesPerSecond)
                        : modelled ? std::nullopt
                                   : recentThroughput(std::span(steps.begin(), shown)).measured);
  figures.remainder = remainderWords(*run.info(), step);
  put(LaneFigure::Bytes, static_cast<double>(step.bytesSent));
  if (const auto link = busiestLink(run.info()->legend, *record)) {
    put(LaneFigure::BusiestLink, static_cast<double>(link->bytes));
    figures.busiestLink = coreText(at(run.info()->legend.tracks, link->track).name);
  }
  double staleness = 0;
  std::int64_t counted = 0;
  for (const StepMetric& one : run.steps()) {
    if (one.step > step.step) break;
    if (!one.staleness) continue;
    staleness += static_cast<double>(*one.staleness);
    ++counted;
  }
  if (counted > 0) put(LaneFigure::Staleness, staleness / static_cast<double>(counted));
  if (step.mirrorsIdentical) put(LaneFigure::Identical, *step.mirrorsIdentical ? 1 : 0);
  // Points have the baseline's step numbers, which are not the lane's in step by images or time.
  const auto& points = lane.distance.points();
  const auto after = std::ranges::upper_bound(points, base.playback().step(), {}, &DistanceCurve::Point::step);
  if (after != points.begin()) put(LaneFigure::Distance, std::prev(after)->distance);
  return figures;
}

bool areComparable(LaneFigure figure, const LaneFigures& a, const LaneFigures& b) {
  constexpr double kSameEpoch = 1e-9;
  switch (figure) {
    case LaneFigure::Loss:
    case LaneFigure::Accuracy:
    case LaneFigure::ModelledStep:
    case LaneFigure::Bytes:
    case LaneFigure::BusiestLink:
      return a.examples == b.examples;
    case LaneFigure::TestAccuracy:
      return std::abs(a.evaluatedAfter - b.evaluatedAfter) < kSameEpoch;
    case LaneFigure::StepsToTarget:
      return a.fullStep == b.fullStep;
    case LaneFigure::Rate:
      return a.clock == b.clock;
    default:
      return true;
  }
}

QString nameOf(LaneFigure figure) {
  switch (figure) {
    case LaneFigure::Step:
      return tr("Step");
    case LaneFigure::Loss:
      return tr("Loss");
    case LaneFigure::Accuracy:
      return tr("Accuracy");
    case LaneFigure::TestAccuracy:
      return tr("Test accuracy");
    case LaneFigure::ModelledStep:
      return tr("This step, modelled");
    case LaneFigure::MeasuredStep:
      return tr("This step, measured here");
    case LaneFigure::Rate:
      return tr("Images/s, steady");
    case LaneFigure::Bytes:
      return tr("Bytes a step");
    case LaneFigure::BusiestLink:
      return tr("Busiest link");
    case LaneFigure::Staleness:
      return tr("Staleness");
    case LaneFigure::Identical:
      return tr("Copies identical");
    case LaneFigure::Distance:
      return tr("Weight distance");
    case LaneFigure::StepsToTarget:
      return tr("Steps to target");
    case LaneFigure::SecondsToTarget:
      return tr("Seconds to target");
  }
  return {};
}

QString tipOf(LaneFigure figure) {
  switch (figure) {
    case LaneFigure::Step:
      return tr("The step that the lane shows. All other figures are for this step, except the steady rate.");
    case LaneFigure::Loss:
    case LaneFigure::Accuracy:
      return tr("Over the images of this step, before the update.");
    case LaneFigure::TestAccuracy:
      return tr("From the latest evaluation on the test images before the end of this step.");
    case LaneFigure::ModelledStep:
      return tr("How long the modelled devices take; for an asynchronous worker, its own cycle.");
    case LaneFigure::MeasuredStep:
      return tr("How long this program took while other lanes may have trained beside it: do not quote this number.");
    case LaneFigure::Rate:
      return tr(
          "Steady: for full batches, after the start, as the model gives it for the lane's settings; for asynchronous "
          "workers, all together. For real devices, the measured mean of the last 50 steps.");
    case LaneFigure::Bytes:
      return tr("Sent by all ranks together.");
    case LaneFigure::BusiestLink:
      return tr("The link that carried most in this step, and how much.");
    case LaneFigure::Staleness:
      return tr("Updates by others between a worker's pull and its push: the mean so far.");
    case LaneFigure::Identical:
      return tr("Whether the replicas' copies of the variables are the same, bit for bit.");
    case LaneFigure::Distance:
      return tr(
          "‖w − b‖ / ‖b‖, where b are the weights of the baseline lane, at the last point that both have reached.");
    case LaneFigure::StepsToTarget:
    case LaneFigure::SecondsToTarget:
      return tr("Until an evaluation reached the target accuracy on the test images; seconds are modelled.");
  }
  return {};
}

QString textOf(LaneFigure figure, double value) {
  if (isDuration(figure)) return durationText(std::llround(value));
  if (isShare(figure)) return percentText(value);
  switch (figure) {
    case LaneFigure::Loss:
      return lossText(value, 4);
    case LaneFigure::Bytes:
    case LaneFigure::BusiestLink:
      return bytesText(std::llround(value));
    case LaneFigure::Staleness:
      return numberText(value, 'f', 2);
    case LaneFigure::Identical:
      return value > 0 ? tr("= yes", "copies identical") : tr("≠ no", "copies identical");
    case LaneFigure::Distance:
      return roughText(value);
    case LaneFigure::SecondsToTarget:
      return durationText(std::llround(value * 1e9));
    default:
      return countText(std::llround(value));
  }
}

QString differenceText(LaneFigure figure, double value, double base) {
  // A value that rounds to zero has no sign.
  const auto isSigned = [](double difference, int digits) {
    const QString text = numberText(std::abs(difference), 'f', digits);
    if (text == numberText(0, 'f', digits)) return text;
    return (difference < 0 ? QChar(0x2212) : QChar(u'+')) + text;
  };
  if (!std::isfinite(value) || !std::isfinite(base)) return {};
  switch (figure) {
    case LaneFigure::Loss:
      return isSigned(value - base, 4);
    case LaneFigure::Accuracy:
    case LaneFigure::TestAccuracy:
      return isSigned(100 * (value - base), 1) + tr(" points", "percentage points");
    case LaneFigure::ModelledStep:
    case LaneFigure::Rate:
    case LaneFigure::Bytes:
    case LaneFigure::BusiestLink:
    case LaneFigure::StepsToTarget:
    case LaneFigure::SecondsToTarget:
      return base > 0 ? QStringLiteral("×%1").arg(ratioText(value / base)) : QString();
    default:
      return {};
  }
}

std::array<StepPart, kStepParts> partsOf(const StepMetric& step) {
  return {{{StepStage::Compute, tr("compute"), step.computeNs},
           {StepStage::Exposed, tr("communication"), step.communicationNs},
           {StepStage::Straggler, tr("stragglers"), step.stragglerNs},
           {StepStage::Input, tr("input"), step.inputNs},
           {StepStage::Launch, tr("launch"), step.launchNs},
           {StepStage::Queue, tr("queue"), step.queueNs},
           {StepStage::Fault, tr("a dead task"), step.faultNs}}};
}

}  // namespace lab
