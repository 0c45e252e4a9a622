// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/first_difference.h"

#include <algorithm>

#include "ui/words/words.h"

namespace lab {

FirstDifference::FirstDifference(Lanes& lanes, QObject* parent) : QObject(parent), lanes_(lanes) {
  connect(&lanes_, &Lanes::moved, this, &FirstDifference::goOn);
  connect(&lanes_, &Lanes::changed, this, &FirstDifference::stop);
  connect(&lanes_, &Lanes::baselineChanged, this, &FirstDifference::stop);
}

void FirstDifference::search() {
  if (lanes_.count() < 2 || lanes_.lockstep().by() != InStepBy::Steps)
    return end(tr("It is searched for in step by step, between two lanes."));
  std::size_t index = lanes_.focus();
  if (index == lanes_.baseline()) index = index == 0 ? 1 : 0;
  lane_ = &lanes_.at(index);
  lanes_.at(0).playback().pause();
  differs_ = lane_->distance.firstDifference();
  same_ = lane_->distance.lastSame();
  asked_ = 0;
  goOn();
}

void FirstDifference::stop() {
  if (lane_ != nullptr) end({});
}

void FirstDifference::end(const QString& words) {
  lane_ = nullptr;
  words_ = words;
  Q_EMIT changed();
}

void FirstDifference::go(std::int64_t step) {
  asked_ = step;
  words_ = tr("Looking at step %1 …").arg(countText(step));
  Q_EMIT changed();
  lanes_.at(0).playback().goTo(step);
}

void FirstDifference::goOn() {
  if (lane_ == nullptr) return;
  Playback& leader = lanes_.at(0).playback();
  if (asked_ != 0) {
    if (leader.step() != asked_ || leader.isMoving() || !lanes_.lockstep().isInStep()) return;
    const DistanceCurve& curve = lane_->distance;
    if (!curve.has(asked_)) return end(tr("Step %1 cannot be compared.").arg(countText(asked_)));
    if (curve.firstDifference() != 0 && curve.firstDifference() <= asked_)
      differs_ = curve.firstDifference();
    else
      same_ = std::max(same_, asked_);
  }
  // A branch has no weights of its own before its first step, and those of its parent there.
  std::int64_t first = 1;
  for (Lane* const lane : {lane_, &lanes_.at(0), &lanes_.at(lanes_.baseline())})
    if (const RunInfo* info = lane->controller().info()) first = std::max(first, info->firstStep);
  const std::int64_t live = leader.liveStep();
  if (differs_ == 0) {
    if (same_ >= live) return end(tr("The weights are the same up to step %1.").arg(countText(live)));
    return go(live);
  }
  if (differs_ <= std::max(same_ + 1, first)) {
    const QString words = tr("The weights differ first after step %1.").arg(countText(differs_));
    if (leader.step() != differs_) leader.goTo(differs_);
    return end(words);
  }
  go(std::max(same_, first - 1) + (differs_ - std::max(same_, first - 1)) / 2);
}

}  // namespace lab
