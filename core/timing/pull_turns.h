// SPDX-License-Identifier: GPL-3.0-or-later
// When an asynchronous worker that asks for the weights may pull them: as soon as every rule here allows it. A
// strategy's row sets them (StrategyInfo::turns), and AsyncServers keeps to them: in runs, modelled or measured, in
// sweeps and in what-if. A class that trains together does not. A worker that waits for its turn gets the variables of
// that later time.
#pragma once

#include <cstdint>
#include <optional>

namespace lab {

struct PullTurns {
  int atOnce = 0;  // pulls at once; 0: no limit, or kLinkTurns where all transfers share one medium
  // How many more cycles a worker that pulls may have ended than the slowest worker, which a stale synchronous parallel
  // strategy (Ho et al. 2013) bounds; 0: all are in step. Nothing: no bound.
  std::optional<std::int64_t> clocksAhead;

  bool mayWait() const { return atOnce > 0 || clocksAhead.has_value(); }
};

}  // namespace lab
