// SPDX-License-Identifier: GPL-3.0-or-later
// Computes steps of a run again, from the nearest state that was kept, on a thread of its own. A record made here is
// bit for bit the one that the run made or would have made of that step, but for what is read from a clock: wallNs, and
// where time is measured all times.
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
  // Both outlive the run they come from where they must. A trainer is made at once, on the thread, and takes a step
  // that nobody sees: to touch all that memory for the first time takes as long as many steps. `threads`: that compute;
  // 0: as many as the run's. `clock`, in ns, tells what a step and a state cost, for which states are worth keeping.
  using CostClock = std::int64_t (*)();
  Recomputer(std::shared_ptr<const RunInfo> info, std::shared_ptr<const StateHistory> history, std::int64_t threads = 0,
             CostClock clock = steadyNs);
  // Of a run without such states: `compute` makes a record, on the thread, or gives up where `goesOn` says no.
  using Compute =
      std::function<std::shared_ptr<const StepRecord>(std::int64_t step, const std::function<bool()>& goesOn)>;
  explicit Recomputer(Compute compute);
  ~Recomputer();  // stops at the next step boundary
  Recomputer(const Recomputer&) = delete;
  Recomputer& operator=(const Recomputer&) = delete;

  // Any thread; none of these waits for the computation.
  // The latest request wins: an earlier one's record is given up, even if it is there and was not taken yet.
  void request(std::int64_t step);
  std::shared_ptr<const StepRecord> take();                      // of the latest request, once; null until it is there
  std::int64_t stepsComputed() const { return stepsComputed_; }  // so far, on all ways
  bool busy() const;                                             // a request has been neither answered nor failed
  Message failure() const;                                       // why the latest request failed; empty otherwise

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
  std::unique_ptr<Trainer> trainer_;      // stands where the last computation left it,
  bool standsInRun_ = false;              // once it has been given a state of the run
  NearStates near_;                       // the thread's too
  std::int64_t stepNs_ = 0, keepNs_ = 0;  // what a step that nobody sees takes, and to keep a state; 0: not known

  std::atomic<std::int64_t> stepsComputed_{0};

  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::optional<std::int64_t> wanted_;  // guarded by mutex_, as all below; until it is answered
  std::shared_ptr<const StepRecord> record_;
  Message failure_;
  std::jthread thread_;  // last: joined before the rest goes
};

}  // namespace lab
