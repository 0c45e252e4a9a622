// SPDX-License-Identifier: GPL-3.0-or-later
// Computes steps of a run again, from the nearest kept state, on a thread of its own. Such a record equals, bit for
// bit, the one that the run made or would have made of this step, except for clock readings: wallNs and, where time is
// measured, all times.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "core/base/message.h"
#include "core/device/device_clock.h"
#include "core/replay/near_states.h"
#include "core/replay/state_history.h"
#include "core/trace/telemetry.h"
#include "core/training/trainer.h"

namespace lab {

class Recomputer {
 public:
  // `info` and `history` may outlive their run. The thread makes a trainer at once, which takes a step that nobody
  // sees, because touching all memory for the first time takes as long as many steps. `threads` is the number of
  // computing threads; 0: as many as the run has. `clock`, in ns, measures the cost of a step and of a state, to decide
  // which states are worth keeping.
  using CostClock = std::int64_t (*)();
  Recomputer(std::shared_ptr<const RunInfo> info, std::shared_ptr<const StateHistory> history, std::int64_t threads = 0,
             CostClock clock = steadyNs);
  // For a run without such states: `compute` makes a record on the thread, or gives up when `goesOn` returns false.
  using Compute =
      std::function<std::shared_ptr<const StepRecord>(std::int64_t step, const std::function<bool()>& goesOn)>;
  explicit Recomputer(Compute compute);
  ~Recomputer();  // stops at the next step boundary
  Recomputer(const Recomputer&) = delete;
  Recomputer& operator=(const Recomputer&) = delete;

  // Any thread may call these functions; none of them waits for the computation.
  // The latest request wins: an earlier request's record is dropped, even if it is complete but not taken yet.
  void request(std::int64_t step);
  std::shared_ptr<const StepRecord> take();  // the latest request's record, once; null until it is ready
  std::int64_t stepsComputed() const { return stepsComputed_; }  // so far, for all requests
  bool busy() const;                                             // whether a request is still unanswered
  Message failure() const;                                       // why the latest request failed; empty if it did not

 private:
  void work(std::stop_token stop);
  std::shared_ptr<const StepRecord> compute(std::int64_t step, const std::stop_token& stop);
  bool isWanted(std::int64_t step) const;
  void standBefore(std::int64_t step);
  void keepNear(std::int64_t step);
  void makeTrainer();
  void warmUp();

  const std::shared_ptr<const RunInfo> info_;
  const std::shared_ptr<const StateHistory> history_;
  const std::int64_t threads_ = 0;
  const CostClock clock_ = steadyNs;
  const Compute compute_;  // empty: by a trainer

  Telemetry telemetry_{1};                // the thread's, as is trainer_
  std::unique_ptr<Trainer> trainer_;      // stays where the last computation left it
  bool standsInRun_ = false;              // true once it has been given a state of the run
  NearStates near_;                       // the thread's too
  std::int64_t stepNs_ = 0, keepNs_ = 0;  // cost of an unseen step and of keeping a state; 0: unknown

  std::atomic<std::int64_t> stepsComputed_{0};

  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::optional<std::int64_t> wanted_;  // guarded by mutex_, as all below; until it is answered
  std::shared_ptr<const StepRecord> record_;
  Message failure_;
  std::jthread thread_;  // last: joined before the rest goes
};

}  // namespace lab
