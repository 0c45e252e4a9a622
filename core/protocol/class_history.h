// SPDX-License-Identifier: GPL-3.0-or-later
// What has happened in a class: its updates, their times, who was there, and states that later steps are trained again
// from. Plain data without a network's arithmetic; class_record.h makes records from it.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/config/run_info.h"
#include "core/protocol/class_order.h"
#include "core/replay/state_history.h"
#include "core/trace/step_record.h"

namespace lab::serving {

struct ClassUpdate {
  StepMetric metric;
  std::vector<ClassOrder::Part> parts;
  ClassTimes times;
  bool timesKnown = true;  // false: the recording has no times, only the order of events
};

// What has happened in the class. Any thread.
class ClassHistory {
 public:
  void add(ClassUpdate update);
  void keep(std::shared_ptr<const Checkpoint> state);  // ignored if a step as late as its own has one
  void describe(std::shared_ptr<const RunInfo> info);
  void joined(int worker);  // after the latest update
  void left(int worker);

  bool hasMember(int worker) const;             // whether it is or was there
  std::shared_ptr<const RunInfo> info() const;  // the latest, which records are made for
  std::int64_t updates() const;
  std::optional<ClassUpdate> update(std::int64_t step) const;  // from 1
  std::int64_t lastUse(std::int64_t version) const;            // the last known update that used the version; 0: none
  // Returns each worker's first update after `step` in which it had a part, if there is one yet.
  std::map<int, ClassUpdate> nextOf(std::int64_t step, int workers) const;
  // Returns which of `workers` workers had no part in the step.
  std::vector<Absence> absent(std::int64_t step, int workers) const;
  const StateHistory& states() const { return states_; }

 private:
  // The updates that had been made when a worker came, and when it left.
  struct Stay {
    int worker = 0;
    std::int64_t since = 0, until = std::numeric_limits<std::int64_t>::max();
  };

  mutable std::mutex mutex_;
  std::shared_ptr<const RunInfo> info_;  // guarded by mutex_, as are the next members
  std::vector<ClassUpdate> updates_;
  std::map<std::int64_t, std::int64_t> lastUse_;
  std::vector<Stay> stays_;
  std::mutex keeping_;   // keep()'s own, because a state is written to disk while it is held
  StateHistory states_;  // thread-safe itself
};

}  // namespace lab::serving
