// SPDX-License-Identifier: GPL-3.0-or-later
// A queue of many runs, of which some run at once, each on its own thread if several run. A waiting run needs no memory
// beyond what its function holds, and the running ones together stay within the available memory. The number of runs at
// once never changes a run's bits. Any thread may call any of this.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "core/base/message.h"

namespace lab {

class RunQueue {
 public:
  enum class State { Waiting, Running, Finished, Cancelled, Failed };

  // What the queue gives a run. Only for the run's thread.
  class Turn {
   public:
    int threads() const { return threads_; }  // that the run may compute with
    // Must be called between two steps: waits while the queue is paused. Returns false if the run must end now.
    bool goOn();

   private:
    friend class RunQueue;
    Turn(RunQueue& queue, int id, int threads) : queue_(queue), id_(id), threads_(threads) {}
    RunQueue& queue_;
    int id_;
    int threads_;
    bool cancelled_ = false;  // goOn() has returned false
  };
  // Trains a run. An exception makes the run Failed; `Stopped`, or returning after goOn() was false, makes it
  // Cancelled.
  using Train = std::function<void(Turn&)>;

  // `jobs`: number of runs at once, at least 1. With 1, a run may compute with all processors. `memoryBytes`: what the
  // running runs may need together (memoryForRuns()); 0: no limit.
  explicit RunQueue(int jobs, std::int64_t memoryBytes = 0);
  ~RunQueue();  // cancels everything and waits
  RunQueue(const RunQueue&) = delete;
  RunQueue& operator=(const RunQueue&) = delete;

  // Adds a run; runs start in the order of adding. `alone`: nothing else runs meanwhile, and the run may compute with
  // all processors; for runs whose time is measured. `bytes`: memory that it needs. If this exceeds what is free, the
  // run waits; if it exceeds the limit, the run runs alone. Returns the run's id, from 0.
  int add(Train train, bool alone = false, std::int64_t bytes = 0);

  void pause();  // each run pauses at its next step boundary; none is started
  void resume();
  void cancel(int id);  // at its next step boundary; a waiting run never starts
  void cancelAll();

  State state(int id) const;
  Message failure(int id) const;  // of a Failed run
  bool isIdle() const;            // nothing waits or runs
  void wait();                    // until the queue is idle

 private:
  struct Run {
    Train train;  // empty after the run has ended
    bool alone = false, cancelled = false;
    std::int64_t bytes = 0;
    State state = State::Waiting;
    Message failure;
  };

  void work(const std::stop_token& stop);
  int next() const;  // the run to start now; -1: none
  bool hasEnded() const;
  static void cancel(Run& run);
  void end(int id, State state, const Message& failure);

  const int jobs_;
  const std::int64_t memoryBytes_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<Run> runs_;         // by id; guarded by mutex_, as are all members below
  std::size_t firstWaiting_ = 0;  // no run before this index waits
  int running_ = 0;
  std::int64_t bytes_ = 0;  // that the running runs need
  bool aloneRuns_ = false, paused_ = false;
  std::vector<std::jthread> threads_;  // last member: joined before the others are destroyed
};

}  // namespace lab
