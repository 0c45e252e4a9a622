// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launching/live_run.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

#include "core/base/ceil_divide.h"
#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/base/stopped.h"
#include "core/device/device_clock.h"
#include "core/training/branches.h"

namespace lab {
namespace {

// Decides when to keep a run's state: often enough that any step can be recomputed within kLongestNs, but so rarely
// that copying takes only a small share of training. The history doubles the distance whenever it is full; the first
// distance is chosen so that, doubled, it gives as many states as the history holds at the end of the run.
class StateKeeper {
 public:
  StateKeeper(StateHistory& history, const Trainer& trainer)
      : history_(history), trainer_(trainer), beganAt_(trainer.stepsDone()) {
    keep();
  }

  void afterStep() {
    if (trainer_.stepsDone() == beganAt_ + kFirstSteps) {
      beganNs_ = trainer_.wallNs();
      keep();  // the first one took long as well
    }
    const std::int64_t since = trainer_.stepsDone() - keptAt_;
    if (distance_ == 0 && !chooseDistance(since)) return;
    if (since >= distance_ * history_.spacing()) keep();
  }

 private:
  // Training time, without evaluations.
  static constexpr std::int64_t kShortestNs = 80'000'000, kLongestNs = 160'000'000;
  static constexpr std::int64_t kLeastIntervalPerCost = 64;
  static constexpr std::int64_t kFirstSteps = 2;  // they take long, because memory is touched for the first time

  // Chooses the distance once a step's duration is known.
  bool chooseDistance(std::int64_t steps) {
    if (steps < 1) return false;
    const std::int64_t tookNs = trainer_.wallNs() - beganNs_;
    const std::int64_t leastNs = std::clamp(kLeastIntervalPerCost * costNs_, kShortestNs, kLongestNs);
    if (tookNs < leastNs) return false;
    const std::int64_t left = trainer_.info().totalSteps - trainer_.stepsDone() + steps;
    const std::int64_t places = std::max<std::int64_t>(1, history_.capacity() - 1);
    distance_ = ceilDivide(left, places);
    const std::int64_t most = kLongestNs * steps / tookNs;
    while (distance_ > std::max<std::int64_t>(1, most)) distance_ = ceilDivide(distance_, 2);
    distance_ = std::max(distance_, leastNs * steps / tookNs);
    return true;
  }

  void keep() {
    const std::int64_t beganNs = steadyNs();
    history_.keep(std::make_shared<const Checkpoint>(trainer_.saveState()));
    // Takes the minimum, as a copy takes many times as long if the processor is taken away meanwhile.
    const std::int64_t tookNs = steadyNs() - beganNs;
    costNs_ = costNs_ == 0 ? tookNs : std::min(costNs_, tookNs);
    keptAt_ = trainer_.stepsDone();
  }

  StateHistory& history_;
  const Trainer& trainer_;
  const std::int64_t beganAt_;
  std::int64_t beganNs_ = 0;
  std::int64_t keptAt_ = 0, costNs_ = 0;  // steps, ns
  std::int64_t distance_ = 0;             // in steps, before any doubling; 0: not chosen yet
};

// Held while a run is prepared. Rapid changes of settings queue several runs; a cancelled run exits before its turn and
// takes no memory. Otherwise all of them would have their variables at once.
std::mutex onlyOneIsMadeReady;

}  // namespace

LiveRun::LiveRun(const ResolvedSettings& config, bool startPaused, Origin origin, bool pastWanted)
    : config_(config), origin_(std::move(origin)), pastWanted_(pastWanted), paused_(startPaused) {
  checkLineage(origin_.lineage, config);  // a wrong request is reported at once, not from the thread
  thread_ = std::jthread([this](const std::stop_token& stop) { train(stop); });
}

LiveRun::~LiveRun() {
  stopAndWait();
}

RunState LiveRun::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}
bool LiveRun::isAtRest() const {
  const std::lock_guard lock(mutex_);
  return atRest_ && paused_ && stepsAllowed_ == 0 && !thread_.get_stop_token().stop_requested();
}
Message LiveRun::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}
std::shared_ptr<const RunInfo> LiveRun::info() const {
  const std::lock_guard lock(mutex_);
  return info_;
}

std::vector<Metric> LiveRun::takePast() {
  const std::lock_guard lock(mutex_);
  return std::exchange(past_, {});
}

void LiveRun::pause() {
  const std::lock_guard lock(mutex_);
  paused_ = true;
  stepsAllowed_ = 0;
  if (state_ == RunState::Running) state_ = RunState::Paused;
}

void LiveRun::resume() {
  const std::lock_guard lock(mutex_);
  paused_ = false;
  if (state_ == RunState::Paused) state_ = RunState::Running;
  changed_.notify_all();
}

void LiveRun::stepOnce() {
  const std::lock_guard lock(mutex_);
  paused_ = true;
  if (state_ == RunState::Running) state_ = RunState::Paused;
  ++stepsAllowed_;
  changed_.notify_all();
}

void LiveRun::stop() {
  thread_.request_stop();
  telemetry_.stopPreparing();
}

void LiveRun::release() {
  const std::lock_guard lock(mutex_);
  if (goesOn()) return;
  releaseWanted_ = true;
  changed_.notify_all();
}

void LiveRun::stopAndWait() {
  stop();
  if (thread_.joinable()) thread_.join();
}

// Returns false if the run must stop.
bool LiveRun::waitWhilePaused(Trainer& trainer, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  if (!goesOn()) {  // a waiting caller sees the last step complete
    lock.unlock();
    trainer.settle();
    lock.lock();
  }
  if (!goesOn()) {
    state_ = RunState::Paused;
    atRest_ = true;
    while (changed_.wait(lock, stop, [this] { return goesOn() || releaseWanted_; }) && !goesOn()) {
      releaseWanted_ = false;
      lock.unlock();
      trainer.release();
      lock.lock();
    }
    atRest_ = false;
  }
  releaseWanted_ = false;
  if (stop.stop_requested()) return false;
  if (paused_)
    --stepsAllowed_;
  else
    state_ = RunState::Running;
  return true;
}

// Returns false if the run must stop.
bool LiveRun::startFromOrigin(Trainer& trainer, const std::stop_token& stop, std::vector<Metric>& past) {
  if (origin_.lineage.empty() || trainer.info().firstStep != 1) return true;
  const bool fromClass = static_cast<bool>(origin_.ofClass);
  const auto near = origin_.states ? origin_.states->atOrBefore(origin_.lineage.back().step) : nullptr;
  // For a branch from a file, all steps of its ancestors are trained, which may take long.
  std::int64_t before = 0;
  const auto goOn = [&] {
    if (!near && !fromClass) telemetry_.preparing({Preparation::Part::Step, before++, origin_.lineage.back().step - 1});
    return !stop.stop_requested();
  };
  if (!fromClass) return startBranch(trainer, trainer.info().data, near.get(), goOn, pastWanted_ ? &past : nullptr);
  const std::optional<Checkpoint> state = origin_.ofClass(trainer.saveState(), goOn);
  if (state) trainer.startFrom(*state);
  return state.has_value();
}

void LiveRun::train(const std::stop_token& stop) {
  const auto end = [this](RunState state, const Message& failure = {}) {
    const std::lock_guard lock(mutex_);
    state_ = state;
    failure_ = failure;
  };
  lowerThreadPriority();  // this thread computes too, and the window has priority
  try {
    std::optional<Trainer> ready;
    {
      const std::lock_guard turn(onlyOneIsMadeReady);
      if (stop.stop_requested()) return end(RunState::Stopped);
      telemetry_.preparing({Preparation::Part::Data});
      ready.emplace(config_, openDataset(config_, &telemetry_), telemetry_, origin_.lineage);
    }
    Trainer& trainer = *ready;
    std::vector<Metric> past;
    if (!startFromOrigin(trainer, stop, past)) return end(RunState::Stopped);
    StateKeeper states(*history_, trainer);
    telemetry_.preparing({Preparation::Part::Step});
    {
      const std::lock_guard lock(mutex_);
      info_ = std::make_shared<const RunInfo>(trainer.info());
      past_ = std::move(past);
      state_ = paused_ ? RunState::Paused : RunState::Running;
    }
    while (!trainer.finished()) {
      if (!waitWhilePaused(trainer, stop)) return end(RunState::Stopped);
      trainer.step();
      states.afterStep();
    }
    trainer.finish();
    end(RunState::Finished);
  } catch (const Stopped&) {
    end(RunState::Stopped);
  } catch (const std::exception& error) {
    end(RunState::Failed, messageOf(error));
  }
}

}  // namespace lab
