// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/branches/run_until.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/strategy/strategy.h"
#include "core/trace/divergence.h"
#include "ui/i18n/words.h"

namespace lab {
namespace {

using Until = UntilWish::What;

constexpr double kUntilStrideS = 0.25;  // the time between two checks

std::int64_t evaluatedEvery(const RunInfo& info) {
  return info.evalEvery();
}

}  // namespace

RunUntil::RunUntil(RunController& controller, Playback& playback, std::function<Lanes*()> lanes, QObject* parent)
    : QObject(parent), controller_(controller), playback_(playback), lanes_(std::move(lanes)) {
  connect(&playback_, &Playback::changed, this, &RunUntil::goOn);
  connect(&controller_, &RunController::updated, this, &RunUntil::goOn);
  connect(&controller_, &RunController::started, this, [this] {
    if (running_) return end(tr("Another run has begun."));
    words_.clear();  // which are of the run before
    Q_EMIT changed();
  });
}

Lanes* RunUntil::lanes() const {
  Lanes* all = lanes_ ? lanes_() : nullptr;
  return all != nullptr && all->count() > 1 && all->lockstep().isActive() ? all : nullptr;
}

bool RunUntil::severalLanes() const {
  return lanes() != nullptr;
}

std::size_t RunUntil::count() const {
  const Lanes* all = lanes();
  return all != nullptr ? all->count() : 1;
}

const RunController& RunUntil::runOf(std::size_t lane) const {
  const Lanes* all = lanes();
  return all != nullptr ? all->at(lane).controller() : controller_;
}

QString RunUntil::refusal(const UntilWish& wish) const {
  if (controller_.info() == nullptr) return tr("There is no run yet.");
  for (std::size_t i = 0; i < count(); ++i) {
    const RunInfo* info = runOf(i).info();
    if (wish.what == Until::Accuracy && info != nullptr && evaluatedEvery(*info) == 0)
      return tr("A run never measures its test accuracy, since its setting Eval every is 0. Set a number of steps.");
  }
  if (wish.what == Until::CopiesDiffer) {
    bool any = false;
    for (std::size_t i = 0; i < count(); ++i)
      if (const RunInfo* info = runOf(i).info())
        any = any || (strategyInfo(info->config.strategy).keepsCopies(info->config) && info->replicas > 1);
    if (!any) return tr("There is one copy of the variables: nothing can differ from it.");
  }
  if (wish.what == Until::LanesApart && lanes() == nullptr)
    return tr("This needs two lanes: compare with another run.");
  if (wish.what == Until::LanesApart && lanes()->lockstep().by() != InStepBy::Steps)
    return tr("Weights are compared step by step: set Align by to step.");
  return {};
}

void RunUntil::start(const UntilWish& wish) {
  wish_ = wish;
  found_.reset();
  asked_ = 0;
  stride_ = 1;
  if (const QString why = refusal(wish); !why.isEmpty()) return end(why);
  if (Lanes* all = lanes()) {
    connect(all, &Lanes::moved, this, &RunUntil::goOn, Qt::UniqueConnection);
    connect(all, &Lanes::changed, this, &RunUntil::forgetLanes, Qt::UniqueConnection);
  }
  playback_.pause();
  running_ = true;
  from_ = playback_.step();
  since_.start();
  words_ = progressWords();
  Q_EMIT changed();
  goOn();
}

void RunUntil::stop() {
  if (!running_) return;
  end(tr("Stopped at step %1.").arg(countText(playback_.step())));
  playback_.pause();
}

// Lanes are known by their numbers, and the lane of the hit may have another number now, or be gone. Search again.
void RunUntil::forgetLanes() {
  if (found_ && found_->lane > 0) found_.reset();
}

void RunUntil::end(const QString& words) {
  running_ = false;
  words_ = words;
  Q_EMIT changed();
  Q_EMIT ended(words);
}

bool RunUntil::isThere() const {
  if (!playback_.record() || playback_.isMoving()) return false;
  Lanes* all = lanes();
  return (all == nullptr || all->lockstep().isInStep()) && isEvaluated();
}

// A step's evaluation arrives after its record.
bool RunUntil::isEvaluated() const {
  if (wish_.what != Until::Accuracy) return true;
  for (std::size_t i = 0; i < count(); ++i) {
    const RunController& run = runOf(i);
    if (run.info() == nullptr || run.isOver()) continue;
    const std::int64_t every = evaluatedEvery(*run.info()), live = run.liveStep();
    const std::vector<EvalMetric>& evaluations = run.metrics()->evaluations;
    const bool known = !evaluations.empty() && evaluations.back().step >= live;
    if (every > 0 && live >= run.info()->firstStep && live % every == 0 && !known) return false;
  }
  return true;
}

void RunUntil::goOn() {
  if (!running_ || std::exchange(going_, true)) return;
  const bool left = asked_ != 0 && playback_.step() != asked_ && playback_.wantedStep() != asked_;
  if (left && !playback_.isMoving() && !controller_.isOver())
    end(tr("Stopped at step %1.").arg(countText(playback_.step())));
  else if (isThere())
    look();
  going_ = false;
}

// All lanes show the requested step.
void RunUntil::look() {
  if (const QString why = refusal(wish_); !why.isEmpty()) return end(why);
  if (found_) return arrive(*found_);
  const std::optional<Hit> hit = find();
  if (!hit && playback_.step() >= nextStop())
    return end(tr("Not reached: training ended after step %1.").arg(countText(controller_.liveStep())));
  if (!hit) return go(nextStop());
  if (const std::int64_t middle = between(); middle != 0) return go(middle);
  found_ = hit;
  if (playback_.step() == hit->onStage) return arrive(*hit);
  go(hit->onStage);
}

void RunUntil::go(std::int64_t step) {
  const double seconds = static_cast<double>(since_.elapsed()) / 1e3;
  if (asked_ > from_ && !found_) stride_ = nextStride(static_cast<double>(asked_ - from_), seconds, kUntilStrideS);
  from_ = playback_.step();
  asked_ = step;
  since_.start();
  words_ = progressWords();
  Q_EMIT changed();
  playback_.goTo(step);
}

// The end of the next stride: at most where the condition may be reached, so that nothing is trained beyond it.
std::int64_t RunUntil::nextStop() const {
  const RunInfo& info = *controller_.info();
  const std::int64_t step = playback_.step(), last = controller_.isOver() ? controller_.liveStep() : info.totalSteps;
  std::int64_t next = std::max(step + std::max<std::int64_t>(1, std::llround(stride_)), controller_.liveStep());
  const auto notBeyond = [&](std::int64_t every) {
    if (every > 0) next = std::min(next, (std::max(step, controller_.liveStep()) / every + 1) * every);
  };
  if (wish_.what == Until::Step) next = std::min(next, static_cast<std::int64_t>(wish_.value));
  if (wish_.what == Until::Epoch) notBeyond(info.stepsPerEpoch);
  if (wish_.what == Until::Accuracy) notBeyond(evaluatedEvery(info));
  return std::min(std::max(next, std::min(step + 1, last)), last);
}

std::optional<RunUntil::Hit> RunUntil::findDistance(std::size_t lane) const {
  const Lanes* all = lanes();
  if (all == nullptr || lane == all->baseline()) return std::nullopt;
  for (const DistanceCurve::Point& point : all->at(lane).distance.points())
    if (!(point.distance <= wish_.value)) return Hit{point.step, lane, point.distance};
  return std::nullopt;
}

// A step between the first one at which lanes were seen to be too far apart and the one examined before; 0 if there is
// none.
std::int64_t RunUntil::between() const {
  if (wish_.what != Until::LanesApart) return 0;
  const std::optional<Hit> hit = find();
  std::int64_t before = 0;
  const DistanceCurve& curve = lanes()->at(hit->lane).distance;
  for (const DistanceCurve::Point& point : curve.points())
    if (point.step < hit->step) before = std::max(before, point.step);
  for (const std::size_t lane : {std::size_t{0}, hit->lane})
    if (const RunInfo* info = runOf(lane).info()) before = std::max(before, info->firstStep - 1);
  return hit->step - before > 1 ? before + (hit->step - before) / 2 : 0;
}

std::optional<RunUntil::Hit> RunUntil::findIn(std::size_t lane) const {
  const RunController& run = runOf(lane);
  switch (wish_.what) {
    case Until::Step:
      if (lane == 0 && run.liveStep() >= static_cast<std::int64_t>(wish_.value))
        return Hit{static_cast<std::int64_t>(wish_.value), lane, 0};
      return std::nullopt;
    case Until::Epoch:
      for (const StepMetric& step : run.steps())
        if (lane == 0 && step.epoch >= wish_.value - 1e-9) return Hit{step.step, lane, step.epoch};
      return std::nullopt;
    case Until::Accuracy:
      for (const EvalMetric& evaluation : run.metrics()->evaluations)
        if (evaluation.testAccuracy >= wish_.value) return Hit{evaluation.step, lane, evaluation.testAccuracy};
      return std::nullopt;
    case Until::LossLost: {
      Divergence divergence;
      divergence.follow(run.steps());
      if (const auto index = divergence.index()) return Hit{run.steps()[*index].step, lane, run.steps()[*index].loss};
      return std::nullopt;
    }
    case Until::CopiesDiffer:
      for (const StepMetric& step : run.steps())
        if (step.mirrorsIdentical == false &&
            strategyInfo(run.info()->config.strategy).mustAgree(run.info()->config, step.step))
          return Hit{step.step, lane, 0};
      return std::nullopt;
    case Until::LanesApart:
      return findDistance(lane);
  }
  return std::nullopt;
}

// Returns the hit of the first lane that has one, or with inAllLanes that of the last.
std::optional<RunUntil::Hit> RunUntil::find() const {
  std::optional<Hit> found;
  const bool all = wish_.inAllLanes && wish_.what == Until::Accuracy;
  for (std::size_t i = 0; i < count(); ++i) {
    if (runOf(i).info() == nullptr) continue;
    std::optional<Hit> hit = findIn(i);
    if (!hit && all) return std::nullopt;
    if (hit && i > 0) hit->onStage = lanes()->lockstep().leaderStepOf(lanes()->at(i), hit->step);
    if (hit && (!found || (all ? hit->onStage > found->onStage : hit->onStage < found->onStage))) found = hit;
  }
  return found;
}

// What has just been trained, or evaluated, is shown at the end of its step.
void RunUntil::arrive(const Hit& hit) {
  end(reachedWords(hit));
  playback_.seek(hit.onStage, std::numeric_limits<double>::infinity());
}

QString RunUntil::progressWords() const {
  return tr("Step %1 …").arg(countText(std::max(playback_.step(), controller_.liveStep())));
}

QString RunUntil::reachedWords(const Hit& hit) const {
  const QString step = countText(hit.step);
  const Lanes* all = lanes();
  const QString name = all != nullptr ? all->at(hit.lane).name() : QString();
  QString words;
  switch (wish_.what) {
    case Until::Step:
      return tr("Reached: step %1.").arg(step);
    case Until::Epoch:
      return tr("Reached: epoch %1, after step %2.").arg(numberText(wish_.value), step);
    case Until::Accuracy:
      words = tr("Reached: test accuracy %1 at step %2.").arg(percentText(hit.value), step);
      if (all != nullptr && wish_.inAllLanes) return tr("%1 All lanes have reached it now.").arg(words);
      break;
    case Until::LossLost:
      words = std::isfinite(hit.value) ? tr("Diverged: the loss is %1 at step %2.").arg(numberText(hit.value), step)
                                       : tr("Diverged: the loss is not a number from step %1 on.").arg(step);
      break;
    case Until::CopiesDiffer:
      words = tr("The copies of the variables differ after step %1.").arg(step);
      break;
    case Until::LanesApart:
      return tr("%1 is %2 from %3 after step %4.")
          .arg(name, roughText(hit.value), all != nullptr ? all->at(all->baseline()).name() : QString(), step);
  }
  return name.isEmpty() ? words : tr("%1: %2", "lane, sentence").arg(name, words);
}

}  // namespace lab
