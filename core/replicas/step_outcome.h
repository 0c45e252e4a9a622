// SPDX-License-Identifier: GPL-3.0-or-later
// The results of a step. On GPUs they are known when the GPUs are done, possibly while the next step is under way. They
// can be asked for at any time, any number of times; asking waits if necessary. Used from the trainer thread.
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
// negative. A measured worker's cycle counts only the time that this program worked for this worker, because the worker
// stands still while the program works for others.
struct StepTimes {
  std::int64_t stepNs = 0;
  std::int64_t computeNs = 0;
  std::int64_t communicationNs = 0;
  // Modelled: means over the replicas, with which the two above sum to the step; for a worker's cycle, its own times.
  std::int64_t inputNs = 0, queueNs = 0, stragglerNs = 0, launchNs = 0, faultNs = 0;
  std::int64_t overlappedNs = 0;  // modelled: part of computeNs, while gradients were sent
};

struct StepValues {
  double lossSum = 0;  // over the examples of all replicas that take part; for a worker's step, only its own
  std::int64_t correct = 0;
  std::optional<bool> mirrorsIdentical;  // set if the copies were compared
  StepTimes times;
};

class StepOutcome {
 public:
  explicit StepOutcome(const StepValues& values) : state_(std::make_shared<State>(State{values, {}})) {}
  // `wait` waits for the step and calls know(). Copies of an outcome share its values.
  explicit StepOutcome(std::function<void()> wait) : state_(std::make_shared<State>(State{{}, std::move(wait)})) {}

  bool isKnown() const { return state_->values.has_value(); }
  const StepValues& get() const {
    if (!isKnown() && state_->wait) state_->wait();
    LAB_CHECK(isKnown());
    return *state_->values;
  }
  void know(const StepValues& values) { state_->values = values; }
  void giveUp() { state_->wait = nullptr; }  // if the values are not known yet, they never will be

 private:
  struct State {
    std::optional<StepValues> values;
    std::function<void()> wait;
  };
  std::shared_ptr<State> state_;
};

// A step that has ended; on GPUs, a step whose launches are all enqueued.
struct FinishedStep {
  StepOutcome outcome;
  std::int64_t bytesSent = 0;          // by all endpoints together
  std::shared_ptr<StepRecord> record;  // complete but for its metric; null if nobody had asked when the step began
  std::optional<NoiseSample> noise;    // the noise of the gradients, if asked for and computable
  std::int64_t recordingNs = 0;        // steady time spent on copying the step
  std::vector<int> leftOut;            // replicas that came too late for the sum, in ascending order
};

}  // namespace lab
