// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/platform.h"

namespace lab {
namespace {

// True on a thread that is inside a task: a nested forEach runs inline there.
thread_local bool insideTask = false;

// How long an idle worker keeps looking for work before it sleeps. A step is several short parallel regions in a row,
// and waking a sleeper costs 10 to 20 µs; a paused program must use no processor, so it does sleep.
constexpr int kSpins = 4000;

}  // namespace

struct ThreadPool::State {
  std::mutex callers;  // one outside caller at a time

  std::mutex mutex;
  std::condition_variable wake;
  // Odd while a region is open to workers, even between regions; changed by the caller alone.
  std::atomic<std::uint64_t> generation{0};
  std::atomic<bool> stopping{false};

  const std::function<void(std::int64_t)>* task = nullptr;
  std::int64_t count = 0;
  std::atomic<std::int64_t> nextIndex{0};
  std::atomic<int> workersInside{0};
  std::exception_ptr failure;  // guarded by mutex

  std::vector<std::thread> workers;

  void takeIndices() {
    insideTask = true;
    for (std::int64_t i = nextIndex.fetch_add(1, std::memory_order_relaxed); i < count;
         i = nextIndex.fetch_add(1, std::memory_order_relaxed)) {
      try {
        (*task)(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
      }
    }
    insideTask = false;
  }

  void workerLoop() {
    lowerThreadPriority();
    flushDenormals();
    std::uint64_t seen = 0;
    const auto nothingToDo = [&] {
      const std::uint64_t current = generation.load();
      return (current % 2 == 0 || current == seen) && !stopping.load();
    };
    while (true) {
      for (int spins = 0; nothingToDo();) {
        if (++spins < kSpins) {
          relaxProcessor();
          continue;
        }
        std::unique_lock lock(mutex);
        wake.wait(lock, [&] { return !nothingToDo(); });
      }
      if (stopping.load()) return;
      const std::uint64_t current = generation.load();
      if (current % 2 == 0) continue;
      // First be counted, then look whether the region is still open; the caller first closes it, then counts. In the
      // one order of these four, a worker that found it open has been seen, and one that has not will find it closed.
      workersInside.fetch_add(1);
      if (generation.load() == current) takeIndices();
      if (workersInside.fetch_sub(1) == 1) workersInside.notify_one();
      seen = current;
    }
  }
};

ThreadPool::ThreadPool(int threads) : state_(std::make_unique<State>()) {
  LAB_CHECK(threads >= 1);
  for (int i = 1; i < threads; ++i) state_->workers.emplace_back([this] { state_->workerLoop(); });
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopping.store(true, std::memory_order_release);
  }
  state_->wake.notify_all();
  for (std::thread& worker : state_->workers) worker.join();
}

int ThreadPool::threads() const {
  return static_cast<int>(state_->workers.size()) + 1;
}

void ThreadPool::forEach(std::int64_t count, const std::function<void(std::int64_t)>& task) {
  if (count <= 0) return;
  State& s = *state_;
  if (insideTask || s.workers.empty() || count == 1) {
    // Inline. An exception leaves at once; nobody else is working on this region.
    for (std::int64_t i = 0; i < count; ++i) task(i);
    return;
  }
  const std::lock_guard caller(s.callers);
  {
    const std::lock_guard lock(s.mutex);
    s.task = &task;
    s.count = count;
    s.failure = nullptr;
    s.nextIndex.store(0, std::memory_order_relaxed);
    s.generation.fetch_add(1);  // opens the region
  }
  s.wake.notify_all();
  s.takeIndices();
  s.generation.fetch_add(1);  // closes it: a worker that was asleep is not waited for
  // The pieces are short and all taken: spin at first. A worker that has been descheduled, for the window's sake, is
  // slept for: the processor that falls idle then takes it over, which one that spins or yields does not.
  int spins = 0;
  for (int inside = s.workersInside.load(); inside != 0; inside = s.workersInside.load()) {
    if (++spins < kSpins)
      relaxProcessor();
    else
      s.workersInside.wait(inside);
  }
  s.task = nullptr;
  if (s.failure) std::rethrow_exception(std::exchange(s.failure, nullptr));
}

}  // namespace lab
