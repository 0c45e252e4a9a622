// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/base/platform.h"

namespace lab {
namespace {

// How long an idle thread looks for work before it sleeps. A step consists of several short parallel regions, and
// waking a sleeping thread costs 10 to 20 µs; but a paused program must use no processor, so idle threads do sleep.
constexpr int kSpins = 4000;

// How often and how long a thread naps before it sleeps for good. Linux moves a thread that waits for a busy processor
// only when another processor becomes idle, and never a thread that ran within the last half millisecond (task_hot() in
// its kernel/sched/fair.c). If the window has displaced a thread of this pool, the end of a later nap fetches it.
constexpr int kNaps = 60;
constexpr std::chrono::microseconds kNap{150};

// A thread's share of a region's indices: in the low bits how many of them have been taken, in the others the
// generation that took them. So opening a region touches no share.
struct alignas(64) Share {
  std::atomic<std::uint64_t> taken{0};
};
constexpr int kTakenBits = 28;
constexpr std::uint64_t kTakenMask = (std::uint64_t{1} << kTakenBits) - 1;

// One call of forEach. One thread opens and closes it, and others join it while it is open. Each thread takes the
// indices of its own share first, and then those that others have not taken: what a thread wrote in one region is in
// its caches when the next one reads it. On two cores of a Zen 4 a step of 1,024 images takes a fifth less.
struct alignas(64) Region {
  std::atomic<std::uint64_t> generation{0};  // odd while it is open
  const std::function<void(std::int64_t)>* task = nullptr;
  std::atomic<std::int64_t> count{0};
  std::atomic<std::int64_t> claimed{0};  // how many indices are taken, or about to be; beyond count: none is left
  std::atomic<int> guests{0};            // threads that are inside, or about to find out that it is closed
  std::vector<Share> shares;             // one per thread of the pool
  std::mutex mutex;
  std::exception_ptr failure;  // guarded by mutex

  bool hasWork() const { return generation.load() % 2 == 1 && claimed.load(std::memory_order_relaxed) < count.load(); }

  void takeIndices(std::size_t thread) {
    const std::int64_t end = count.load(std::memory_order_relaxed);
    const std::uint64_t tag = generation.load() << kTakenBits;
    while (claimed.fetch_add(1, std::memory_order_relaxed) < end) {
      const std::int64_t i = takeFrom(thread, end, tag);
      try {
        (*task)(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
      }
    }
  }

  // Takes one of the indices that are left, of the thread's own share if it has one. A thread that has claimed one
  // finds it, because no more are claimed than there are.
  std::int64_t takeFrom(std::size_t thread, std::int64_t end, std::uint64_t tag) {
    const auto all = static_cast<std::int64_t>(shares.size());
    for (std::int64_t of = static_cast<std::int64_t>(thread);; of = (of + 1) % all) {
      const std::int64_t first = end * of / all;
      const auto size = static_cast<std::uint64_t>(end * (of + 1) / all - first);
      std::atomic<std::uint64_t>& taken = at(shares, of).taken;
      for (std::uint64_t seen = taken.load(std::memory_order_relaxed);;) {
        const std::uint64_t before = (seen & ~kTakenMask) == tag ? seen & kTakenMask : 0;
        if (before == size) break;
        if (taken.compare_exchange_weak(seen, tag | (before + 1), std::memory_order_relaxed))
          return first + static_cast<std::int64_t>(before);
      }
    }
  }
};

// Which pool's task this thread runs, as which of the pool's threads, and how deep: 1 inside an outer region, 2 inside
// a region that a task has opened.
struct Place {
  const void* pool = nullptr;
  std::size_t thread = 0;
  int depth = 0;
};
thread_local Place place;

}  // namespace

struct ThreadPool::State {
  State(std::size_t threads, bool keeps) : keepsDenormals(keeps), regions(threads + 1) {
    for (Region& region : regions) region.shares = std::vector<Share>(threads);
  }

  const bool keepsDenormals;
  std::mutex callers;  // one outside caller at a time

  // The outer region, and for each thread the region that a task on it may open; the caller is thread 0.
  std::vector<Region> regions;
  Region& outer() { return regions[0]; }
  Region& nestedOf(std::size_t thread) { return regions[thread + 1]; }

  std::atomic<int> idle{0};      // threads looking for work, asleep or not
  std::atomic<int> sleepers{0};  // those asleep, and owners waiting for their guests to leave
  std::atomic<int> ownersAsleep{0};
  std::atomic<bool> stopping{false};
  std::mutex mutex;  // only for sleeping
  std::condition_variable wake;

  std::vector<std::thread> workers;

  Region* findWork() {
    for (Region& region : regions)
      if (region.hasWork()) return &region;
    return nullptr;
  }

  // A guest is counted first and then looks whether the region is still open; the owner first closes it and then
  // counts. All four operations have a single order: so the owner sees every guest that found the region open, and a
  // guest that it does not see will find the region closed.
  void join(Region& region, std::size_t thread) {
    const Place before = std::exchange(place, {this, thread, &region == &outer() ? 1 : 2});
    region.guests.fetch_add(1);
    if (region.generation.load() % 2 == 1) region.takeIndices(thread);
    place = before;
    if (region.guests.fetch_sub(1) == 1 && ownersAsleep.load() > 0) wakeSleepers();
  }

  // Counts itself first and then looks: a thread that opens or leaves a region does this first and then looks for
  // sleepers.
  template <typename Done>
  void sleepUntil(const Done& done, bool owner) {
    std::unique_lock lock(mutex);
    ownersAsleep.fetch_add(owner ? 1 : 0);
    sleepers.fetch_add(1);
    int naps = 0;
    while (naps < kNaps && !wake.wait_for(lock, kNap, done)) ++naps;
    if (naps == kNaps) wake.wait(lock, done);
    sleepers.fetch_sub(1);
    ownersAsleep.fetch_sub(owner ? 1 : 0);
  }

  // Helps with any available work until `done`. Spins at first, then sleeps.
  template <typename Done>
  void helpUntil(const Done& done, std::size_t thread, bool owner) {
    idle.fetch_add(1);
    for (int spins = 0; !done();) {
      if (Region* region = findWork()) {
        idle.fetch_sub(1);
        join(*region, thread);
        idle.fetch_add(1);
        spins = 0;
      } else if (++spins < kSpins) {
        relaxProcessor();
      } else {
        sleepUntil([&] { return done() || findWork() != nullptr; }, owner);
        spins = 0;
      }
    }
    idle.fetch_sub(1);
  }

  void wakeSleepers() {
    if (sleepers.load() == 0) return;
    { const std::lock_guard lock(mutex); }  // a sleeper that has already looked is waiting by now
    wake.notify_all();
  }

  // While others finish their last pieces, the owner of an outer region helps with the regions that these have opened.
  void run(Region& region, std::int64_t count, const std::function<void(std::int64_t)>& task, std::size_t thread,
           int depth) {
    LAB_CHECK(count <= static_cast<std::int64_t>(kTakenMask));
    region.task = &task;
    region.failure = nullptr;
    region.claimed.store(0, std::memory_order_relaxed);
    region.count.store(count);
    region.generation.fetch_add(1);  // opens it
    wakeSleepers();
    const Place before = std::exchange(place, {this, thread, depth});
    region.takeIndices(thread);
    region.generation.fetch_add(1);  // closes it; a thread that was asleep is not waited for
    const auto left = [&] { return region.guests.load() == 0; };
    if (!left()) depth == 1 ? helpUntil(left, thread, true) : waitUntil(left);
    place = before;
    if (region.failure) std::rethrow_exception(std::exchange(region.failure, nullptr));
  }

  // For the owner of a nested region, which must not open its own nested region a second time meanwhile.
  template <typename Done>
  void waitUntil(const Done& done) {
    for (int spins = 0; spins < kSpins; ++spins) {
      if (done()) return;
      relaxProcessor();
    }
    sleepUntil(done, true);
  }

  void workerLoop(std::size_t thread) {
    lowerThreadPriority();
    keepsDenormals ? keepDenormals() : flushDenormals();
    helpUntil([this] { return stopping.load(); }, thread, false);
  }
};

ThreadPool::ThreadPool(int threads) : ThreadPool(threads, false) {}

ThreadPool::ThreadPool(int threads, bool keepsDenormals)
    : state_(std::make_unique<State>(static_cast<std::size_t>(std::max(1, threads)), keepsDenormals)) {
  LAB_CHECK(threads >= 1);
  try {
    for (int i = 1; i < threads; ++i)
      state_->workers.emplace_back([this, i] { state_->workerLoop(static_cast<std::size_t>(i)); });
  } catch (const std::system_error&) {
    // A container or a shared host allows this program no more threads: those that there are do the work.
  }
}

ThreadPool::~ThreadPool() {
  state_->stopping.store(true);
  state_->wakeSleepers();
  for (std::thread& worker : state_->workers) worker.join();
}

int ThreadPool::threads() const {
  return static_cast<int>(state_->workers.size()) + 1;
}

bool ThreadPool::inTask() const {
  return place.pool == state_.get();
}

void ThreadPool::forEach(std::int64_t count, const std::function<void(std::int64_t)>& task) {
  if (count <= 0) return;
  State& s = *state_;
  const bool outside = place.depth == 0;
  const bool othersMayHelp = outside || (place.depth == 1 && place.pool == &s && s.idle.load() > 0);
  if (s.workers.empty() || count == 1 || !othersMayHelp) {
    // Runs inline. An exception leaves at once, because nobody else works on this region.
    for (std::int64_t i = 0; i < count; ++i) task(i);
  } else if (outside) {
    const std::lock_guard caller(s.callers);
    s.run(s.outer(), count, task, 0, 1);
  } else {
    s.run(s.nestedOf(place.thread), count, task, place.thread, 2);
  }
}

}  // namespace lab
