// SPDX-License-Identifier: GPL-3.0-or-later
// Records of a class's updates, made where it is watched: numbers are computed again from the nearest state, in the
// order of what happened; times are those that were measured there. A class in the records is a run of the same
// strategy with so many workers.
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
  bool timesKnown = true;  // false: of a recording without them; they have the order of what happened alone
};

// What has happened. Any thread.
class ClassHistory {
 public:
  void add(ClassUpdate update);
  void keep(std::shared_ptr<const Checkpoint> state);  // of a step that it has one of already: nothing
  void describe(std::shared_ptr<const RunInfo> info);
  void joined(int worker);  // behind the latest update
  void left(int worker);

  bool hasMember(int worker) const;             // there is one, or was
  std::shared_ptr<const RunInfo> info() const;  // the latest: what records are made for
  std::int64_t updates() const;
  std::optional<ClassUpdate> update(std::int64_t step) const;  // from 1
  std::int64_t lastUse(std::int64_t version) const;            // of the updates there are; 0: none
  // Of each worker the first update behind `step` that it had a part in, as far as there is one.
  std::map<int, ClassUpdate> nextOf(std::int64_t step, int workers) const;
  // Who of so many had no part in the step.
  std::vector<Absence> absent(std::int64_t step, int workers) const;
  const StateHistory& states() const { return states_; }

 private:
  // Which updates were made when it came, and when it left.
  struct Stay {
    int worker = 0;
    std::int64_t since = 0, until = std::numeric_limits<std::int64_t>::max();
  };

  mutable std::mutex mutex_;
  std::shared_ptr<const RunInfo> info_;  // guarded by mutex_, as what follows
  std::vector<ClassUpdate> updates_;
  std::map<std::int64_t, std::int64_t> lastUse_;
  std::vector<Stay> stays_;
  StateHistory states_;  // guards itself
};

// Makes the records. One thread.
class ClassRecords {
 public:
  // `mostClosures`: numbers that a closure may have; 0: as many as the settings have updates.
  ClassRecords(const ResolvedSettings& config, std::shared_ptr<const Dataset> dataset,
               std::shared_ptr<const ClassHistory> history, int threads, std::int64_t mostClosures = 0);

  // Null where `goesOn` has said no. UserError where it cannot be.
  std::shared_ptr<const StepRecord> record(std::int64_t step, const std::function<bool()>& goesOn);
  // Trains up to there; false where `goesOn` has said no, or there is no such step. UserError as above.
  bool standBefore(std::int64_t step, const std::function<bool()>& goesOn);
  ClassState state() { return replayer_.state(); }     // where it stands, without what was in nobody's update yet
  std::int64_t replayed() const { return replayed_; }  // updates, so far

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
  ClassState held_;         // that it began from last; of it what was held
  std::int64_t added_ = 0;  // updates whose closures' batches are known, of a class in step
  std::int64_t replayed_ = 0;
};

}  // namespace lab::serving
