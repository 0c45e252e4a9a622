// SPDX-License-Identifier: GPL-3.0-or-later
// What a step gave. On GPUs it is known when they are done, which may be while the next step is on its way. It can be
// asked for at any time and as often as wanted; asking waits where it must. The trainer thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/timing/noise_scale.h"
#include "core/trace/step_record.h"

namespace lab {

// The times of one step, all from one clock. compute + communication = step, as seen by the slowest replica; none is
// negative. Of a measured worker's cycle: the time that this program worked for that worker, for while it works for
// others, the worker stands still.
struct StepTimes {
  std::int64_t stepNs = 0;
  std::int64_t computeNs = 0;
  std::int64_t communicationNs = 0;
  // Modelled: means over the replicas, with which the two above sum to the step; of a worker's cycle its own.
  std::int64_t inputNs = 0, queueNs = 0, stragglerNs = 0, launchNs = 0, faultNs = 0;
};

struct StepValues {
  double lossSum = 0;  // over the examples of all replicas that take part; of a worker's step its own
  std::int64_t correct = 0;
  std::optional<bool> mirrorsIdentical;  // where the copies were compared
  StepTimes times;
};

class StepOutcome {
 public:
  explicit StepOutcome(const StepValues& values) : state_(std::make_shared<State>(State{values, {}})) {}
  // `wait` waits for the step and calls know(). Copies of an outcome share what is known.
  explicit StepOutcome(std::function<void()> wait) : state_(std::make_shared<State>(State{{}, std::move(wait)})) {}

  bool isKnown() const { return state_->values.has_value(); }
  const StepValues& get() const {
    if (!isKnown() && state_->wait) state_->wait();
    LAB_CHECK(isKnown());
    return *state_->values;
  }
  void know(const StepValues& values) { state_->values = values; }
  void giveUp() { state_->wait = nullptr; }  // nobody will know it, unless somebody does already

 private:
  struct State {
    std::optional<StepValues> values;
    std::function<void()> wait;
  };
  std::shared_ptr<State> state_;
};

// A step that has ended; on GPUs: whose launches are all enqueued.
struct FinishedStep {
  StepOutcome outcome;
  std::int64_t bytesSent = 0;          // by all endpoints together
  std::shared_ptr<StepRecord> record;  // all but its metric; null where nobody had asked for it when the step began
  std::optional<NoiseSample> noise;    // what the replicas' gradients said, where it was asked for and can be known
  std::int64_t recordingNs = 0;        // steady time in which the step was copied
  std::vector<int> leftOut;            // replicas that came too late for the sum, in ascending order
};

}  // namespace lab
