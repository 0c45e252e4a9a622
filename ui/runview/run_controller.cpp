// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runview/run_controller.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "core/base/error.h"
#include "core/classruns/recorded_class.h"
#include "core/launching/messages.h"
#include "core/launching/process_run.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "ui/i18n/core_words.h"

namespace lab {
namespace {

constexpr int kTickMs = 16;                           // one frame
constexpr int kHurriedTickMs = 3, kMostHurried = 64;  // until the first step arrives, which the user waits for
constexpr int kLeisurelyTickMs = 100;
constexpr std::int64_t kMostAtOnce = 2048;  // steps

// Dragging the mouse or holding a key requests more often than ticks come; restarting the timer would delay the tick.
void wake(QTimer& timer) {
  if (!timer.isActive()) timer.start();
}

// Throws UserError for settings that contradict each other.
std::unique_ptr<WatchedRun> makeRun(const RunSettings& config, bool paused, const RunController::Start& from) {
  if (from.serve) {
    auto served = std::make_unique<ClassRun>(config, *from.serve);
    if (paused) served->pause();
    return served;
  }
  if (from.recording) return std::make_unique<RecordedClass>(from.recording);
  if (config.devices != DeviceChoice::Processes)
    return std::make_unique<LiveRun>(resolve(config), paused, from.origin, from.before.steps.empty());
  if (!from.origin.lineage.empty()) throw UserError(say::noBranchAmongProcesses, Option{"devices"});
  return std::make_unique<ProcessRun>(config, paused, from.checkpoints);
}

}  // namespace

RunController::RunController(QObject* parent, std::int64_t recordBudget)
    : RecordSource(parent), records_(class_, earlier_, recordBudget, this) {
  timer_.setInterval(kTickMs);
  timer_.setTimerType(Qt::PreciseTimer);
  connect(&timer_, &QTimer::timeout, this, &RunController::tick);
  connect(&records_, &RunRecords::wanted, this, [this] { wake(timer_); });
  connect(&records_, &RunRecords::grown, this, &RunController::grown);
  connect(&records_, &RunRecords::reshaped, this, &RunController::reshaped);
  connect(&records_, &RunRecords::arrived, this, &RunController::recordArrived);
  connect(&records_, &RunRecords::failed, this, &RunController::recordFailed);
}

RunController::~RunController() {
  endRun();
  forgetAside();
}

void RunController::forget(const RunSettings& config, RunReports reports, bool resumes) {
  retire();
  config_ = config;
  failure_.clear();
  why_ = {};
  reports_ = std::move(reports);
  records_.begin(reports_.metrics());
  processes_.begin(resumes);
  wantedStep_ = 0;
  rests_ = false;
  state_ = RunState::Preparing;
}

// The parts refer to a run only as long as it is there.
void RunController::attach(std::unique_ptr<WatchedRun> run) {
  processes_.attach(dynamic_cast<ProcessRun*>(run.get()));
  class_.attach(dynamic_cast<WatchedClass*>(run.get()));
  records_.attach(run.get());
  run_ = std::move(run);
}

void RunController::refuse(const RunSettings& config, const Message& why) {
  forget(config, RunReports());
  fail(why);
  Q_EMIT started();
  Q_EMIT updated();
}

void RunController::start(const RunSettings& config, bool paused, const Start& from) {
  forget(config, RunReports(from.recorded ? from.recorded : std::make_shared<RunMetrics>(from.before)),
         from.checkpoints != nullptr);
  earlier_.bound();
  try {
    attach(makeRun(config, paused, from));
    if (timer_.interval() == kTickMs) {
      hurried_ = kMostHurried;
      timer_.setInterval(kHurriedTickMs);
    }
    timer_.start();
  } catch (const std::exception& error) {
    fail(messageOf(error));
  }
  Q_EMIT started();
  Q_EMIT updated();
}

void RunController::setAside() {
  const bool hasTrained =
      info() && (records_.history() || isRecording()) && steps().size() > 1 && state_ != RunState::Failed;
  if (!hasTrained || !run_ || processes_.areThere() || (!isOver() && hasOutputs(config_))) return;
  earlier_.rest(
      {config_, state_, std::move(run_), sharedInfo(), records_.setAside(), std::exchange(reports_, RunReports())});
  attach(nullptr);
}

bool RunController::bringBack(const std::shared_ptr<const RunMetrics>& run) {
  std::optional<RestingRun> back = earlier_.takeBack(run);
  if (!back) return false;
  earlier_.bound();
  forget(back->config, std::move(back->reports));
  state_ = back->state;
  attach(std::move(back->run));
  records_.bringBack(std::move(back->info), std::move(back->records));
  timer_.start();  // it may have reported more since
  Q_EMIT started();
  Q_EMIT updated();
  return true;
}

void RunController::play() {
  if (!run_ || isOver()) return;
  wantedStep_ = 0;
  rests_ = false;
  run_->resume();
  wake(timer_);
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
  wake(timer_);
}

// Trains on towards the wanted step. The last step is trained alone, so that the request for a record applies to it.
// Far steps are asked for in parts, each when the last one is done: every single step is an order of its own.
void RunController::letTrain() {
  const std::int64_t left = wantedStep_ - liveStep();
  if (!rests_ || left <= 0) return;
  rests_ = false;
  if (left == 1) requestLiveRecord();
  const std::int64_t now = std::clamp<std::int64_t>(left - 1, 1, kMostAtOnce);
  for (std::int64_t step = 0; step < now; ++step) run_->stepOnce();
}

void RunController::stop() {
  if (!run_ || isOver()) return;
  run_->stop();
  wake(timer_);
}

void RunController::requestLiveRecord() {
  if (run_) run_->telemetry().requestRecord();
}

void RunController::setLeisurely(bool leisurely) {
  hurried_ = 0;
  timer_.setInterval(leisurely ? kLeisurelyTickMs : kTickMs);
}

bool RunController::isOver() const {
  return state_ == RunState::Finished || state_ == RunState::Stopped || state_ == RunState::Failed;
}

void RunController::tick() {
  if (hurried_ > 0 && (--hurried_ == 0 || records_.kept().size() > 0)) setLeisurely(false);
  // Read the state before the pipes: if it says over or at rest, the pipes already hold everything.
  const RunState state = run_ ? run_->state() : state_;
  rests_ = state == RunState::Paused && run_->isAtRest();
  const std::size_t before = reports_.count();
  const bool described = info() != nullptr;
  bool changed = state != state_;
  if (run_ && reports_.takePreparation(run_->telemetry())) changed = true;
  try {
    drain(state);
    state_ = state;
  } catch (const std::exception& error) {
    // The requested files cannot be written: training on would waste the user's time.
    reports_.close();
    fail(messageOf(error));
    records_.giveUp(failure_);
    attach(nullptr);
    changed = true;
  }
  if (isOver()) reports_.close();
  if (state_ == RunState::Failed && run_) fail(run_->failure());
  processes_.follow(state_, isOver());
  const bool left = class_.othersLeft(newestRecord().get());
  changed = changed || left || before != reports_.count() || described != (info() != nullptr);

  records_.take();
  if (changed) Q_EMIT updated();
  letTrain();
  records_.settle((rests_ || isOver()) && state_ != RunState::Failed);
  // Even at rest, a real process may end, and workers of a class come and go.
  const bool mayChange = processes_.areThere() || class_.run() != nullptr;
  if (((rests_ && !mayChange) || isOver()) && !isRecomputing()) timer_.stop();
}

void RunController::drain(RunState state) {
  if (!run_) return;
  if (!info()) {
    records_.describe();
    if (const RunInfo* shown = info()) {
      RunInfo header = class_.fileInfo(*shown);
      if (processes_.areThere()) header.config = withoutOutputs(header.config);  // they write them themselves
      reports_.open(*run_, *shown, header, processes_.wereResumed());
    }
  }
  reports_.drain(*run_, class_.run(), state == RunState::Finished || state == RunState::Stopped);
}

void RunController::fail(const Message& why) {
  state_ = RunState::Failed;
  why_ = why;
  failure_ = coreSentence(why);
}

void RunController::endRun() {
  records_.cancel();
  if (run_ && reports_.areOpen()) {
    run_->stopAndWait();
    tick();  // the run owns the pipes: finish the files after its last report and before it is destroyed
  }
  timer_.stop();
  reports_.close();
  records_.endReplay();  // the tick's listeners may have asked for a step
  attach(nullptr);
}

// A run without output files can finish its current step in the background; nobody has to wait.
void RunController::retire() {
  // Processes write their files themselves.
  if (run_ && !isOver() && !processes_.areThere() && hasOutputs(config_)) return endRun();
  timer_.stop();
  reports_.close();
  std::unique_ptr<WatchedRun> run = std::move(run_);
  attach(nullptr);
  earlier_.finish(std::move(run), records_.endReplay());
}

void RunController::endLater() {
  retire();
  earlier_.outlive();
}

bool lacksExamples(const RunController& run) {
  return run.state() == RunState::Failed && run.info() == nullptr &&
         (run.reports().preparation().part == Preparation::Part::Data || run.processes().lackExamples());
}

}  // namespace lab
