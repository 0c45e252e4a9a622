// SPDX-License-Identifier: GPL-3.0-or-later
// A class's run, for whoever looks at its steps, while it trains or from its recording: they are trained again, in the
// order of what happened. What it gives outlives it; not before there is an info().
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
  // Of steps that nobody recorded.
  std::unique_ptr<Recomputer> recomputer(int threads) const;
  // Where a branch goes on from, of these settings (serving::branchSettings).
  LiveRun::Origin::State stateBefore(std::int64_t step) const;
  std::shared_ptr<const StateHistory> history() const override { return nullptr; }  // as a trainer has them: none

 protected:
  WatchedClass(ResolvedSettings config, std::shared_ptr<serving::ClassHistory> updates, std::int64_t mostClosures = 0);

  const ResolvedSettings config_;
  const std::shared_ptr<serving::ClassHistory> updates_;
  const std::int64_t mostClosures_;  // see ClassRecords
};

}  // namespace lab
