// SPDX-License-Identifier: GPL-3.0-or-later
// A run as its viewers see it, wherever it is trained: on a thread of this program (LiveRun) or in separate processes
// (ProcessRun). It can be paused, stepped and stopped, always at a step boundary; everything it reports goes through
// its Telemetry.
#pragma once

#include <memory>
#include <vector>

#include "core/base/message.h"
#include "core/replay/state_history.h"
#include "core/trace/telemetry.h"
#include "core/training/trainer.h"

namespace lab {

enum class RunState { Preparing, Running, Paused, Finished, Stopped, Failed };

class WatchedRun {
 public:
  virtual ~WatchedRun() = default;

  // Any thread. None of these blocks on training.
  virtual RunState state() const = 0;
  virtual bool isAtRest() const = 0;    // paused, and no longer within a step: nothing more will be reported
  virtual Message failure() const = 0;  // when Failed
  virtual std::shared_ptr<const RunInfo> info() const = 0;  // null while Preparing
  virtual std::vector<Metric> takePast() = 0;  // of a branch's ancestors; complete as soon as there is an info()
  virtual void pause() = 0;  // at the next step boundary; forgets single steps that were requested and not taken
  virtual void resume() = 0;
  virtual void stepOnce() = 0;  // one step, then paused; a record requested before is of this step
  virtual void stop() = 0;
  // Only while paused: when the run rests, its trainer gives its memory back until the run continues
  // (Trainer::release).
  virtual void release() = 0;

  // Stops at the next step boundary and waits for the end; the state is then final. Owner's thread.
  virtual void stopAndWait() = 0;

  // Returns states of this run, from its first, for a Recomputer; may outlive the run. Null: it keeps none.
  virtual std::shared_ptr<const StateHistory> history() const = 0;

  virtual Telemetry& telemetry() = 0;  // its consumer side belongs to one of the caller's threads
};

}  // namespace lab
