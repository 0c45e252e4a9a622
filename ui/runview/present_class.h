// SPDX-License-Identifier: GPL-3.0-or-later
// The class that trains the present run, or whose recording it is; other runs have none. UI thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/classruns/class_run.h"
#include "core/classruns/watched_class.h"
#include "core/trace/step_record.h"

namespace lab {

class PresentClass {
 public:
  void attach(WatchedClass* of);  // for the controller, which owns the run; null: no class

  bool isThere() const { return of_ != nullptr; }
  ClassRun* run() const { return run_; }  // if the class trains
  bool isRecording() const { return of_ != nullptr && run_ == nullptr; }
  RunInfo fileInfo(const RunInfo& shown) const;  // the header of a file of the run; `shown`: as the window shows it
  // The state for a branch from this step on; empty without a class.
  LiveRun::Origin::State stateBefore(std::int64_t step) const;
  std::unique_ptr<Recomputer> recomputer(int threads) const;  // null without a class
  // For a class that goes on: the workers that have left since the record. Null: none.
  std::vector<int> leftSince(const StepRecord* record) const;
  std::optional<double> slowdownOf(int worker) const;  // the worker's present factor; nothing if it cannot be slowed
  bool othersLeft(const StepRecord* record);  // for the controller: leftSince() is not what it was at the last call

 private:
  WatchedClass* of_ = nullptr;
  ClassRun* run_ = nullptr;  // of_, if of this type
  std::vector<int> left_;    // as last reported
};

}  // namespace lab
