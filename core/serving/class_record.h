// SPDX-License-Identifier: GPL-3.0-or-later
// Records of a class's updates, made where the class is watched: numbers are recomputed from the nearest state, in the
// order of events; times are those measured in the class. The records show the class as a run of the same strategy with
// as many workers.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/config/run_info.h"
#include "core/replay/state_history.h"
#include "core/serving/class_order.h"
#include "core/serving/class_replay.h"
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

// Makes the records. Single-threaded.
class ClassRecords {
 public:
  // `mostClosures`: the number of closures that may exist; 0: as many as the settings have updates.
  ClassRecords(const ResolvedSettings& config, std::shared_ptr<const Dataset> dataset,
               std::shared_ptr<const ClassHistory> history, int threads, std::int64_t mostClosures = 0);

  // Returns null if `goesOn` returned false. Throws a UserError if the record is impossible.
  std::shared_ptr<const StepRecord> record(std::int64_t step, const std::function<bool()>& goesOn);
  // Trains up to the step; false if `goesOn` returned false, or if there is no such step. UserError as above.
  bool standBefore(std::int64_t step, const std::function<bool()>& goesOn);
  ClassState state() { return replayer_.state(); }     // the present state, without closures that are in no update yet
  std::int64_t replayed() const { return replayed_; }  // number of updates so far

 private:
  struct InHand;
  bool canApply(const ClassUpdate& update) const;
  void begin(std::int64_t step);
  void keepForLater();
  std::vector<InHand> inHand(const ClassUpdate& update, const RunInfo& info) const;
  void addReplica(StepRecord& record, const ClassOrder::Part& part, const ComputedPart& computed);
  void describeInStep(StepRecord& record, const ClassUpdate& update) const;

  const std::shared_ptr<const ClassHistory> history_;
  const bool synchronous_;
  const Wire wire_;
  ClassReplayer replayer_;
  ClassBatches batches_;
  const ClassState initial_;
  ClassState held_;         // the state that it last began from; only `held` of it is used
  std::int64_t added_ = 0;  // of a class in step: updates whose closures' batches are known
  std::int64_t replayed_ = 0;
};

}  // namespace lab::serving
