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
  std::atomic<std::uint64_t> generation{0};  // bumped under mutex when a region begins
  std::atomic<bool> stopping{false};

  const std::function<void(std::int64_t)>* task = nullptr;
  std::int64_t count = 0;
  std::atomic<std::int64_t> nextIndex{0};
  std::atomic<int> workersInside{0};  // workers that have not yet left the current region
  std::exception_ptr failure;         // guarded by mutex

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
    while (true) {
      int spins = 0;
      while (generation.load(std::memory_order_acquire) == seen && !stopping.load(std::memory_order_acquire)) {
        if (++spins < kSpins) {
          relaxProcessor();
          continue;
        }
        std::unique_lock lock(mutex);
        wake.wait(lock, [&] { return generation.load(std::memory_order_relaxed) != seen || stopping.load(); });
      }
      if (stopping.load(std::memory_order_acquire)) return;
      seen = generation.load(std::memory_order_acquire);
      takeIndices();
      workersInside.fetch_sub(1, std::memory_order_release);
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
    s.workersInside.store(static_cast<int>(s.workers.size()), std::memory_order_relaxed);
    s.generation.fetch_add(1, std::memory_order_release);
  }
  s.wake.notify_all();
  s.takeIndices();
  // The pieces are short and already all taken: spin rather than sleep, but give way if a worker was descheduled.
  for (int spins = 0; s.workersInside.load(std::memory_order_acquire) != 0; ++spins) {
    if (spins < kSpins)
      relaxProcessor();
    else
      std::this_thread::yield();
  }
  s.task = nullptr;
  if (s.failure) std::rethrow_exception(std::exchange(s.failure, nullptr));
}

}  // namespace lab
