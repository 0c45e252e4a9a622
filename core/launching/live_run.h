// SPDX-License-Identifier: GPL-3.0-or-later
// A run on its own thread, for a caller that must not wait: the window. It can be paused, stepped and stopped, always
// at a step boundary; everything it reports goes through its Telemetry. An exception on its thread ends it as Failed.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/base/message.h"
#include "core/config/resolved_settings.h"
#include "core/launching/watched_run.h"
#include "core/replay/state_history.h"
#include "core/trace/telemetry.h"
#include "core/training/trainer.h"

namespace lab {

class LiveRun final : public WatchedRun {
 public:
  // Where a branch comes from, and its parent's states if they are here; otherwise the parent is trained again.
  struct Origin {
    // `beginning`: what the run's trainer saves before its first step. Returns nothing if `goOn` returned false.
    using State = std::function<std::optional<Checkpoint>(Checkpoint beginning, const std::function<bool()>& goOn)>;
    Lineage lineage;
    std::shared_ptr<const StateHistory> states;
    State ofClass;  // for a branch of a class: the state that it continues from
  };

  // Checks the lineage (UserError at once), then starts the thread, which reads the data and trains. `startPaused`:
  // prepares, and waits before the first step. `pastWanted`: keeps the reports of a parent that is trained again for
  // takePast().
  explicit LiveRun(const ResolvedSettings& config, bool startPaused = false, Origin origin = {},
                   bool pastWanted = false);
  ~LiveRun() override;  // stops at the next step boundary and waits for the thread
  LiveRun(const LiveRun&) = delete;
  LiveRun& operator=(const LiveRun&) = delete;

  RunState state() const override;
  bool isAtRest() const override;
  Message failure() const override;
  std::shared_ptr<const RunInfo> info() const override;
  std::vector<Metric> takePast() override;
  void pause() override;
  void resume() override;
  void stepOnce() override;
  void stop() override;
  void release() override;
  void stopAndWait() override;
  std::shared_ptr<const StateHistory> history() const override { return history_; }
  Telemetry& telemetry() override { return telemetry_; }

 private:
  void train(const std::stop_token& stop);
  bool goesOn() const { return !paused_ || stepsAllowed_ > 0; }  // with mutex_ held
  bool startFromOrigin(Trainer& trainer, const std::stop_token& stop, std::vector<Metric>& past);
  bool waitWhilePaused(Trainer& trainer, const std::stop_token& stop);

  ResolvedSettings config_;
  const Origin origin_;
  const bool pastWanted_;
  Telemetry telemetry_;
  const std::shared_ptr<StateHistory> history_ = std::make_shared<StateHistory>();
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  RunState state_ = RunState::Preparing;  // guarded by mutex_, as all below
  Message failure_;
  std::vector<Metric> past_;
  std::shared_ptr<const RunInfo> info_;
  bool paused_ = false;
  bool atRest_ = false;
  bool releaseWanted_ = false;
  std::int64_t stepsAllowed_ = 0;  // while paused: single steps requested and not yet taken
  std::jthread thread_;            // last member: joined before the others are destroyed
};

}  // namespace lab
