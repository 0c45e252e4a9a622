// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lanes/lockstep.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/lanes/story_match.h"
#include "ui/playback/position.h"

namespace lab {
namespace {

constexpr double kSameSharePart = 1e-9;
// The time that a stride of the leader may take; in Live, as long as a step's movie there.
constexpr double kLiveStrideS = 1.8, kFastStrideS = 0.25, kExpressStrideS = 1;
constexpr double kLongestStride = 10000, kMostGrowth = 4;

bool isFree(Playback::Mode mode) {
  return mode == Playback::Mode::Live || mode == Playback::Mode::Fast || mode == Playback::Mode::Express;
}

double wantedSeconds(const Playback& leader) {
  if (leader.mode() == Playback::Mode::Live) return kLiveStrideS / leader.speed();
  return leader.mode() == Playback::Mode::Fast ? kFastStrideS : kExpressStrideS;
}

// Only the time of the run's steps: what the window paints meanwhile must not make strides shorter.
double trainedSeconds(const Lane& lane, std::int64_t after, std::int64_t upTo) {
  double ns = 0;
  const std::vector<StepMetric>& steps = lane.controller().steps();
  for (auto step = steps.rbegin(); step != steps.rend() && step->step > after; ++step)
    if (step->step <= upTo) ns += static_cast<double>(step->wallNs);
  return ns / 1e9;
}

std::int64_t lastStepOf(const Lane& lane) {
  const RunController& run = lane.controller();
  return run.isOver() ? run.liveStep() : run.info()->totalSteps;
}

}  // namespace

double nextStride(double stride, double seconds, double wanted) {
  const double fitting = seconds > 0 ? stride * wanted / seconds : kMostGrowth * stride;
  return std::clamp(fitting, 1.0, std::min(kMostGrowth * stride, kLongestStride));
}

Lockstep::Lockstep(Lane& leader, QObject* parent) : QObject(parent), leader_(leader) {
  connect(&leader.playback(), &Playback::changed, this, &Lockstep::update);
  connect(&leader.playback(), &Playback::acted, this, [this] {
    if (std::exchange(mode_, leader_.playback().mode()) != leader_.playback().mode()) stride_ = 0;
    update();
  });
  connect(&leader.controller(), &RunController::updated, this, &Lockstep::update);
  connect(&leader.controller(), &RunController::started, this, [this] {
    leaderPlaces_.begin(by_);
    strideTo_ = 0;
    stride_ = 0;
    measured_ = true;
  });
}

Lockstep::~Lockstep() {
  setActive(false);
}

void Lockstep::add(Lane& follower) {
  followers_.push_back({&follower, {}});
  stride_ = 0;
  followers_.back().places.begin(by_);
  Lane* const lane = &follower;
  const auto find = [this, lane] { return std::ranges::find(followers_, lane, &Follower::lane); };
  connect(&follower.controller(), &RunController::started, this, [this, find] {
    find()->places.begin(by_);
    find()->step = 0;
    find()->seconds = -1;
  });
  connect(&follower.controller(), &RunController::updated, this, &Lockstep::update);
  connect(&follower.controller(), &RunController::recordArrived, this, &Lockstep::update);
  connect(&follower.playback(), &Playback::changed, this, &Lockstep::update);
  follower.playback().setLeader(&leader_.playback());
  engage();
  update();
}

void Lockstep::remove(Lane& follower) {
  follower.controller().disconnect(this);
  follower.playback().disconnect(this);
  std::erase_if(followers_, [&](const Follower& one) { return one.lane == &follower; });
  follower.playback().setLeader(nullptr);
  engage();
}

void Lockstep::setBy(InStepBy by) {
  by_ = by;
  leaderPlaces_.begin(by);
  for (Follower& follower : followers_) follower.places.begin(by);
  update();
}

bool Lockstep::canBe(InStepBy by) const {
  if (by != InStepBy::ModelledTime) return true;
  const auto modelled = [](const Lane& lane) {
    const RunInfo* info = lane.controller().info();
    return info == nullptr || info->clock == TimeSource::Modelled;
  };
  return modelled(leader_) &&
         std::ranges::all_of(followers_, [&](const Follower& follower) { return modelled(*follower.lane); });
}

void Lockstep::setActive(bool active) {
  if (active == active_) return;
  active_ = active;
  engage();
  leader_.controller().setStepsBackExpected(true);
  if (!active)
    for (Follower& follower : followers_) follower.lane->controller().pause();
  update();
}

// Takes or releases the hold on the leader's movie.
void Lockstep::engage() {
  const int runs = active_ ? static_cast<int>(followers_.size()) + 1 : 1;
  leader_.controller().setShownTogether(runs);
  for (const Follower& follower : followers_) follower.lane->controller().setShownTogether(runs);
  if (active_ && !followers_.empty())
    leader_.playback().setFollowers({[this] { return isInStep(); }, [this] { return stride(); }});
  else
    leader_.playback().setFollowers({});
}

std::int64_t Lockstep::stride() const {
  return std::max<std::int64_t>(1, std::llround(stride_ > 0 ? stride_ : firstStride()));
}

// The stride before any was measured: as if all lanes' latest steps ran one after the other, and took four times as
// long.
double Lockstep::firstStride() const {
  double stepS = 0;
  const auto add = [&](const Lane& lane) {
    if (const auto& steps = lane.controller().steps(); !steps.empty())
      stepS += static_cast<double>(steps.back().wallNs) / 1e9;
  };
  add(leader_);
  for (const Follower& follower : followers_) add(*follower.lane);
  return stepS > 0 ? std::clamp(wantedSeconds(leader_.playback()) / stepS / kMostGrowth, 1.0, kLongestStride) : 1;
}

bool Lockstep::isThere(const Follower& follower) const {
  if (!follower.lane->refusal().isEmpty() || follower.lane->controller().state() == RunState::Failed) return true;
  const Playback& playback = follower.lane->playback();
  return playback.record() && playback.step() == follower.step && playback.wantedStep() == follower.step;
}

bool Lockstep::isInStep() const {
  return seenStep_ == leader_.playback().step() &&
         std::ranges::all_of(followers_, [this](const Follower& follower) { return isThere(follower); });
}

bool Lockstep::isSettled() const {
  const auto rests = [](const Lane& lane) { return lane.controller().isAtRest() && lane.playback().isSettled(); };
  if (!leader_.playback().record() || !rests(leader_)) return false;
  if (!active_) return true;
  return isInStep() && std::ranges::all_of(followers_, [&](const Follower& one) { return rests(*one.lane); });
}

LaneMoment Lockstep::momentOf(const Lane& lane) const {
  const Playback& playback = lane.playback();
  const auto& record = playback.record();
  if (!record) return {};
  LaneMoment moment{playback.step(), 0};
  const Story& story = playback.story();
  if (playback.seconds() >= story.seconds || story.seconds <= 0)
    moment.share = 1;
  else if (by_ != InStepBy::ModelledTime)
    moment.share = playback.seconds() / story.seconds;
  else if (record->endNs > record->beginNs)
    moment.share = std::clamp(static_cast<double>(story.clockAt(playback.seconds()) - record->beginNs) /
                                  static_cast<double>(record->endNs - record->beginNs),
                              0.0, 1.0);
  return moment;
}

LaneMoment Lockstep::leaderMoment() const {
  return momentOf(leader_);
}

std::int64_t Lockstep::leaderStepOf(const Lane& lane, std::int64_t step) {
  const auto follower = std::ranges::find(followers_, &lane, &Follower::lane);
  if (by_ == InStepBy::Steps || follower == followers_.end()) return step;
  leaderPlaces_.follow(*leader_.controller().metrics());
  follower->places.follow(*lane.controller().metrics());
  const RunInfo& info = *leader_.controller().info();
  return leaderPlaces_.momentAt(follower->places.at({step, 1}), info.firstStep, nominalImages(info.config), true).step;
}

LaneMoment Lockstep::momentFor(const Follower& follower, const LaneMoment& leader) {
  const RunInfo& info = *follower.lane->controller().info();
  LaneMoment moment = leader;
  if (by_ != InStepBy::Steps)
    moment = follower.places.momentAt(leaderPlaces_.at(leader), info.firstStep, nominalImages(info.config),
                                      leader.share >= 1);
  // A shorter run stays at its end.
  const std::int64_t last = lastStepOf(*follower.lane);
  if (moment.step > last) return {last, 1};
  if (moment.step < info.firstStep) return {info.firstStep, 0};
  return moment;
}

bool Lockstep::isBeatByBeat(const Follower& follower) const {
  if (by_ != InStepBy::Images) return by_ == InStepBy::Steps;
  const std::int64_t step = follower.lane->playback().step(), leaders = leader_.playback().step();
  const auto isSame = [&](double share) {
    constexpr double kImage = 0.5;
    return std::abs(follower.places.at({step, share}) - leaderPlaces_.at({leaders, share})) < kImage;
  };
  return isSame(0) && isSame(1);
}

double Lockstep::secondsFor(const Follower& follower, const LaneMoment& moment) const {
  const Playback& playback = follower.lane->playback();
  const Story& story = playback.story();
  if (by_ == InStepBy::Steps) {
    if (moment.step != leader_.playback().step()) return moment.share * story.seconds;
    return matchedSeconds(leader_.playback().story(), leader_.playback().seconds(), story);
  }
  if (moment.share <= kSameSharePart) return 0;
  if (moment.share >= 1 - kSameSharePart) return story.seconds;
  if (by_ == InStepBy::Images)
    return isBeatByBeat(follower) ? matchedSeconds(leader_.playback().story(), leader_.playback().seconds(), story)
                                  : moment.share * story.seconds;
  const StepRecord& record = *playback.record();
  return story.secondsAt(record.beginNs +
                         std::llround(moment.share * static_cast<double>(record.endNs - record.beginNs)));
}

void Lockstep::update() {
  if (!active_ || moving_) return;
  moving_ = true;
  leaderPlaces_.follow(*leader_.controller().metrics());
  seenStep_ = leader_.playback().step();
  const Playback::Mode mode = leader_.playback().mode();
  const bool plays = leader_.playback().isPlaying() && !followers_.empty();
  leader_.controller().setStepsBackExpected(!plays);
  for (Follower& follower : followers_) {
    follower.lane->controller().setStepsBackExpected(!plays);
    if (isMovedByHand(follower)) lead(follower);
    if (follower.lane->playback().mode() != mode) {
      follower.lane->playback().setMode(mode);
      follower.seconds = -1;
    }
    follower.places.follow(*follower.lane->controller().metrics());
    follow(follower);
    follower.lane->playback().tell();  // within moving_, because this move causes the change
  }
  if (std::exchange(plays_, plays) && !plays) restAll();
  measureStride();
  moving_ = false;
  Q_EMIT moved();
}

bool Lockstep::isMovedByHand(const Follower& follower) {
  const Playback& playback = follower.lane->playback();
  return follower.seconds >= 0 && playback.record() && playback.step() == follower.step &&
         !sameMoment(playback.seconds(), follower.seconds);
}

void Lockstep::follow(Follower& follower) {
  const Lane& lane = *follower.lane;
  if (lane.controller().info() == nullptr || !lane.refusal().isEmpty() || !leader_.playback().record()) return;
  const LaneMoment moment = momentFor(follower, leaderMoment());
  Playback& playback = lane.playback();
  if (std::exchange(follower.step, moment.step) != moment.step) follower.seconds = -1;
  if (playback.wantedStep() != moment.step) playback.goTo(moment.step);
  if (!playback.record() || playback.step() != moment.step) return;
  const double seconds = secondsFor(follower, moment);
  if (!sameMoment(seconds, playback.seconds())) playback.seek(moment.step, seconds);
  follower.seconds = playback.seconds();
  trainAhead(follower);
}

// Trains what the leader comes to next, while its movie still shows this step.
void Lockstep::trainAhead(Follower& follower) {
  RunController& run = follower.lane->controller();
  if (run.isOver() || !leader_.playback().isPlaying()) return;
  const std::int64_t step = leader_.playback().step(), next = leader_.playback().nextStep();
  std::int64_t wanted = next;
  if (by_ != InStepBy::Steps) {
    if (momentFor(follower, {step, 1}).step > follower.step)
      wanted = follower.step + 1;
    else if (next > step && next <= leaderPlaces_.trained())
      wanted = momentFor(follower, {next, 0}).step;
    else
      return;
  }
  if (wanted > run.liveStep()) run.requestStep(std::min(wanted, lastStepOf(*follower.lane)));
}

// On pause, lanes that are in place train no further, because the leader does not either.
void Lockstep::restAll() {
  for (const Follower& follower : followers_)
    if (isThere(follower)) follower.lane->controller().pause();
}

void Lockstep::measureStride() {
  const Playback& leader = leader_.playback();
  if (!isFree(leader.mode()) || !leader.isPlaying()) return;
  // First measure the previous stride: the leader may have been shown its end just as it was trained.
  if (!measured_ && isTrainedUpTo(strideTo_)) {
    double seconds = trainedSeconds(leader_, strideFrom_, strideTo_);
    for (const Follower& follower : followers_)
      if (by_ == InStepBy::Steps) seconds = std::max(seconds, trainedSeconds(*follower.lane, strideFrom_, strideTo_));
    stride_ = nextStride(static_cast<double>(strideTo_ - strideFrom_), seconds, wantedSeconds(leader));
    measured_ = true;
  }
  const std::int64_t step = leader.step(), next = leader.nextStep();
  if (next <= step || next == strideTo_) return;
  strideFrom_ = step;
  strideTo_ = next;
  measured_ = false;
}

bool Lockstep::isTrainedUpTo(std::int64_t step) const {
  return leader_.playback().liveStep() >= step && std::ranges::all_of(followers_, [&](const Follower& follower) {
           const RunController& run = follower.lane->controller();
           return run.isOver() || by_ != InStepBy::Steps || run.liveStep() >= step;
         });
}

// A user has moved a follower's movie: the leader goes to the matching moment.
void Lockstep::lead(Follower& follower) {
  const Lane& lane = *follower.lane;
  Playback& leader = leader_.playback();
  if (!lane.playback().record() || !leader.record()) return;
  if (isBeatByBeat(follower))
    return leader.seek(leader.step(),
                       matchedSeconds(lane.playback().story(), lane.playback().seconds(), leader.story()));
  const double place = follower.places.at(momentOf(lane));
  const LaneMoment moment = leaderPlaces_.momentAt(place, leader_.controller().info()->firstStep,
                                                   nominalImages(leader_.controller().info()->config), false);
  leader.seek(moment.step, moment.share * leader.story().seconds);
}

}  // namespace lab
