// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/replay/recompute.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/config/resolved_settings.h"
#include "core/options/config_field.h"
#include "core/replay/messages.h"

namespace lab {
namespace {

constexpr std::int64_t kStepsPerKept = 2;  // keeping a near state may cost up to half the steps that it saves
constexpr std::int64_t kForgets = 8;  // if keeping is too expensive, its estimated cost drops by this part each time

// Keeps only what affects the steps. The origin of the weights does not matter, because a state brings its own.
ResolvedSettings stepsOf(ResolvedSettings config) {
  config = withoutOutputs(std::move(config));
  config.init.clear();
  config.evalEvery = 0;
  return config;
}

}  // namespace

Recomputer::Recomputer(std::shared_ptr<const RunInfo> info, std::shared_ptr<const StateHistory> history,
                       std::int64_t threads, CostClock clock)
    : info_(std::move(info)), history_(std::move(history)), threads_(threads), clock_(clock) {
  telemetry_.setSpansWanted(false);
  thread_ = std::jthread([this](std::stop_token stop) { work(std::move(stop)); });
}

Recomputer::Recomputer(Compute compute) : compute_(std::move(compute)) {
  thread_ = std::jthread([this](std::stop_token stop) { work(std::move(stop)); });
}

// Also ends the making of a trainer.
Recomputer::~Recomputer() {
  telemetry_.stopPreparing();
}

void Recomputer::request(std::int64_t step) {
  std::shared_ptr<const StepRecord> givenUp;  // destroyed after the lock is released
  const std::lock_guard lock(mutex_);
  givenUp = std::exchange(record_, nullptr);
  failure_ = {};
  wanted_ = step;
  changed_.notify_all();
}

std::shared_ptr<const StepRecord> Recomputer::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(record_, nullptr);
}

bool Recomputer::busy() const {
  const std::lock_guard lock(mutex_);
  return wanted_.has_value();
}

Message Recomputer::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

bool Recomputer::isWanted(std::int64_t step) const {
  const std::lock_guard lock(mutex_);
  return wanted_ == step;
}

void Recomputer::work(std::stop_token stop) {
  lowerThreadPriority();
  if (!compute_) warmUp();
  while (true) {
    std::int64_t step = 0;
    {
      std::unique_lock lock(mutex_);
      if (!changed_.wait(lock, stop, [this] { return wanted_.has_value(); })) return;
      if (stop.stop_requested()) return;
      step = *wanted_;
    }
    std::shared_ptr<const StepRecord> record;
    Message failure;
    try {
      record =
          compute_ ? compute_(step, [&] { return !stop.stop_requested() && isWanted(step); }) : compute(step, stop);
    } catch (const std::exception& error) {
      failure = messageOf(error);
      trainer_.reset();  // the trainer may be in the middle of a step
    }
    const std::lock_guard lock(mutex_);
    if (wanted_ != step || (record == nullptr && failure.empty())) continue;
    record_ = std::move(record);
    failure_ = std::move(failure);
    wanted_.reset();
  }
}

void Recomputer::makeTrainer() {
  if (trainer_) return;
  standsInRun_ = false;
  ResolvedSettings config = stepsOf(info_->config);
  if (threads_ > 0) config.threads = threads_;
  trainer_ = std::make_unique<Trainer>(config, info_->data, telemetry_, info_->lineage);
}

void Recomputer::warmUp() {
  try {
    makeTrainer();
    telemetry_.preparing({Preparation::Part::Step});  // throws if nobody wants the trainer any more
    trainer_->step();
    (void)telemetry_.takeMetrics();
  } catch (const std::exception&) {
    trainer_.reset();  // the first request will report why
  }
}

// Returns null if given up half-way because another step, or none, is wanted.
std::shared_ptr<const StepRecord> Recomputer::compute(std::int64_t step, const std::stop_token& stop) {
  if (step < 1 || step > info_->totalSteps) throw UserError(say::noSuchStep, Count{step}, Count{info_->totalSteps});
  standBefore(step);
  if (trainer_->stepsDone() + 1 < step) trainer_->shareMirrorCopies();
  while (trainer_->stepsDone() < step) {
    if (stop.stop_requested() || !isWanted(step)) return nullptr;
    const bool last = trainer_->stepsDone() == step - 1;
    if (last) telemetry_.requestRecord();
    const std::int64_t beganNs = clock_();
    trainer_->step();
    ++stepsComputed_;
    (void)telemetry_.takeMetrics();
    if (last) break;
    const std::int64_t tookNs = clock_() - beganNs;
    stepNs_ = stepNs_ == 0 ? tookNs : std::min(stepNs_, tookNs);
    keepNear(step);
  }
  return telemetry_.takeRecord();
}

// Puts the trainer at the latest state before the step: its present one, a near state kept earlier, or a state of the
// run.
void Recomputer::standBefore(std::int64_t step) {
  const std::int64_t ofRun = history_->stepBefore(step), ofNear = near_.stepBefore(step);
  if (ofRun < 0) throw UserError(say::stepBeforeResumed, Count{step}, Count{info_->firstStep});
  makeTrainer();
  const std::int64_t standsAt = standsInRun_ && trainer_->stepsDone() < step ? trainer_->stepsDone() : -1;
  if (standsAt >= std::max(ofRun, ofNear)) return;
  std::shared_ptr<const Checkpoint> state = ofNear > ofRun ? near_.atOrBefore(step) : nullptr;
  if (state == nullptr) state = history_->atOrBefore(step);
  if (state == nullptr) throw UserError(say::stepBeforeResumed, Count{step}, Count{info_->firstStep});
  standsInRun_ = false;
  trainer_->loadState(*state);
  standsInRun_ = true;
}

// A person who goes back often goes back one more step. Keeping the states 2, 4, 8 … steps before the requested step
// limits the next request to a few steps, however far apart the run's own states are.
void Recomputer::keepNear(std::int64_t step) {
  const std::int64_t left = step - trainer_->stepsDone();
  if (left < 2 || !std::has_single_bit(static_cast<std::uint64_t>(left))) return;
  if (near_.has(trainer_->stepsDone())) return;
  if (left * stepNs_ < kStepsPerKept * keepNs_) {
    // otherwise a cost measured while other programs computed would prevent all states for ever
    keepNs_ -= keepNs_ / kForgets;
    return;
  }
  const std::int64_t beganNs = clock_();
  near_.keep(std::make_shared<const Checkpoint>(trainer_->saveState()), step);
  const std::int64_t tookNs = clock_() - beganNs;
  keepNs_ = keepNs_ == 0 ? tookNs : std::min(2 * keepNs_, tookNs);
}

}  // namespace lab
