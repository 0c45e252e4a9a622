// SPDX-License-Identifier: GPL-3.0-or-later
// The fixed pool that runs all arithmetic, at a lower priority than the window. The division of work never depends on
// the number of threads: callers divide it by size alone, so results have the same bits with any number.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace lab {

class ThreadPool {
 public:
  // `threads` counts all threads, including the calling one; at least 1. With 1 no thread is started. Where
  // the system allows no more threads, there are fewer.
  explicit ThreadPool(int threads);
  // `keepsDenormals`: its threads do not flush them (platform.h); the calling thread does as it likes.
  ThreadPool(int threads, bool keepsDenormals);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const;

  // Returns whether the calling thread runs a task of this pool that is divided among its threads, so that the other
  // threads are busy with their own share.
  bool inTask() const;

  // Calls task(i) once for each i in [0, count), on any thread and in any order; returns when all calls are done. The
  // caller takes part. Each thread begins with a contiguous share of its own, the same in every call with this count,
  // so what it wrote in one call is in its caches in the next. A call from inside a task is shared with idle threads;
  // if there are none, or if it is nested once more, the calling thread runs it alone. Nesting is allowed and never
  // deadlocks. The first exception thrown by a task is rethrown here after the others have finished. Only one thread
  // outside a task may call at a time; a second one waits its turn.
  void forEach(std::int64_t count, const std::function<void(std::int64_t)>& task);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lab
