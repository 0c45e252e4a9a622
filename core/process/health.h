// SPDX-License-Identifier: GPL-3.0-or-later
// Watches that all workers live and arrive where others wait for them: MPI gives survivors no error, and hangs silently
// on a cut link. A thread of each process reports to worker 0, several times within the deadline, what the process does
// and whom it waits for; worker 0 tells all others who is missing. Linear in W at worker 0, with a small message each.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/base/message.h"
#include "core/process/awake_clock.h"
#include "core/process/wire.h"

namespace lab::process {

enum class Doing : std::int32_t {
  StartUp,
  Computing,
  Begin,
  Broadcast,
  AllReduce,
  End,
  Record,
  Evaluation,
  Leaving,
  Gather,
  Files
};
Message wordsOf(Doing doing, std::int64_t step);
bool takesLong(Doing doing);  // data are being read, GPUs joined or the run's files read or written

// Special values for whom a process waits for: nobody; all others, in another library's collective, which does not say
// who is missing; or a process inside a call of that library, which has not reached the wait yet.
constexpr int kNobody = -1, kAllOthers = -2, kInCall = -3;

// The reason that ends a run among processes.
struct Verdict {
  enum class Kind : std::int32_t { None, Missing, Absent, Unreachable, Stuck };
  Kind kind = Kind::None;
  std::int32_t worker = -1, other = -1;
  std::int32_t seconds = 0;
  Doing doing = Doing::Computing;
  std::int64_t step = 0;
};

// How long a process may be silent, or what is waited for may take; and the same while data are read or GPUs joined
// (five times as long while the run's files are read or written). Both only count while the waiting process itself
// runs.
struct TimeLimits {
  double deadlineSeconds = 10, startUpSeconds = 60;
};

class Health {
 public:
  // Calls `ended` on a thread of its own if there is a verdict and nobody takes it within 2 s: then the trainer thread
  // hangs in a call that does not return.
  Health(std::shared_ptr<Wire> wire, const TimeLimits& limits, std::function<void(const Verdict&)> ended);
  ~Health();

  // Trainer thread.
  void enter(Doing doing, std::int64_t step);
  std::int64_t step() const { return step_.load(std::memory_order_relaxed); }
  void waitFor(int rank);
  std::chrono::nanoseconds deadline() const { return std::chrono::nanoseconds(deadlineNs_); }
  bool hasVerdict() const { return judged_.load(std::memory_order_acquire); }
  Verdict takeVerdict();

  struct Heartbeat {  // of fixed size, for the wire
    std::int64_t count = 0, entered = 0, step = 0, sinceMs = 0, longestMs = 0;
    std::int32_t doing = 0, waitsFor = -1;
    Verdict verdict;
  };

 private:
  struct Seen {
    Heartbeat beat, incoming;
    Request receiving = 0, sending = 0;
    Heartbeat outgoing;
    std::int64_t heardNs = 0;
  };
  void watch(const std::stop_token& stop);
  void exchange(int other, std::int64_t nowNs);
  Heartbeat own(std::int64_t nowNs) const;
  Verdict judge(std::int64_t nowNs) const;
  Verdict judgeWaiting(std::int64_t nowNs) const;
  std::int64_t limitMs(Doing doing, std::int64_t longestMs) const;
  static Verdict judgeCollective(const std::vector<Heartbeat>& beats, std::int64_t limitMs);
  void pass(const Verdict& verdict);

  std::shared_ptr<Wire> wire_;
  std::int64_t deadlineNs_, startUpNs_;
  AwakeClock clock_;
  std::function<void(const Verdict&)> ended_;
  std::atomic<std::int64_t> entered_{0}, step_{0}, sinceNs_{0}, longestNs_{0};
  std::atomic<std::int32_t> doing_{0}, waitsFor_{-1};
  std::atomic<bool> judged_{false}, taken_{false};
  std::vector<Seen> seen_;  // the chief sees all others; others see the chief
  std::int64_t beats_ = 0;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  Verdict verdict_;  // guarded by mutex_
  std::jthread thread_;
};

}  // namespace lab::process
