// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/playback/playback.h"

#include <algorithm>
#include <utility>

#include "ui/playback/playback_state.h"

namespace lab {
namespace {

constexpr int kTickMs = 17;             // just under 60 a second
constexpr double kLongestTickS = 0.25;  // after a longer tick the window must have been frozen, so the movie was too
constexpr double kSlowest = 0.05, kFastest = 16;

}  // namespace

Playback::Playback(RecordSource& source, QObject* parent, StoryOf storyOf)
    : QObject(parent), state_(std::make_unique<State>(*this, source, std::move(storyOf))) {
  State* const state = state_.get();
  state->timer.setTimerType(Qt::PreciseTimer);
  state->timer.setInterval(kTickMs);
  connect(&state->timer, &QTimer::timeout, this, [this, state] {
    advance(std::min(static_cast<double>(state->sinceTick.nsecsElapsed()) * 1e-9, kLongestTickS));
  });
  connect(&source, &RecordSource::started, this, [state] { state->restart(); });
  connect(&source, &RecordSource::reshaped, this, [state](std::int64_t step) { state->onReshaped(step); });
  connect(&source, &RecordSource::grown, this, [state] {
    if (state->position.record()) state->source.renew(state->position.step());
  });
  connect(&source, &RecordSource::updated, this, [state] { state->onUpdated(); });
  connect(&source, &RecordSource::recordFailed, this, [state](std::int64_t step) { state->onRecordFailed(step); });
  connect(&source, &RecordSource::recordArrived, this, [state](std::int64_t step) { state->onRecordArrived(step); });
  state->restart();
}

Playback::~Playback() = default;

const std::shared_ptr<const StepRecord>& Playback::record() const {
  return state_->position.record();
}
const Story& Playback::story() const {
  return state_->position.story();
}
double Playback::seconds() const {
  return state_->position.seconds();
}
std::int64_t Playback::step() const {
  return state_->position.step();
}
std::int64_t Playback::liveStep() const {
  return state_->source.liveStep();
}
bool Playback::isPlaying() const {
  return state_->leader != nullptr ? state_->leader->isPlaying() : state_->playing;
}
bool Playback::isMoving() const {
  if (state_->leader != nullptr && state_->leader->isMoving()) return true;
  return state_->playing || state_->position.isGliding() || state_->wanted;
}
bool Playback::isSettled() const {
  return !isMoving() && !state_->dirty;
}
std::int64_t Playback::wantedStep() const {
  return state_->wanted ? state_->wanted->step : step();
}
bool Playback::isRecomputing() const {
  return state_->wanted && !state_->position.isGliding() && state_->source.isRecomputing();
}
bool Playback::isTraining() const {
  return !state_->playing && state_->wanted && !state_->position.isGliding() && state_->wanted->step > liveStep();
}
std::int64_t Playback::sampledEvery() const {
  return state_->sampledEvery;
}
Playback::Mode Playback::mode() const {
  return state_->mode;
}
Playback::Unit Playback::unit() const {
  return state_->unit;
}
double Playback::speed() const {
  return state_->speed;
}

void Playback::advance(double seconds) {
  State& state = *state_;
  state.sinceTick.start();
  if (state.position.isGliding()) {
    state.position.advanceGlide(seconds);
    state.touch();
    if (!state.position.isGliding() && state.wanted) state.resolve();
  } else if (state.playing && !state.wanted && !isWaitingForFollowers()) {
    state.playOn(seconds);
  }
  state.flush();
}

void Playback::tell() {
  state_->flush();
}

void Playback::play() {
  State& state = *state_;
  if (state.playing) return;
  state.complete();
  state.waiting.clear();
  if (state.position.step() >= state.stop && state.position.atEnd()) state.stop = 0;
  if (state.source.isOver() && (!state.wanted || state.mode == Mode::Express)) {
    const bool seen = state.position.atEnd() && state.position.step() >= liveStep();
    if (!state.position.record() || seen) return void(Q_EMIT stands(Limit::End));
    if (state.mode == Mode::Express) return end();  // shows the result
  }
  state.playing = true;
  state.enterMode();
  Q_EMIT acted();
}

void Playback::pause() {
  State& state = *state_;
  const bool stoodStill = state.trainsFreely() && state.mode == Mode::Express;
  state.complete();
  state.source.pause();
  if (state.wanted && !state.position.record()) {
    state.resolve();  // asks again for the first picture
  } else if (state.wanted && (state.wanted->byPlaying || state.wanted->step > liveStep())) {
    state.abandon();
  }
  state.setPlaying(false);
  if (stoodStill) state.landFromExpress(State::kEnd);
}

void Playback::toggle() {
  if (isPlaying() || isTraining()) return pause();
  play();
}

void Playback::stepForward(Unit unit) {
  state_->singleStep({unit, true});
}
void Playback::stepBack(Unit unit) {
  state_->singleStep({unit, false});
}

void Playback::seek(std::int64_t step, double seconds) {
  State& state = *state_;
  const RunInfo* info = state.source.info();
  if (!info || liveStep() < info->firstStep) return;
  state.abandon();
  step = std::clamp(step, info->firstStep, liveStep());
  if (step != state.position.step()) return state.want({.step = step, .seconds = seconds});
  state.moveTo(seconds);
  state.touch();
}

void Playback::goTo(std::int64_t step) {
  State& state = *state_;
  if (state.playing) pause();
  const double beginning = state.beginningS();
  if (!state.source.info() || step <= liveStep()) return seek(step, beginning);
  state.abandon();
  state.want({.step = std::min(step, state.lastStep()), .seconds = beginning});
}

void Playback::home() {
  const State& state = *state_;
  if (state.position.record() && !isMoving() && step() == state.source.info()->firstStep && seconds() <= 0)
    Q_EMIT stands(Limit::Beginning);
  seek(0, 0);
}

void Playback::end() {
  const State& state = *state_;
  const auto newest = state.trainsFreely() ? state.source.newestRecord() : nullptr;
  const std::int64_t last = newest ? newest->metric.step : liveStep();
  if (state.position.record() && !isMoving() && step() == last && state.position.atEnd()) Q_EMIT stands(Limit::End);
  seek(last, State::kEnd);
}

void Playback::setMode(Mode mode) {
  State& state = *state_;
  if (mode == state.mode) return;
  state.complete();
  const bool trainedFreely = state.trainsFreely(), stoodStill = trainedFreely && state.mode == Mode::Express;
  state.mode = mode;
  state.ahead = 0;
  state.sampledEvery = 1;
  state.position.setPace(state.source.info(), mode == Mode::Story ? Pace::Story : Pace::Play);
  state.source.setLeisurely(mode == Mode::Express);
  if (trainedFreely && !state.trainsFreely()) state.source.pause();
  if (stoodStill) state.landFromExpress(0);
  if (state.playing) state.enterMode();
  state.touch();
  Q_EMIT acted();
}

void Playback::setUnit(Unit unit) {
  if (std::exchange(state_->unit, unit) != unit) Q_EMIT acted();
}

void Playback::setSpeed(double speed) {
  speed = std::clamp(speed, kSlowest, kFastest);
  if (std::exchange(state_->speed, speed) != speed) Q_EMIT acted();
}

void Playback::setStop(std::int64_t step) {
  State& state = *state_;
  if (std::exchange(state.stop, step) == step || !state.trainsFreely()) return;
  state.letTrain();
}

void Playback::setBeginsAtFirstBatch(bool first) {
  state_->beginsAtFirstBatch = first;
}
bool Playback::reducedMotion() const {
  return state_->reducedMotion;
}

void Playback::setReducedMotion(bool reduced) {
  state_->reducedMotion = reduced;
}

void Playback::setFollowers(Followers followers) {
  State& state = *state_;
  const bool trainedFreely = state.trainsFreely();
  state.followers = std::move(followers);
  state.ahead = 0;
  if (trainedFreely && !state.trainsFreely()) state.source.pause();
  if (state.playing) state.enterMode();
  state.touch();
}

bool Playback::isWaitingForFollowers() const {
  return state_->hasFollowers() && state_->position.record() && !state_->followers.isReady();
}

std::int64_t Playback::nextStep() const {
  return state_->wanted ? state_->wanted->step : std::max(state_->ahead, step());
}

void Playback::setLeader(const Playback* leader) {
  state_->leader = leader;
  state_->touch();
  Q_EMIT acted();
}

}  // namespace lab
