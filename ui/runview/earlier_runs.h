// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that another run has replaced: the latest ones at rest, so that they can come back as they stood, the others
// finishing their last step on threads of their own. UI thread.
#pragma once

#include <cstddef>
#include <deque>
#include <future>
#include <memory>
#include <optional>
#include <vector>

#include "core/config/run_settings.h"
#include "core/launching/watched_run.h"
#include "core/replay/recompute.h"
#include "ui/runview/record_store.h"
#include "ui/runview/run_reports.h"

namespace lab {

struct RestingRun {
  RunSettings config;
  RunState state;
  std::unique_ptr<WatchedRun> run;
  std::shared_ptr<const RunInfo> info;
  RecordStore records;
  RunReports reports;  // after run, whose pipes it reads
};

// The destructor waits for the runs that finish, and then ends those at rest, one after the other; clear() makes these
// finish side by side.
class EarlierRuns {
 public:
  static constexpr std::size_t kMostResting = 3;

  void rest(RestingRun run);  // it gives back its memory, and most of its records
  std::optional<RestingRun> takeBack(const std::shared_ptr<const RunMetrics>& of);
  void bound(std::size_t most = kMostResting);  // of those at rest the oldest ones finish
  void clear() { bound(0); }
  // Lets a run, and what recomputes its steps, end without anybody waiting. Either may be null.
  void finish(std::unique_ptr<WatchedRun> run, std::unique_ptr<Recomputer> recomputer);
  void outlive();  // clear(), and the program's end waits for the runs, not the destructor

 private:
  std::deque<RestingRun> resting_;            // the latest one last
  std::vector<std::future<void>> finishing_;  // each finishing its last step
};

}  // namespace lab
