// SPDX-License-Identifier: GPL-3.0-or-later
// The fixed pool that all arithmetic runs on, at a lower priority than the window. How work is divided never depends on
// how many threads there are: callers cut it into pieces by size alone, so results have the same bits with any count.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace lab {

class ThreadPool {
 public:
  // `threads` in all, the calling one included; at least 1. 1 means no thread is started.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const;

  // Whether the calling thread is in a task that this pool divides among its threads: the others are busy with their
  // own.
  bool inTask() const;

  // Calls task(i) once for each i in [0, count), on any thread and in any order; returns when all are done. The caller
  // takes part. A call from inside a task is shared with the threads that have nothing to do, and runs on that thread
  // alone where there are none, or where it is nested once more: nesting is allowed and never deadlocks. The first
  // exception thrown by a task is rethrown here after the others have finished. One thread at a time may be outside a
  // task and calling; a second one waits its turn.
  void forEach(std::int64_t count, const std::function<void(std::int64_t)>& task);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lab
