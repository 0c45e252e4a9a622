// SPDX-License-Identifier: GPL-3.0-or-later
// A run on a thread of its own, for whoever must not wait: the window. It can be paused, stepped and stopped, always at
// a step boundary; everything it reports goes through its Telemetry. An exception on its thread ends it as Failed.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/base/message.h"
#include "core/run/run_config.h"
#include "core/run/state_history.h"
#include "core/run/trainer.h"
#include "core/trace/telemetry.h"

namespace lab {

enum class RunState { Preparing, Running, Paused, Finished, Stopped, Failed };

class LiveRun {
 public:
  // Where a branch comes from, and the states of its parent, if they are here; else the parent is trained again.
  struct Origin {
    Lineage lineage;
    std::shared_ptr<const StateHistory> states;
  };

  // Checks the configuration (UserError at once), then starts the thread: the data are read and training begins there.
  // `startPaused`: prepares and waits before the first step. `pastWanted`: what a parent reports that is trained again
  // is kept for takePast().
  explicit LiveRun(const RunConfig& config, bool startPaused = false, Origin origin = {}, bool pastWanted = false);
  ~LiveRun();  // stops at the next step boundary and waits for the thread
  LiveRun(const LiveRun&) = delete;
  LiveRun& operator=(const LiveRun&) = delete;

  // Any thread. None of these blocks on training.
  RunState state() const;
  bool isAtRest() const;                        // paused, and not within a step any more: nothing more will be reported
  Message failure() const;                      // when Failed
  std::shared_ptr<const RunInfo> info() const;  // null while Preparing
  std::vector<Metric> takePast();               // of a branch's ancestors; whole as soon as there is an info()
  void pause();  // at the next step boundary; single steps that were asked for and not taken are forgotten
  void resume();
  void stepOnce();  // one step, then paused; a record that was requested before is of this step
  void stop();
  // While it rests, until it goes on: its trainer gives its memory back (Trainer::release).
  void release();

  // Stops at the next step boundary and waits for the thread to end; the state is then final. Owner's thread.
  void stopAndWait();

  // States of this run, from its first on, for a Recomputer; it may outlive the run.
  std::shared_ptr<const StateHistory> history() const { return history_; }

  Telemetry& telemetry() { return telemetry_; }  // its consumer side belongs to one thread of the caller's

 private:
  void train(const std::stop_token& stop);
  bool isPaused() const;
  bool goesOn() const { return !paused_ || stepsAllowed_ > 0; }  // with mutex_ held
  bool waitWhilePaused(Trainer& trainer, const std::stop_token& stop);

  RunConfig config_;
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
  std::int64_t stepsAllowed_ = 0;  // while paused: single steps asked for and not yet taken
  std::jthread thread_;            // last: joined before the rest goes
};

}  // namespace lab
