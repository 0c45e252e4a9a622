// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lanes/lanes.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "core/replay/mean_weights.h"
#include "core/strategy/strategy.h"

namespace lab {
namespace {

std::vector<std::unique_ptr<Lane>> withOnly(std::unique_ptr<Lane> lane) {
  std::vector<std::unique_ptr<Lane>> lanes;
  lanes.push_back(std::move(lane));
  return lanes;
}

// The weights that the lane's run would evaluate and save after the step shown; nothing where they are not known.
std::optional<std::vector<float>> evaluated(const Lane& lane) {
  const StepRecord& record = *lane.playback().record();
  const RunInfo* info = lane.controller().info();
  if (info == nullptr || !copiesMayDiffer(*info, record)) return record.weightsAfter;
  return meanWeights(*info, record, lane.controller().steps());
}

bool isSynchronous(const Lane& lane) {
  return strategyInfo(lane.resolved().strategy).synchronous;
}

}  // namespace

Lanes::Lanes(RunController& controller, Playback& playback, Selection& selection, QObject* parent)
    : QObject(parent),
      lanes_(withOnly(std::make_unique<Lane>(controller, playback, selection))),
      lockstep_(*lanes_.front()) {
  connect(&controller, &RunController::started, this, &Lanes::restart);
  connect(&lockstep_, &Lockstep::moved, this, [this] {
    compareWeights();
    Q_EMIT moved();
  });
}

// A run that ends emits its last signals; nobody must receive them from half-destroyed lanes.
Lanes::~Lanes() {
  for (const auto& lane : lanes_) lane->controller().disconnect(this);
  lockstep_.setActive(false);
  for (std::size_t i = lanes_.size(); i-- > 1;) lockstep_.remove(*lanes_[i]);
}

void Lanes::add(LaneSpec wish) {
  if (!canAdd()) return;
  int colour = 0;
  while (std::ranges::any_of(lanes_, [&](const auto& each) { return each->colour == colour; })) ++colour;
  lanes_.push_back(std::make_unique<Lane>(std::move(wish)));
  Lane& lane = *lanes_.back();
  lane.colour = colour;
  lockstep_.add(lane);
  lane.start(lanes_.front()->controller().config());
  connect(&lane.controller(), &RunController::updated, this, &Lanes::moved);
  keepInStep();
  Q_EMIT changed();
}

void Lanes::remove(std::size_t index) {
  if (index == 0 || index >= lanes_.size()) return;
  lockstep_.remove(*lanes_[index]);
  const auto after = [&](std::size_t one) { return one == index ? 0 : one > index ? one - 1 : one; };
  const bool otherBaseline = baseline_ == index;
  focus_ = after(focus_);
  baseline_ = after(baseline_);
  std::unique_ptr<Lane> gone = std::move(lanes_[index]);
  gone->controller().disconnect(this);
  lanes_.erase(lanes_.begin() + static_cast<std::ptrdiff_t>(index));
  if (otherBaseline)
    for (const auto& lane : lanes_) lane->distance.clear();
  keepInStep();
  Q_EMIT changed();
  Q_EMIT focusChanged();
  gone->deleteLater();  // by then, whatever still shows the lane has been notified
  gone.release();
}

void Lanes::replace(std::size_t index, LaneSpec wish) {
  if (index == 0 || index >= lanes_.size()) return;
  if (index == baseline_)
    for (const auto& lane : lanes_) lane->distance.clear();
  lanes_[index]->setWish(std::move(wish));
  lanes_[index]->start(lanes_.front()->controller().config());
  keepInStep();
  Q_EMIT changed();
}

void Lanes::setFocus(std::size_t index) {
  if (index >= lanes_.size() || std::exchange(focus_, index) == index) return;
  Q_EMIT focusChanged();
}

void Lanes::setBaseline(std::size_t index) {
  if (index >= lanes_.size() || std::exchange(baseline_, index) == index) return;
  for (const auto& lane : lanes_) lane->distance.clear();
  compareWeights();
  Q_EMIT baselineChanged();
  Q_EMIT moved();
}

// The window has another run, so the others do the same experiment.
void Lanes::restart() {
  for (const auto& lane : lanes_) {
    lane->distance.clear();
    lane->start(lanes_.front()->controller().config());
  }
  keepInStep();
  Q_EMIT changed();
}

// Compares what both show: after the same step or, in step by images or time, after the same images. A worker's batches
// go on over the end of an epoch, where a global batch is cut short: from then on, the same is less than a step apart.
void Lanes::compareWeights() {
  const auto images = [](const Lane& lane) {
    std::int64_t sum = 0;
    for (const StepMetric& step : lane.controller().steps()) {
      if (step.step > lane.playback().step()) break;
      sum += step.examples;
    }
    return sum;
  };
  const Lane& base = *lanes_[baseline_];
  if (!base.playback().record() || lanes_.size() < 2) return;
  const StepRecord& first = *base.playback().record();
  const bool bySteps = lockstep_.by() == InStepBy::Steps;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    Lane& lane = *lanes_[i];
    if (i == baseline_ || !lane.playback().record() || lane.distance.has(first.metric.step)) continue;
    const StepRecord& other = *lane.playback().record();
    const std::int64_t apart = bySteps ? first.metric.step - other.metric.step : images(base) - images(lane);
    const bool isCut = !bySteps && isSynchronous(base) != isSynchronous(lane);
    if (std::abs(apart) >= (isCut ? std::min(first.metric.examples, other.metric.examples) : 1)) continue;
    if (first.weightsAfter.size() != other.weightsAfter.size()) continue;
    const auto ofLane = evaluated(lane), ofBase = evaluated(base);
    if (ofLane && ofBase) lane.distance.add(first.metric.step, *ofLane, *ofBase);
  }
}

void Lanes::setBy(std::optional<InStepBy> by) {
  const bool other = std::exchange(chosenBy_, by) != by;
  if (keepInStep() || other) Q_EMIT changed();
}

// A step of an asynchronous run belongs to one worker, and sees fewer images than a step of the others.
InStepBy Lanes::fairBy() const {
  const auto synchronous = std::ranges::count_if(lanes_, [](const auto& lane) { return isSynchronous(*lane); });
  return synchronous == 0 || synchronous == std::ssize(lanes_) ? InStepBy::Steps : InStepBy::Images;
}

bool Lanes::keepInStep() {
  const InStepBy by = chosenBy_.value_or(fairBy());
  if (by == lockstep_.by()) return false;
  for (const auto& lane : lanes_) lane->distance.clear();
  lockstep_.setBy(by);
  return true;
}

}  // namespace lab
