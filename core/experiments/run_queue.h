// SPDX-License-Identifier: GPL-3.0-or-later
// Many runs, some at once, each on one thread of its own where several run. A waiting run costs no memory beyond what
// its function holds, and those that run stay together within what there is. How many run at once never changes a run's
// bits. All of it may be called from any thread.
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

  // What a run is given of the queue. For the run's thread.
  class Turn {
   public:
    int threads() const { return threads_; }  // that it may compute with
    // To be called between two steps: waits while the queue is paused. False where the run is to end now.
    bool goOn();

   private:
    friend class RunQueue;
    Turn(RunQueue& queue, int id, int threads) : queue_(queue), id_(id), threads_(threads) {}
    RunQueue& queue_;
    int id_;
    int threads_;
    bool cancelled_ = false;  // goOn() has said so
  };
  // Trains. What it throws makes the run Failed; `Stopped`, or returning after goOn() was false, Cancelled.
  using Train = std::function<void(Turn&)>;

  // `jobs`: so many runs at once, at least 1. With 1 a run may compute with all processors. `memoryBytes`: what those
  // that run may need together (memoryForRuns()); 0: no limit.
  explicit RunQueue(int jobs, std::int64_t memoryBytes = 0);
  ~RunQueue();  // cancels everything and waits
  RunQueue(const RunQueue&) = delete;
  RunQueue& operator=(const RunQueue&) = delete;

  // Runs start in the order in which they were added. `alone`: nothing else runs meanwhile, and it may compute with all
  // processors; for runs whose time is measured. `bytes`: what it needs; one that has no room beside the others waits
  // until it has, and one that needs more than there is runs by itself. Returns the run's id, from 0.
  int add(Train train, bool alone = false, std::int64_t bytes = 0);

  void pause();  // every run at its next step boundary; none is started
  void resume();
  void cancel(int id);  // at its next step boundary; a waiting one never starts
  void cancelAll();

  State state(int id) const;
  Message failure(int id) const;  // of a Failed one
  bool isIdle() const;            // nothing waits and nothing runs
  void wait();                    // until then

 private:
  struct Run {
    Train train;  // empty once it has ended
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
  std::vector<Run> runs_;         // by id; guarded by mutex_, as all below
  std::size_t firstWaiting_ = 0;  // none before it waits
  int running_ = 0;
  std::int64_t bytes_ = 0;  // that those which run need
  bool aloneRuns_ = false, paused_ = false;
  std::vector<std::jthread> threads_;  // last: joined before the rest goes
};

}  // namespace lab
