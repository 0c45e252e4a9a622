// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiments/run_queue.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/base/stopped.h"

namespace lab {

RunQueue::RunQueue(int jobs, std::int64_t memoryBytes) : jobs_(std::max(1, jobs)), memoryBytes_(memoryBytes) {}

RunQueue::~RunQueue() {
  cancelAll();
  for (std::jthread& thread : threads_) thread.request_stop();
  changed_.notify_all();
  threads_.clear();
}

int RunQueue::add(Train train, bool alone, std::int64_t bytes) {
  const std::lock_guard lock(mutex_);
  runs_.push_back({.train = std::move(train), .alone = alone, .bytes = bytes});
  if (std::ssize(threads_) < std::min<std::ptrdiff_t>(jobs_, std::ssize(runs_)))
    threads_.emplace_back([this](const std::stop_token& stop) { work(stop); });
  changed_.notify_all();
  return static_cast<int>(runs_.size()) - 1;
}

void RunQueue::pause() {
  const std::lock_guard lock(mutex_);
  paused_ = true;
}

void RunQueue::resume() {
  const std::lock_guard lock(mutex_);
  paused_ = false;
  changed_.notify_all();
}

void RunQueue::cancel(Run& run) {
  run.cancelled = true;
  if (run.state != State::Waiting) return;
  run.state = State::Cancelled;
  run.train = nullptr;
}

void RunQueue::cancel(int id) {
  const std::lock_guard lock(mutex_);
  cancel(runs_.at(static_cast<std::size_t>(id)));
  changed_.notify_all();
}

void RunQueue::cancelAll() {
  const std::lock_guard lock(mutex_);
  for (Run& run : runs_) cancel(run);
  changed_.notify_all();
}

RunQueue::State RunQueue::state(int id) const {
  const std::lock_guard lock(mutex_);
  return runs_.at(static_cast<std::size_t>(id)).state;
}

Message RunQueue::failure(int id) const {
  const std::lock_guard lock(mutex_);
  return runs_.at(static_cast<std::size_t>(id)).failure;
}

bool RunQueue::hasEnded() const {
  return running_ == 0 && std::ranges::none_of(runs_, [](const Run& run) { return run.state == State::Waiting; });
}

bool RunQueue::isIdle() const {
  const std::lock_guard lock(mutex_);
  return hasEnded();
}

void RunQueue::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return hasEnded(); });
}

bool RunQueue::Turn::goOn() {
  std::unique_lock lock(queue_.mutex_);
  const auto cancelled = [this] { return at(queue_.runs_, id_).cancelled; };
  queue_.changed_.wait(lock, [&] { return !queue_.paused_ || cancelled(); });
  cancelled_ = cancelled();
  return !cancelled_;
}

// Runs start in order: if the first waiting run must be alone or has no room, none overtakes it, because otherwise it
// might wait for ever.
int RunQueue::next() const {
  if (paused_ || aloneRuns_) return -1;
  for (std::size_t i = firstWaiting_; i < runs_.size(); ++i) {
    const Run& run = runs_[i];
    if (run.state != State::Waiting) continue;
    const bool hasRoom = memoryBytes_ <= 0 || run.bytes <= memoryBytes_ - bytes_;
    return running_ > 0 && (run.alone || !hasRoom) ? -1 : static_cast<int>(i);
  }
  return -1;
}

void RunQueue::end(int id, State state, const Message& failure) {
  const std::lock_guard lock(mutex_);
  Run& run = at(runs_, id);
  run.state = state;
  run.failure = failure;
  run.train = nullptr;
  --running_;
  bytes_ -= run.bytes;
  if (run.alone) aloneRuns_ = false;
  changed_.notify_all();
}

void RunQueue::work(const std::stop_token& stop) {
  lowerThreadPriority();  // the window has priority
  for (;;) {
    int id = -1;
    Train train;
    bool alone = false;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, stop, [&] { return (id = next()) >= 0; });
      if (stop.stop_requested() || id < 0) return;
      Run& run = at(runs_, id);
      run.state = State::Running;
      ++running_;
      bytes_ += run.bytes;
      alone = aloneRuns_ = run.alone;
      firstWaiting_ = static_cast<std::size_t>(id) + 1;
      train = std::move(run.train);
    }
    Turn turn(*this, id, alone || jobs_ == 1 ? processorCount() : 1);
    try {
      train(turn);
      end(id, turn.cancelled_ ? State::Cancelled : State::Finished, {});
    } catch (const Stopped&) {
      end(id, State::Cancelled, {});
    } catch (const std::exception& error) {
      end(id, State::Failed, messageOf(error));
    }
  }
}

}  // namespace lab
