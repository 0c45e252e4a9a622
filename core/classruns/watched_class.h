// SPDX-License-Identifier: GPL-3.0-or-later
// A class's run, for viewing its steps while it trains or from its recording: the steps are trained again in the order
// of events. Returned objects may outlive this one; they are available once there is an info().
#pragma once

#include <cstdint>
#include <memory>

#include "core/config/resolved_settings.h"
#include "core/launching/live_run.h"
#include "core/launching/watched_run.h"
#include "core/replay/recompute.h"

namespace lab {

namespace serving {
class ClassHistory;
}

class WatchedClass : public WatchedRun {
 public:
  // Recomputes steps that nobody recorded.
  std::unique_ptr<Recomputer> recomputer(int threads) const;
  // Returns the state that a branch with these settings continues from (serving::branchSettings).
  LiveRun::Origin::State stateBefore(std::int64_t step) const;
  std::shared_ptr<const StateHistory> history() const override { return nullptr; }  // a class has no trainer's states

 protected:
  WatchedClass(ResolvedSettings config, std::shared_ptr<serving::ClassHistory> updates, std::int64_t mostClosures = 0);

  const ResolvedSettings config_;
  const std::shared_ptr<serving::ClassHistory> updates_;
  const std::int64_t mostClosures_;  // see ClassRecords
};

}  // namespace lab
