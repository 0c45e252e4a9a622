// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runview/run_controller.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <iterator>
#include <utility>

#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/launching/messages.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "ui/i18n/core_words.h"

namespace lab {
namespace {

constexpr int kTickMs = 16;                           // one frame
constexpr int kHurriedTickMs = 3, kMostHurried = 64;  // until the first step arrives, which the user waits for
constexpr int kLeisurelyTickMs = 100;
constexpr std::int64_t kMostAtOnce = 2048;  // steps
constexpr int kRestMs = 500;                // longer than between two single steps by hand

bool isTerminal(RunState state) {
  return state == RunState::Finished || state == RunState::Stopped || state == RunState::Failed;
}

bool isReady(const std::future<void>& one) {
  return one.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

}  // namespace

RunController::RunController(QObject* parent, std::int64_t recordBudget)
    : RecordSource(parent), records_(recordBudget) {
  timer_.setInterval(kTickMs);
  timer_.setTimerType(Qt::PreciseTimer);
  connect(&timer_, &QTimer::timeout, this, &RunController::tick);
  restTimer_.setSingleShot(true);
  restTimer_.setInterval(kRestMs);
  connect(&restTimer_, &QTimer::timeout, this, [this] {
    if (rests_ && recomputer_ && run_) run_->release();
  });
}

RunController::~RunController() {
  endRun();
  forgetAside();
}

void RunController::forget(const RunSettings& config, const Start& from) {
  retire();
  config_ = config;
  failure_.clear();
  why_ = {};
  recomputeFailure_.clear();
  info_.reset();
  metrics_ = from.recorded ? from.recorded : std::make_shared<RunMetrics>(from.before);
  inherited_ = steps().size();
  records_.clear();
  arriving_.reset();
  wantedStep_ = 0;
  stepsAhead_ = 0;
  rests_ = false;
  lostWorker_ = -1;
  grown_.reset();
  renewLater_ = false;
  left_.clear();
  resumed_ = from.checkpoints != nullptr;
  state_ = RunState::Preparing;
  preparation_ = {};
}

void RunController::refuse(const RunSettings& config, const Message& why) {
  forget(config, {});
  history_.reset();
  fail(why);
  Q_EMIT started();
  Q_EMIT updated();
}

void RunController::start(const RunSettings& config, bool paused, const Start& from) {
  forget(config, from);
  boundAside(kMostAside);
  try {
    if (from.serve) {
      auto served = std::make_unique<ClassRun>(config, *from.serve);
      if (paused) served->pause();
      ofClass_ = class_ = served.get();
      run_ = std::move(served);
    } else if (from.recording) {
      auto recorded = std::make_unique<RecordedClass>(from.recording);
      ofClass_ = recorded.get();
      run_ = std::move(recorded);
    } else if (config.devices == DeviceChoice::Processes) {
      if (!from.origin.lineage.empty()) throw UserError(say::noBranchAmongProcesses, Option{"devices"});
      auto processes = std::make_unique<ProcessRun>(config, paused, from.checkpoints);
      processes_ = processes.get();
      run_ = std::move(processes);
    } else {
      run_ = std::make_unique<LiveRun>(resolve(config), paused, from.origin, from.before.steps.empty());
    }
    history_ = run_->history();
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

void RunController::play() {
  if (!run_ || isOver()) return;
  wantedStep_ = 0;
  rests_ = false;
  run_->resume();
  wake();
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
  wake();
}

void RunController::stepOnce(int steps) {
  if (info_) return requestStep(std::max(wantedStep_, liveStep()) + steps);
  stepsAhead_ += steps;
  if (run_) run_->pause();
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
  wake();
}

std::int64_t RunController::liveStep() const {
  if (!steps().empty()) return steps().back().step;
  return info_ ? info_->firstStep - 1 : 0;
}

void RunController::requestLiveRecord() {
  if (run_) run_->telemetry().requestRecord();
}

// Dragging the mouse or holding a key requests more often than ticks come; restarting the timer would delay the tick.
void RunController::wake() {
  if (!timer_.isActive()) timer_.start();
}

void RunController::setLeisurely(bool leisurely) {
  hurried_ = 0;
  timer_.setInterval(leisurely ? kLeisurelyTickMs : kTickMs);
}

void RunController::setStepsBackExpected(bool expected) {
  if (std::exchange(stepsBackExpected_, expected) == expected) return;
  if (expected)
    wake();
  else if (!recomputing_)
    retire(nullptr, std::move(recomputer_));  // it may be in the middle of a step
}

std::shared_ptr<const StepRecord> RunController::recordOf(std::int64_t step) {
  if (auto record = records_.find(step)) {
    if (!history_) recomputeFailure_.clear();
    return record;
  }
  if (!info_ || step < info_->firstStep || step > liveStep() || recomputing_ == step) return nullptr;
  if (!history_ && ofClass_ == nullptr) {  // its states are in other processes, and its times were measured only once
    recomputeFailure_ = coreSentence(UserError(say::stepNotRecorded, step, Option{"devices"}));
    QMetaObject::invokeMethod(
        this, [this, step] { Q_EMIT recordFailed(step); }, Qt::QueuedConnection);
    return nullptr;
  }
  if (!recomputer_) makeRecomputer();
  recomputer_->request(step);
  recomputing_ = step;
  wake();
  return nullptr;
}

bool RunController::isOver() const {
  return isTerminal(state_);
}

std::uint64_t RunController::droppedSpans() const {
  return run_ ? run_->telemetry().droppedSpans() : 0;
}

void RunController::tick() {
  if (hurried_ > 0 && (--hurried_ == 0 || records_.size() > 0)) {
    hurried_ = 0;
    timer_.setInterval(kTickMs);
  }
  // Read the state before the pipes: if it says over or at rest, the pipes already hold everything.
  const RunState state = run_ ? run_->state() : state_;
  rests_ = state == RunState::Paused && run_->isAtRest();
  const auto count = [this] { return steps().size() + evaluations().size() + (end() ? 1 : 0) + (info_ ? 1 : 0); };
  const std::size_t before = count();
  bool changed = state != state_;
  if (run_ && steps().size() == inherited_) {
    const Preparation now = run_->telemetry().preparation();
    changed = changed || now != preparation_;
    preparation_ = now;
  }
  try {
    drain(state);
    state_ = state;
  } catch (const std::exception& error) {
    // The requested files cannot be written: training on would waste the user's time.
    recorder_.reset();
    recomputer_.reset();
    processes_ = nullptr;
    class_ = nullptr;
    ofClass_ = nullptr;
    run_.reset();
    fail(messageOf(error));
    changed = true;
  }
  if (isOver()) recorder_.reset();
  if (state_ == RunState::Failed && run_) fail(run_->failure());
  if (state_ == RunState::Failed && processes_ != nullptr) lostWorker_ = processes_->lostWorker();
  if (processes_ != nullptr)
    if (const Message why = processes_->takeKillFailure(); !why.empty()) Q_EMIT killFailed(coreSentence(why));
  const std::vector<int> left = leftSinceRecord();
  changed = changed || before != count() || left != left_;
  left_ = left;

  if (info_ && stepsAhead_ > 0) stepOnce(std::exchange(stepsAhead_, 0));
  followClass();
  takeRecord();
  takeRecomputed();
  if (changed) Q_EMIT updated();
  letTrain();
  if (rests_ || isOver()) expectSteppingBack();
  spareWhileResting();
  // Even at rest, a real process may end, and workers of a class come and go.
  if (((rests_ && processes_ == nullptr && class_ == nullptr) || isOver()) && !recomputing_) timer_.stop();
}

void RunController::spareWhileResting() {
  if (shownTogether_ < 2 || !rests_ || !recomputer_)
    restTimer_.stop();
  else if (!restTimer_.isActive())
    restTimer_.start();
}

// A user who has paused may want to see a step that is no longer kept.
void RunController::expectSteppingBack() {
  if (recomputer_ || !stepsBackExpected_ || !info_ || !history_ || state_ == RunState::Failed) return;
  const std::int64_t seen = liveStep() - info_->firstStep + 1;
  if (seen > static_cast<std::int64_t>(records_.size())) makeRecomputer();
}

// All runs that are shown together go back at the same time.
void RunController::makeRecomputer() {
  if (ofClass_ != nullptr) {
    recomputer_ = ofClass_->recomputer(std::max(1, processorCount() / shownTogether_));
    return;
  }
  const std::int64_t threads = info_->config.threads;
  recomputer_ = std::make_unique<Recomputer>(info_, history_, std::max<std::int64_t>(1, threads / shownTogether_));
}

void RunController::drain(RunState state) {
  if (!run_) return;
  if (!info_) {
    info_ = run_->info();
    if (info_) {
      RunInfo here = fileInfo();
      if (processes_ != nullptr) here.config = withoutOutputs(here.config);  // they write them themselves
      recorder_ = std::make_unique<Recorder>(here, run_->telemetry());
      metrics_->examplesPerEpoch = info_->examplesPerEpoch;
      if (resumed_) forgetLostSteps();
      for (Metric& metric : run_->takePast()) metrics_->add(std::move(metric));
      inherited_ = steps().size();
    }
  }
  // The files of a failed run keep the names of unfinished files.
  const bool whole = state == RunState::Finished || state == RunState::Stopped;
  if (recorder_ && class_ != nullptr)
    for (std::string& line : class_->takeOrder()) {
      recorder_->addToRun(line);
      metrics_->order.push_back(std::move(line));
    }
  if (recorder_)
    for (Metric& metric : whole ? recorder_->finish() : recorder_->drain()) metrics_->add(std::move(metric));
}

LiveRun::Origin::State RunController::stateBefore(std::int64_t step) const {
  return ofClass_ != nullptr ? ofClass_->stateBefore(step) : nullptr;
}

RunInfo RunController::fileInfo() const {
  return class_ != nullptr ? class_->fileInfo() : *info_;
}

// If more workers have joined than the records have places for, they are shown from the first record on that has them:
// the next one, or, if none comes, the present one, made again.
void RunController::followClass() {
  if (class_ == nullptr || !info_) return;
  const auto now = run_->info();
  if (now == info_ || now == grown_) return;
  const bool alike = now->replicas == info_->replicas;
  if (alike || (records_.size() == 0 && !arriving_)) {
    info_ = now;
    return;
  }
  grown_ = now;
  run_->telemetry().requestRecord();
  if (rests_) Q_EMIT grown();
}

void RunController::renew(std::int64_t step) {
  if (class_ == nullptr) return;
  if (recomputing_) {  // one at a time: asked again when that one is there
    renewLater_ = true;
    return;
  }
  if (!recomputer_) makeRecomputer();
  recomputer_->request(step);
  recomputing_ = step;
  wake();
}

// True if the record belongs to the run as it is shown, or as it will be shown from now on.
bool RunController::fits(const StepRecord& record) {
  const auto replicas = std::ssize(record.replicas);
  if (class_ == nullptr || replicas == info_->replicas) return true;
  const auto now = run_->info();
  if (replicas != now->replicas) {  // a worker joined while the record was made: use the next one
    requestLiveRecord();
    return false;
  }
  info_ = now;
  grown_.reset();
  records_.clear();
  reshapes_ = true;
  return true;
}

// A record precedes its metric. A record that overtook its metric between the two pipes waits for the next tick.
void RunController::takeRecord() {
  for (int i = 0; i < 2 && run_; ++i) {
    if (!arriving_) arriving_ = run_->telemetry().takeRecord();
    if (!arriving_ || arriving_->metric.step > liveStep()) return;
    const std::int64_t step = arriving_->metric.step;
    const std::shared_ptr<const StepRecord> record = std::exchange(arriving_, nullptr);
    if (!fits(*record)) continue;
    records_.add(record);
    if (std::exchange(reshapes_, false)) Q_EMIT reshaped(step);
    Q_EMIT recordArrived(step);
  }
}

void RunController::takeRecomputed() {
  if (!recomputing_) return;
  if (!recomputer_) {  // it went with the run, whose files could not be written
    const std::int64_t lost = *std::exchange(recomputing_, std::nullopt);
    recomputeFailure_ = failure_;
    Q_EMIT recordFailed(lost);
    return;
  }
  const bool busy = recomputer_->busy();
  std::shared_ptr<const StepRecord> record = recomputer_->take();
  if (!record && busy) return;
  const std::int64_t step = *std::exchange(recomputing_, std::nullopt);
  if (record && !fits(*record)) return (void)recordOf(step);
  if (record) {
    recomputeFailure_.clear();
    records_.add(std::move(record));
    if (std::exchange(reshapes_, false)) Q_EMIT reshaped(step);
    Q_EMIT recordArrived(step);
  } else {
    recomputeFailure_ = coreSentence(recomputer_->failure());
    Q_EMIT recordFailed(step);
  }
  if (std::exchange(renewLater_, false) && grown_ && rests_) Q_EMIT grown();
}

// For a run that resumes from an earlier checkpoint than expected, as the newest may be unreadable.
void RunController::forgetLostSteps() {
  const auto isLost = [this](const auto& metric) { return metric.step >= info_->firstStep; };
  std::erase_if(metrics_->steps, isLost);
  std::erase_if(metrics_->evaluations, isLost);
  inherited_ = steps().size();
}

ProcessRun::Reach RunController::reachOf(int worker) const {
  return processes_ != nullptr ? processes_->reachOf(worker) : ProcessRun::Reach::Not;
}

std::vector<int> RunController::leftSinceRecord() const {
  std::vector<int> left;
  const auto record = newestRecord();
  if (class_ == nullptr || isOver() || !record) return left;
  const auto wasGone = [&](int worker) {
    return std::ranges::any_of(record->absent, [worker](const Absence& each) {
      return each.replica == worker && each.why != Absence::Why::NoPart;
    });
  };
  for (const ClassMember& each : class_->latest())
    if (each.state == ClassMember::State::Left && each.worker < std::ssize(record->replicas) && !wasGone(each.worker))
      left.push_back(each.worker);
  return left;
}

std::optional<double> RunController::slowdownOf(int worker) const {
  if (class_ != nullptr && !isOver())
    for (const ClassMember& each : class_->latest())
      if (each.worker == worker && each.state != ClassMember::State::Left) return each.slowdown;
  return std::nullopt;
}

bool RunController::killWorker(int worker) {
  wake();
  return processes_ != nullptr && processes_->killWorker(worker);
}

std::int64_t RunController::resumesAt() const {
  return processes_ != nullptr && isOver() ? processes_->checkpointStep() : 0;
}

RunController::Start RunController::resumption() const {
  Start from;
  if (processes_ == nullptr) return from;
  // Steps after the checkpoint are trained again. They are left out before anything follows the metrics.
  from.before = metrics_->before(processes_->checkpointStep() + 1);
  from.checkpoints = processes_->folder();
  return from;
}

void RunController::fail(const Message& why) {
  state_ = RunState::Failed;
  why_ = why;
  failure_ = coreSentence(why);
}

bool RunController::lacksExamples() const {
  return state_ == RunState::Failed && !info_ &&
         (preparation_.part == Preparation::Part::Data || (processes_ != nullptr && processes_->lacksExamples()));
}

void RunController::endRun() {
  recomputing_.reset();
  if (run_ && recorder_) {
    run_->stopAndWait();
    tick();  // the run owns the pipes: finish the files after its last report and before it is destroyed
  }
  timer_.stop();
  recorder_.reset();
  recomputer_.reset();
  recomputing_.reset();  // again, because the tick's listeners may have asked for a step
  processes_ = nullptr;
  class_ = nullptr;
  ofClass_ = nullptr;
  run_.reset();
}

// A run without output files can finish its current step in the background; nobody has to wait.
void RunController::retire() {
  // Processes write their files themselves.
  if (run_ && !isOver() && processes_ == nullptr && hasOutputs(config_)) return endRun();
  timer_.stop();
  processes_ = nullptr;
  class_ = nullptr;
  ofClass_ = nullptr;
  recomputing_.reset();
  recorder_.reset();
  retire(std::move(run_), std::move(recomputer_));
}

void RunController::endLater() {
  static std::vector<std::future<void>> ending;  // of all controllers; only the window's thread comes here
  retire();
  forgetAside();
  std::erase_if(ending, isReady);
  std::ranges::move(retiring_, std::back_inserter(ending));
  retiring_.clear();
}

void RunController::retire(std::unique_ptr<WatchedRun> run, std::unique_ptr<Recomputer> recomputer) {
  std::erase_if(retiring_, isReady);
  if (!run && !recomputer) return;
  if (run) run->stop();
  retiring_.push_back(
      std::async(std::launch::async, [run = std::move(run), recomputer = std::move(recomputer)]() mutable {
        recomputer.reset();
        run.reset();
      }));
}

}  // namespace lab
