// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/playback/playback_state.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/playback/position.h"

namespace lab {
namespace {

constexpr double kLongestGlideS = 1;     // for a single step
constexpr double kAheadS = 1;            // how long before it is needed the next record is asked for
constexpr double kLiveAheadS = 0.5;      // the same in Live; an earlier request would show an older step
constexpr double kLiveStoryS = 2;        // a step's longest story in Live, at speed 1
constexpr double kFastS = 0.25;          // between two pictures in Fast
constexpr double kExpressS = 1;          // the same in Express, if other movies are shown in step
constexpr double kMostStepsPerSec = 3;   // the most steps that Play animates one by one
constexpr std::size_t kMostWaiting = 4;  // single steps that wait for a record; a held key would queue more

// The boundaries for single steps within a story: where a transfer has arrived or a phase begins. The end of a story is
// not one of its boundaries, but the beginning of the next step.
std::vector<double> boundariesOf(const Story& story, Playback::Unit unit) {
  std::vector<double> moments{0};
  if (unit == Playback::Unit::Transfer || unit == Playback::Unit::Phase) {
    for (const Beat& beat : story.beats) moments.push_back(beat.beginS);
  }
  if (unit == Playback::Unit::Transfer) moments.insert(moments.end(), story.arrivalS.begin(), story.arrivalS.end());
  std::sort(moments.begin(), moments.end());
  moments.erase(std::unique(moments.begin(), moments.end(), sameMoment), moments.end());
  return moments;
}

// The first boundary after `seconds`; nothing if only the end of the story follows.
std::optional<double> boundaryAfter(const Story& story, double seconds, Playback::Unit unit) {
  for (const double moment : boundariesOf(story, unit)) {
    if (moment > seconds && !sameMoment(moment, seconds) && !sameMoment(moment, story.seconds)) return moment;
  }
  return std::nullopt;
}

std::optional<double> boundaryBefore(const Story& story, double seconds, Playback::Unit unit) {
  std::optional<double> last;
  for (const double moment : boundariesOf(story, unit)) {
    if (moment < seconds && !sameMoment(moment, seconds)) last = moment;
  }
  return last;
}

}  // namespace

// ---- the run

void Playback::State::restart() {
  position.clear();
  wanted.reset();
  waiting.clear();
  sampledEvery = 1;
  landing.reset();
  begun = aheadAsked = false;
  ahead = 0;
  sinceFastS = kFastS;
  source.setLeisurely(mode == Mode::Express);
  if (trainsFreely()) {
    letTrain();
    source.requestLiveRecord();
  } else {
    source.pause();
  }
  touch();
  begin();
}

void Playback::State::begin() {
  if (begun || !source.info()) return;
  begun = true;
  if (trainsFreely() && !source.isRecording()) return;
  const std::int64_t first = source.info()->firstStep;
  want({.step = source.isRecording() ? first : std::max(first, source.liveStep()), .seconds = beginningS()});
}

void Playback::State::onUpdated() {
  begin();
  landFurther();
  if (playing && mode == Mode::Express && !hasFollowers() && isBounded() && source.liveStep() == stop) {
    const bool further = position.step() < stop;
    const std::int64_t last = stop;
    rest();
    if (further) want({.step = last, .seconds = kEnd});
  }
  if (!source.isOver()) return;
  const std::int64_t live = source.liveStep();
  const bool anything = source.info() && live >= source.info()->firstStep;
  if (wanted && wanted->step > live) {
    // The wanted step will never be trained.
    if (anything && position.step() < live) {
      want({.step = live, .seconds = playing ? 0 : kEnd, .byPlaying = wanted->byPlaying});
    } else {
      abandon();
      setPlaying(false);
    }
  }
  if (playing && (mode == Mode::Express || !anything)) {
    setPlaying(false);
    if (anything && position.step() < live) want({.step = live, .seconds = kEnd});  // shows the result
  }
}

// The shown step is no longer part of the changed run.
void Playback::State::onReshaped(std::int64_t step) {
  position.completeGlide();
  if (wanted && wanted->step == step) return (void)resolve();
  const double seconds = position.step() == step ? position.seconds() : playing && mode != Mode::Fast ? 0 : kEnd;
  if (auto record = source.recordOf(step)) show(std::move(record), seconds);
}

void Playback::State::onRecordArrived(std::int64_t step) {
  if (wanted && !position.isGliding()) resolve();
  if (wanted || position.record()) return;
  if (auto record = source.recordOf(step)) show(std::move(record), mode == Mode::Live ? 0 : kEnd);
}

void Playback::State::onRecordFailed(std::int64_t step) {
  if (!wanted || wanted->step != step) return;
  abandon();
  if (!playing) return;
  setPlaying(false);
  source.pause();
}

// ---- what is shown

void Playback::State::wake() {
  if (timer.isActive()) return;
  timer.start();
  sinceTick.start();
}

void Playback::State::touch() {
  dirty = true;
  wake();
}

void Playback::State::flush() {
  if (std::exchange(dirty, false)) Q_EMIT owner.changed();
  const bool runs = playing && !wanted && (mode != Mode::Express || hasFollowers());
  if (!dirty && !runs && !position.isGliding()) timer.stop();
}

void Playback::State::show(std::shared_ptr<const StepRecord> record, double seconds) {
  if (leader != nullptr && position.record())
    sampledEvery = leader->isPlaying() ? std::max<std::int64_t>(1, record->metric.step - position.step()) : 1;
  position.show(*source.info(), std::move(record));
  moveTo(seconds);
  aheadAsked = false;
  ahead = 0;
  touch();
}

void Playback::State::moveTo(double seconds) {
  position.moveTo(seconds == kFirstBatch ? position.story().workBeginsS() : seconds);
}

void Playback::State::want(const Wanted& target) {
  wanted = target;
  touch();
  if (!waiting.empty()) position.completeGlide();  // the next act is already waiting
  if (!position.isGliding()) {
    resolve();
  } else {
    obtain(target.step);  // prepared while the present story plays
  }
}

// Goes to the wanted moment. Returns false if its record is not there yet.
bool Playback::State::resolve() {
  std::shared_ptr<const StepRecord> record = obtain(wanted->step);
  if (!record) return false;
  const Wanted target = *std::exchange(wanted, std::nullopt);
  if (target.byPlaying) sampledEvery = mode == Mode::Story ? 1 : target.step - position.step();
  show(std::move(record), target.seconds);
  if (target.thenBackBy) {
    glide(boundaryBefore(position.story(), position.seconds(), *target.thenBackBy).value_or(0));
  }
  while (!wanted && !waiting.empty()) {
    position.completeGlide();
    const SingleStep next = waiting.front();
    waiting.pop_front();
    act(next);
  }
  return true;
}

void Playback::State::glide(double seconds) {
  const double distance = std::abs(seconds - position.seconds());
  position.glideTo(seconds, reducedMotion ? 0 : std::min(distance, kLongestGlideS));
  touch();
}

// Jumps to the destination of the current animation. Returns false if the record for it is not there yet.
bool Playback::State::complete() {
  while (position.isGliding() || wanted) {
    if (position.isGliding()) touch();
    position.completeGlide();
    if (wanted && !resolve()) return false;
  }
  return true;
}

// Drops requests whose records have not arrived.
void Playback::State::abandon() {
  waiting.clear();
  position.completeGlide();
  touch();
  if (!wanted) return;
  const bool trains = wanted->step > source.liveStep();
  wanted.reset();
  if (trains && !trainsFreely()) source.pause();
}

void Playback::State::setPlaying(bool now) {
  if (playing == now) return;
  playing = now;
  Q_EMIT owner.acted();
}

void Playback::State::rest() {
  stop = 0;
  setPlaying(false);
}

// ---- the movie

// Starts or continues playing in this mode.
void Playback::State::enterMode() {
  aheadAsked = false;
  sinceFastS = kFastS;
  stoodAt = position.step();
  if (trainsFreely()) {
    if (wanted && wanted->step > source.liveStep()) wanted.reset();  // the step comes without a request
    letTrain();
    if (!position.record()) source.requestLiveRecord();
  }
  wake();
}

void Playback::State::letTrain() {
  if (isBounded())
    source.requestStep(stop);
  else
    source.play();
}

// The stage stood still during Express: go to where training is now, unless the user has gone elsewhere.
void Playback::State::landFromExpress(double seconds) {
  if (wanted || !position.record() || position.step() != stoodAt || source.liveStep() <= stoodAt) return;
  const std::int64_t live = source.liveStep();
  if (!playing) landing = live;
  want({.step = live, .seconds = seconds, .byPlaying = playing});
}

// Steps that were trained before the run noticed the pause are reported later; follow them.
void Playback::State::landFurther() {
  if (!landing) return;
  const bool stays = wanted ? wanted->step == *landing : position.step() == *landing && position.atEnd();
  if (playing || position.isGliding() || !stays) return landing.reset();
  if (source.liveStep() <= *landing) return;
  landing = source.liveStep();
  want({.step = *landing, .seconds = kEnd});
}

// The step size at which Play shows no more steps than a viewer can follow.
std::int64_t Playback::State::stride() const {
  if (isFree() && hasFollowers()) return std::max<std::int64_t>(1, followers.stride());
  if (mode != Mode::Play || position.story().seconds <= 0) return 1;
  const double stepsPerSec = speed / position.story().seconds;
  return std::max<std::int64_t>(1, std::llround(std::ceil(stepsPerSec / kMostStepsPerSec - 1e-9)));
}

// Movie seconds per second.
double Playback::State::rate() const {
  if (mode == Mode::Live) return speed * std::max(1.0, position.story().seconds / kLiveStoryS);
  return speed / static_cast<double>(stride());
}

void Playback::State::playOn(double seconds) {
  if (mode == Mode::Express && !hasFollowers()) return;
  if (mode == Mode::Fast || mode == Mode::Express) return fastOn(seconds);
  if (!position.record()) return;
  // Time that remains when a story ends is used for the next one.
  while (seconds > 0 && playing && !wanted) {
    const double left = (position.story().seconds - position.seconds()) / rate();
    if (!position.atEnd()) touch();
    if (seconds < left) {
      position.moveTo(position.seconds() + seconds * rate());
      break;
    }
    position.moveTo(position.story().seconds);
    seconds -= std::max(left, 0.0);
    if (!goOn() || position.story().seconds <= 0) break;
  }
  if (playing && !wanted) askAhead();
}

void Playback::State::fastOn(double seconds) {
  sinceFastS += seconds;
  const bool isDue = sinceFastS >= (mode == Mode::Express ? kExpressS : kFastS);
  if (hasFollowers()) return fastTogether(isDue);
  if (!isDue) return;
  sinceFastS = 0;
  if (auto newest = source.newestRecord(); newest && newest->metric.step > position.step()) {
    show(std::move(newest), kEnd);
  }
  if (!hasTrained()) return source.requestLiveRecord();
  if (position.step() < source.liveStep()) return want({.step = source.liveStep(), .seconds = kEnd});
  if (!position.atEnd()) {
    position.moveTo(kEnd);
    touch();
  }
  rest();
}

// Trains to the end of the next stride while the previous one is shown.
void Playback::State::fastTogether(bool isDue) {
  if (!position.record()) return;
  if (position.step() >= playsTo()) return isDue ? rest() : void();
  ahead = next();
  auto record = obtain(ahead);
  if (!record || !isDue) return;
  sinceFastS = 0;
  sampledEvery = std::max<std::int64_t>(1, ahead - position.step());
  show(std::move(record), kEnd);
}

// Where the movie goes next: a step that was already asked for stays, because strides change.
std::int64_t Playback::State::next() const {
  return hasFollowers() && ahead > position.step() ? ahead : std::min(position.step() + stride(), playsTo());
}

void Playback::State::askAhead() {
  const double left = (position.story().seconds - position.seconds()) / rate();
  const bool together = isFree() && hasFollowers();  // all runs train while the story lasts
  if (aheadAsked || (left > (mode == Mode::Live ? kLiveAheadS : kAheadS) && !together)) return;
  aheadAsked = true;
  if (mode == Mode::Live && !together) return source.requestLiveRecord();
  ahead = next();
  if (ahead > position.step()) obtain(ahead);
}

// At a story's end. Returns true if another story has begun.
bool Playback::State::goOn() {
  const std::int64_t step = position.step(), last = playsTo();
  const bool alone = mode == Mode::Live && !hasFollowers();
  if (alone) {
    if (auto newest = source.newestRecord(); newest && newest->metric.step > step) {
      sampledEvery = newest->metric.step - step;
      show(std::move(newest), 0);
      return true;
    }
    if (!hasTrained()) return false;  // askAhead() has made sure that one will come
  }
  if (step >= last) {
    rest();
    return false;
  }
  want({.step = alone ? last : next(), .byPlaying = true});
  return !wanted;
}

// ---- single steps

void Playback::State::singleStep(const SingleStep& step) {
  if (playing) owner.pause();
  if (complete()) return act(step);
  if (waiting.size() < kMostWaiting) waiting.push_back(step);
}

void Playback::State::act(const SingleStep& by) {
  if (!position.record()) return;
  const std::int64_t step = position.step(), first = source.info()->firstStep, last = std::max(step, lastStep());
  const std::int64_t epoch = std::max<std::int64_t>(1, source.info()->stepsPerEpoch);
  const bool atBeginning = step == first && position.seconds() <= 0, atEnd = step == last && position.atEnd();
  if (by.forward ? atEnd : atBeginning) return void(Q_EMIT owner.stands(by.forward ? Limit::End : Limit::Beginning));
  if (by.unit == Unit::Epoch) {
    if (!by.forward) return leave(false, std::max(step - epoch, first), 0);
    return leave(true, std::min(step + epoch, last), step + epoch > last ? kEnd : 0);
  }
  if (by.forward) {
    const auto next = boundaryAfter(position.story(), position.seconds(), by.unit);
    return next ? glide(*next) : leave(true, std::min(step + 1, last), 0);
  }
  const auto previous = boundaryBefore(position.story(), position.seconds(), by.unit);
  if (previous) return glide(*previous);
  if (step > first) want({.step = step - 1, .seconds = kEnd, .thenBackBy = by.unit});
}

// Goes to another step, via this one's end or beginning. If there is no other step, stops there.
void Playback::State::leave(bool forward, std::int64_t to, double seconds) {
  const bool other = to != position.step();
  glide(forward ? position.story().seconds : 0);
  if (other) want({.step = to, .seconds = seconds});
}

}  // namespace lab
