// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_controller.h"

#include <exception>
#include <utility>
#include <variant>

namespace lab {
namespace {

constexpr int kTickMs = 16;        // one frame
constexpr int kPausedTickMs = 50;  // still within what a hand feels as immediate, and nearly free

bool isTerminal(RunState state) {
  return state == RunState::Finished || state == RunState::Stopped || state == RunState::Failed;
}

}  // namespace

RunController::RunController(QObject* parent) : QObject(parent) {
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
  end_.reset();
  state_ = RunState::Preparing;
  try {
    run_ = std::make_unique<LiveRun>(config, paused);
    timer_.start(kTickMs);
  } catch (const std::exception& error) {
    fail(QString::fromUtf8(error.what()));
  }
  Q_EMIT updated();
}

void RunController::play() {
  if (!run_) return;
  run_->resume();
  timer_.start(kTickMs);
}

void RunController::pause() {
  if (run_) run_->pause();
}

void RunController::stepOnce(int steps) {
  if (!run_) return;
  for (int i = 0; i < steps; ++i) run_->stepOnce();
  timer_.start(kTickMs);
}

void RunController::stop() {
  if (run_) run_->stop();
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
  } else {
    timer_.setInterval(state == RunState::Paused ? kPausedTickMs : kTickMs);
  }
  state_ = state;
  if (changed) Q_EMIT updated();
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
