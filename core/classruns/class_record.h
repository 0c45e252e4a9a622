// SPDX-License-Identifier: GPL-3.0-or-later
// Records of a class's updates, made where the class is watched: numbers are recomputed from the nearest state, in the
// order of events; times are those measured in the class. The records show the class as a run of the same strategy with
// as many workers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/classruns/class_replay.h"
#include "core/config/run_info.h"
#include "core/protocol/class_history.h"
#include "core/protocol/class_order.h"
#include "core/trace/step_record.h"

namespace lab::serving {

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
  void describeInStep(StepRecord& record, const ClassUpdate& update);

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
