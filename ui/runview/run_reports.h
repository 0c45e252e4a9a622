// SPDX-License-Identifier: GPL-3.0-or-later
// What the present run reports, in memory and in its files. A branch begins with what its parent had reported, which is
// its own past.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/classruns/class_run.h"
#include "core/files/recorder.h"
#include "core/launching/watched_run.h"
#include "core/trace/telemetry.h"
#include "ui/runview/run_metrics.h"

namespace lab {

class RunReports {
 public:
  explicit RunReports(std::shared_ptr<RunMetrics> past = std::make_shared<RunMetrics>());

  std::shared_ptr<const RunMetrics> metrics() const { return metrics_; }  // never null; they grow
  const std::vector<StepMetric>& steps() const { return metrics_->steps; }
  // Until the first step is there.
  const Preparation& preparation() const { return preparation_; }
  std::uint64_t droppedSpans() const { return droppedSpans_; }  // they came faster than they could be taken
  std::size_t count() const;                                    // of all metrics

  bool takePreparation(const Telemetry& telemetry);  // returns true if it has changed
  // Opens the files of `header`; throws UserError if one cannot be created. `info`: the run's. If `resumes`, steps are
  // forgotten that the run trains again, because its newest checkpoint may be unreadable.
  void open(WatchedRun& run, const RunInfo& info, const RunInfo& header, bool resumes);
  // Takes what is in the pipes, if open, and writes it. `trains`: the run as a class that trains; null for others.
  // `whole`: nothing follows, so that the files get their names.
  void drain(WatchedRun& run, ClassRun* trains, bool whole);
  bool areOpen() const { return recorder_ != nullptr; }
  void close() { recorder_.reset(); }  // the files of a failed run keep the names of unfinished files

 private:
  std::shared_ptr<RunMetrics> metrics_;
  std::size_t past_ = 0;  // number of the parent's steps in a branch
  Preparation preparation_;
  std::uint64_t droppedSpans_ = 0;
  std::unique_ptr<Recorder> recorder_;
};

}  // namespace lab
