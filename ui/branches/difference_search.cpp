// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/branches/difference_search.h"

#include <algorithm>
#include <initializer_list>
#include <memory>

#include "ui/branches/difference_cause.h"
#include "ui/i18n/words.h"

namespace lab {

DifferenceSearch::DifferenceSearch(Lanes& lanes, QObject* parent) : QObject(parent), lanes_(lanes) {
  connect(&lanes_, &Lanes::moved, this, &DifferenceSearch::goOn);
  const auto forget = [this] {
    found_.reset();
    stop();
  };
  connect(&lanes_, &Lanes::changed, this, forget);
  connect(&lanes_, &Lanes::baselineChanged, this, forget);
}

void DifferenceSearch::search(Which which) {
  sought_.clear();
  if (lanes_.count() < 2 || lanes_.lockstep().by() != InStepBy::Steps)
    return end(tr("The search for differences compares two lanes step by step: set Align by to step."));
  which_ = which;
  lanes_.at(0).playback().pause();  // while nothing is sought: its signals must not go on with an earlier search
  const std::size_t base = lanes_.baseline();
  const auto runs = [this](std::size_t lane) { return lanes_.at(lane).refusal().isEmpty(); };
  for (std::size_t i = 0; i < lanes_.count() && runs(base); ++i)
    if (i != base && runs(i)) sought_.push_back({i});
  if (which == Which::First && !sought_.empty()) {
    const auto focused = std::ranges::find(sought_, lanes_.focus(), &Sought::lane);
    sought_ = {focused != sought_.end() ? *focused : sought_.front()};
  }
  if (sought_.empty()) return end(tr("No other lane can run."));
  from_ = lanes_.at(0).playback().step();
  fromSeconds_ = lanes_.at(0).playback().seconds();
  if (found_ && found_->step != from_) found_.reset();
  asked_ = 0;
  arriving_ = false;
  goOn();
}

void DifferenceSearch::stop() {
  if (isSearching()) end({});
}

void DifferenceSearch::end(const QString& words) {
  sought_.clear();
  words_ = words;
  Q_EMIT changed();
}

void DifferenceSearch::go(std::int64_t step, const QString& words) {
  asked_ = step;
  words_ = words;
  Q_EMIT changed();
  lanes_.at(0).playback().goTo(step);
}

bool DifferenceSearch::waits() {
  if (asked_ == 0) return false;
  const Playback& leader = lanes_.at(0).playback();
  if (leader.step() == asked_) return leader.isMoving() || !lanes_.lockstep().isInStep();
  if (!leader.isMoving() && leader.wantedStep() != asked_) end(tr("The search ended at step %1.").arg(leader.step()));
  return true;
}

void DifferenceSearch::goOn() {
  if (!isSearching() || waits()) return;
  if (arriving_) return arrive();
  for (Sought& sought : sought_)
    if (const std::int64_t step = stepToLookAt(sought); step != 0)
      return go(step, tr("Looking at step %1 …").arg(countText(step)));
  const std::optional<Place> place = chosen();
  if (!place) return endWithNone();
  found_ = place;
  arriving_ = true;
  if (lanes_.at(0).playback().step() == place->step) return arrive();
  go(place->step, tr("Looking at step %1 …").arg(countText(place->step)));
}

// Before its first step a branch has no weights of its own, only its parent's.
std::int64_t DifferenceSearch::firstStep(const Lane& lane) const {
  std::int64_t first = 1;
  const std::initializer_list<const Lane*> all{&lane, &lanes_.at(0), &lanes_.at(lanes_.baseline())};
  for (const Lane* one : all)
    if (const RunInfo* info = one->controller().info()) first = std::max(first, info->firstStep);
  return first;
}

// Returns 0 if it is known where the lane's weights begin to differ, or that they never do.
std::int64_t DifferenceSearch::stepToLookAt(Sought& sought) const {
  if (sought.begins) return 0;
  const Lane& lane = lanes_.at(sought.lane);
  const DistanceCurve& curve = lane.distance;
  const std::int64_t first = firstStep(lane), same = std::max(curve.lastSame(), first - 1);
  const std::int64_t live = lanes_.at(0).playback().liveStep(), differs = curve.firstDifference();
  const bool cannot = sought.looked != 0 && !curve.has(sought.looked);  // the lane has no such step
  if (cannot || (differs == 0 && same >= live)) {
    sought.begins = 0;
  } else if (differs != 0 && differs <= same + 1) {
    sought.begins = differs;
  } else {
    sought.looked = differs == 0 ? live : same + (differs - same) / 2;
    return sought.looked;
  }
  return 0;
}

std::optional<DifferenceSearch::Place> DifferenceSearch::chosen() const {
  std::vector<Place> places;
  for (const Sought& sought : sought_)
    if (*sought.begins != 0) places.push_back({*sought.begins, sought.lane});
  std::ranges::sort(places);
  if (which_ == Which::Previous) std::ranges::reverse(places);
  const auto fits = [this](const Place& place) {
    if (which_ == Which::First) return true;
    if (found_) return which_ == Which::Next ? place > *found_ : place < *found_;
    return which_ == Which::Next ? place.step >= from_ : place.step < from_;
  };
  const auto found = std::ranges::find_if(places, fits);
  return found == places.end() ? std::nullopt : std::optional(*found);
}

void DifferenceSearch::endWithNone() {
  Playback& leader = lanes_.at(0).playback();
  QString words;
  if (which_ == Which::Previous)
    words = tr("No lane's weights begin to differ before step %1.").arg(countText(from_));
  else if (which_ == Which::Next)
    words = tr("No lane's weights begin to differ from here up to step %1.").arg(countText(leader.liveStep()));
  else
    words = tr("The weights of %1 are those of %2 up to step %3.")
                .arg(lanes_.at(sought_.front().lane).name(), lanes_.at(lanes_.baseline()).name(),
                     countText(leader.liveStep()));
  if (leader.step() != from_) leader.seek(from_, fromSeconds_);  // nothing was found, so restore the position
  end(words);
}

// All lanes show the step; go to the moment of the cause, in the lane that differs.
void DifferenceSearch::arrive() {
  const Place place = *found_;
  const Lane &lane = lanes_.at(place.lane), &base = lanes_.at(lanes_.baseline());
  const QString words = tr("The weights of %1 differ first after step %2.").arg(lane.name(), countText(place.step));
  end(words);  // later moves are no part of the search
  lanes_.setFocus(place.lane);
  // Taken after the signals above, and held: their receivers may move the lanes to other steps.
  const std::shared_ptr<const StepRecord> record = lane.playback().record(), baseRecord = base.playback().record();
  const std::shared_ptr<const RunInfo> info = lane.controller().sharedInfo(), baseInfo = base.controller().sharedInfo();
  if (!record || !baseRecord || !info || !baseInfo) return;
  const StepOf step{*info, *record};
  const StepOf other{*baseInfo, *baseRecord};
  const DifferenceCause cause = differenceCause(step, other);
  const double seconds = differenceSeconds(cause, step, lane.playback().story());
  words_ = words + QLatin1Char(' ') + differenceWords(cause, step, base.name());
  lane.playback().seek(place.step, seconds);
  Q_EMIT changed();
}

}  // namespace lab
