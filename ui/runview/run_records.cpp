// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runview/run_records.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/launching/messages.h"
#include "ui/i18n/core_words.h"

namespace lab {
namespace {

constexpr int kRestMs = 500;  // longer than between two single steps by hand

}  // namespace

RunRecords::RunRecords(const PresentClass& ofClass, EarlierRuns& earlier, std::int64_t budget, QObject* parent)
    : QObject(parent), class_(ofClass), earlier_(earlier), kept_(budget) {
  restTimer_.setSingleShot(true);
  restTimer_.setInterval(kRestMs);
  connect(&restTimer_, &QTimer::timeout, this, [this] {
    if (recomputer_ && rests()) run_->release();
  });
}

void RunRecords::begin(std::shared_ptr<const RunMetrics> metrics) {
  metrics_ = std::move(metrics);
  failure_.clear();
  info_.reset();
  grown_.reset();
  history_.reset();
  kept_.clear();
  arriving_.reset();
  renewLater_ = false;
}

void RunRecords::attach(WatchedRun* run) {
  run_ = run;
  if (run_ != nullptr) history_ = run_->history();
}

void RunRecords::bringBack(std::shared_ptr<const RunInfo> info, RecordStore records) {
  info_ = std::move(info);
  kept_ = std::move(records);
}

std::int64_t RunRecords::liveStep() const {
  if (!metrics_->steps.empty()) return metrics_->steps.back().step;
  return info_ ? info_->firstStep - 1 : 0;
}

bool RunRecords::rests() const {
  return run_ != nullptr && run_->state() == RunState::Paused && run_->isAtRest();
}

void RunRecords::setStepsBackExpected(bool expected) {
  if (std::exchange(stepsBackExpected_, expected) == expected) return;
  if (expected)
    Q_EMIT wanted();
  else if (!recomputing_)
    earlier_.finish(nullptr, std::move(recomputer_));  // it may be in the middle of a step
}

std::shared_ptr<const StepRecord> RunRecords::recordOf(std::int64_t step) {
  if (auto record = kept_.find(step)) {
    if (!history_) failure_.clear();
    return record;
  }
  if (!info_ || step < info_->firstStep || step > liveStep() || recomputing_ == step) return nullptr;
  if (!history_ && !class_.isThere()) {  // its states are in other processes, and its times were measured only once
    failure_ = coreSentence(UserError(say::stepNotRecorded, Count{step}, Option{"devices"}));
    QMetaObject::invokeMethod(
        this, [this, step] { Q_EMIT failed(step); }, Qt::QueuedConnection);
    return nullptr;
  }
  recompute(step);
  return nullptr;
}

void RunRecords::renew(std::int64_t step) {
  if (class_.run() == nullptr) return;
  if (recomputing_)  // one at a time: asked again when that one is there
    renewLater_ = true;
  else
    recompute(step);
}

void RunRecords::recompute(std::int64_t step) {
  if (!recomputer_) makeRecomputer();
  recomputer_->request(step);
  recomputing_ = step;
  Q_EMIT wanted();
}

// All runs that are shown together go back at the same time.
void RunRecords::makeRecomputer() {
  recomputer_ = class_.recomputer(std::max(1, processorCount() / shownTogether_));
  if (recomputer_) return;
  const std::int64_t threads = info_->config.threads;
  recomputer_ = std::make_unique<Recomputer>(info_, history_, std::max<std::int64_t>(1, threads / shownTogether_));
}

void RunRecords::take() {
  followClass();
  takeArrived();
  takeRecomputed();
}

// If more workers have joined than the records have places for, they are shown from the first record on that has them:
// the next one, or, if none comes, the present one, made again.
void RunRecords::followClass() {
  if (class_.run() == nullptr || !info_) return;
  const auto now = run_->info();
  if (now == info_ || now == grown_) return;
  const bool alike = now->replicas == info_->replicas;
  if (alike || (kept_.size() == 0 && !arriving_)) {
    info_ = now;
    return;
  }
  const bool rested = rests();  // asked first: for the record the class takes its state, and rests no longer
  grown_ = now;
  run_->telemetry().requestRecord();
  if (rested) Q_EMIT grown();
}

// A record precedes its metric. A record that overtook its metric between the two pipes waits for the next take().
void RunRecords::takeArrived() {
  for (int i = 0; i < 2 && run_ != nullptr; ++i) {
    if (!arriving_) arriving_ = run_->telemetry().takeRecord();
    if (!arriving_ || arriving_->metric.step > liveStep()) return;
    (void)receive(std::exchange(arriving_, nullptr));
  }
}

void RunRecords::takeRecomputed() {
  if (!recomputing_) return;
  const bool busy = recomputer_ && recomputer_->busy();
  std::shared_ptr<const StepRecord> record = recomputer_ ? recomputer_->take() : nullptr;
  if (!record && busy) return;
  const std::int64_t step = *std::exchange(recomputing_, std::nullopt);
  if (record) {
    failure_.clear();
    if (!receive(std::move(record))) return (void)recordOf(step);
  } else {
    if (recomputer_) failure_ = coreSentence(recomputer_->failure());
    Q_EMIT failed(step);
  }
  if (std::exchange(renewLater_, false) && grown_ && rests()) Q_EMIT grown();
}

// Returns false if the record belongs neither to the run as it is shown, nor as it will be shown from now on.
bool RunRecords::receive(std::shared_ptr<const StepRecord> record) {
  const std::int64_t step = record->metric.step;
  const auto replicas = std::ssize(record->replicas);
  const bool reshapes = class_.run() != nullptr && replicas != info_->replicas;
  if (reshapes) {
    const auto now = run_->info();
    if (replicas != now->replicas) {  // a worker joined while the record was made: use the next one
      run_->telemetry().requestRecord();
      return false;
    }
    info_ = now;
    grown_.reset();
    kept_.clear();
  }
  kept_.add(std::move(record));
  if (reshapes) Q_EMIT reshaped(step);
  Q_EMIT arrived(step);
  return true;
}

// A user who has paused may want to see a step that is no longer kept.
void RunRecords::settle(bool mayStepBack) {
  if (mayStepBack && !recomputer_ && stepsBackExpected_ && info_ && history_ &&
      liveStep() - info_->firstStep + 1 > static_cast<std::int64_t>(kept_.size()))
    makeRecomputer();
  if (shownTogether_ < 2 || !recomputer_ || !rests())
    restTimer_.stop();
  else if (!restTimer_.isActive())
    restTimer_.start();
}

void RunRecords::giveUp(const QString& why) {
  recomputer_.reset();
  if (recomputing_) failure_ = why;
}

std::unique_ptr<Recomputer> RunRecords::endReplay() {
  cancel();
  return std::move(recomputer_);
}

}  // namespace lab
