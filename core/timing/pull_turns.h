// SPDX-License-Identifier: GPL-3.0-or-later
// When an asynchronous worker that asks for the weights may pull them. A strategy's row sets it in the timing model's
// request (StrategyInfo::timing), and AsyncServers keeps to it: in modelled runs, sweeps and what-if, not where a run
// measures time. A worker that waits for its turn gets the variables of that later time.
#pragma once

namespace lab {

struct PullTurns {
  int atOnce = 0;  // pulls at once; 0: no limit, or kLinkTurns where all messages share one medium
};

}  // namespace lab
