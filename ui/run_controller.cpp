// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_controller.h"

#include <algorithm>
#include <exception>
#include <utility>
#include <variant>

namespace lab {
namespace {

constexpr int kTickMs = 16;               // one frame
constexpr std::int64_t kMostGranted = 8;  // steps on the way to a wanted one: so many may follow when it is given up

bool isTerminal(RunState state) {
  return state == RunState::Finished || state == RunState::Stopped || state == RunState::Failed;
}

}  // namespace

RunController::RunController(QObject* parent) : RecordSource(parent) {
  timer_.setInterval(kTickMs);
  timer_.setTimerType(Qt::PreciseTimer);
  connect(&timer_, &QTimer::timeout, this, &RunController::tick);
}

RunController::~RunController() {
  endRun();
}

void RunController::start(const RunConfig& config, bool paused) {
  endRun();
  config_ = config;
  failure_.clear();
  info_.reset();
  steps_.clear();
  evaluations_.clear();
  records_.clear();
  arriving_.reset();
  end_.reset();
  wantedStep_ = 0;
  stepsAhead_ = 0;
  rests_ = false;
  state_ = RunState::Preparing;
  try {
    run_ = std::make_unique<LiveRun>(config, paused);
    setSpansWanted(spansWanted_);
    timer_.start();
  } catch (const std::exception& error) {
    fail(QString::fromUtf8(error.what()));
  }
  Q_EMIT started();
  Q_EMIT updated();
}

void RunController::play() {
  if (!run_ || isOver()) return;
  wantedStep_ = 0;
  rests_ = false;
  run_->resume();
  timer_.start();
}

void RunController::pause() {
  wantedStep_ = 0;
  if (run_) run_->pause();
}

void RunController::requestStep(std::int64_t step) {
  if (!run_ || isOver() || step <= std::max(wantedStep_, liveStep())) return;
  run_->pause();
  wantedStep_ = step;
  letTrain();
  timer_.start();
}

void RunController::stepOnce(int steps) {
  if (info_) return requestStep(std::max(wantedStep_, liveStep()) + steps);
  stepsAhead_ += steps;
  if (run_) run_->pause();
}

// On towards the wanted step. The last one goes alone, so that the request for a record is for it.
void RunController::letTrain() {
  if (!rests_ || wantedStep_ <= liveStep()) return;
  rests_ = false;
  const std::int64_t before = std::min(wantedStep_ - liveStep() - 1, kMostGranted);
  if (before == 0) requestLiveRecord();
  for (std::int64_t step = 0; step < std::max<std::int64_t>(before, 1); ++step) run_->stepOnce();
}

void RunController::stop() {
  if (!run_ || isOver()) return;
  run_->stop();
  timer_.start();
}

std::int64_t RunController::liveStep() const {
  if (!steps_.empty()) return steps_.back().step;
  return info_ ? info_->firstStep - 1 : 0;
}

void RunController::requestLiveRecord() {
  if (run_) run_->telemetry().requestRecord();
}

void RunController::setSpansWanted(bool wanted) {
  spansWanted_ = wanted;
  if (run_) run_->telemetry().setSpansWanted(wanted || !config_.trace.empty() || !config_.run.empty());
}

std::shared_ptr<const StepRecord> RunController::recordOf(std::int64_t step) {
  return records_.find(step);
}
bool RunController::isRecomputing() const {
  return false;
}

bool RunController::isOver() const {
  return isTerminal(state_);
}

std::uint64_t RunController::droppedSpans() const {
  return run_ ? run_->telemetry().droppedSpans() : 0;
}

void RunController::tick() {
  // The state is read before the pipes: when it says that the run is over, the pipes hold all there will ever be.
  const RunState state = run_->state();
  rests_ = state == RunState::Paused && run_->isAtRest();
  const std::size_t before = steps_.size() + evaluations_.size() + (end_ ? 1 : 0);
  const bool wasKnown = info_ != nullptr;
  try {
    if (!info_) {
      info_ = run_->info();
      if (info_) recorder_ = std::make_unique<Recorder>(*info_, run_->telemetry());
    }
    // The files of a run that failed stay under the names of unfinished files.
    const bool whole = state == RunState::Finished || state == RunState::Stopped;
    if (recorder_) take(whole ? recorder_->finish() : recorder_->drain());
  } catch (const std::exception& error) {
    // The files that were asked for cannot be written: training on for nothing would lose the user's time.
    recorder_.reset();
    run_.reset();
    fail(QString::fromUtf8(error.what()));
    Q_EMIT updated();
    return;
  }
  const bool changed = state != state_ || wasKnown != (info_ != nullptr) ||
                       before != steps_.size() + evaluations_.size() + (end_ ? 1 : 0);
  if (isTerminal(state)) {
    timer_.stop();
    recorder_.reset();
    if (state == RunState::Failed) failure_ = QString::fromStdString(run_->failure());
  }
  state_ = state;
  if (info_ && stepsAhead_ > 0) stepOnce(std::exchange(stepsAhead_, 0));
  takeRecord();
  if (changed) Q_EMIT updated();
  if (timer_.isActive()) letTrain();
  if (rests_) timer_.stop();
}

void RunController::take(std::vector<Metric> metrics) {
  for (Metric& metric : metrics) {
    if (auto* step = std::get_if<StepMetric>(&metric)) {
      steps_.push_back(std::move(*step));
    } else if (auto* evaluation = std::get_if<EvalMetric>(&metric)) {
      evaluations_.push_back(*evaluation);
    } else {
      end_ = std::get<EndMetric>(std::move(metric));
    }
  }
}

// A record is told before its metric. One that overtook it, between the two pipes, waits for the next tick.
void RunController::takeRecord() {
  for (int i = 0; i < 2 && run_; ++i) {
    if (!arriving_) arriving_ = run_->telemetry().takeRecord();
    if (!arriving_ || arriving_->metric.step > liveStep()) return;
    const std::int64_t step = arriving_->metric.step;
    records_.add(std::exchange(arriving_, nullptr));
    Q_EMIT recordArrived(step);
  }
}

void RunController::fail(const QString& sentence) {
  timer_.stop();
  state_ = RunState::Failed;
  failure_ = sentence;
}

void RunController::endRun() {
  timer_.stop();
  if (!run_) return;
  run_->stopAndWait();
  if (recorder_) tick();  // the pipes live in the run: the files are finished after its last word and before it goes
  recorder_.reset();
  run_.reset();
}

}  // namespace lab
