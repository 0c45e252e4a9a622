// SPDX-License-Identifier: GPL-3.0-or-later
// The cost of a schedule on a network: rounds one after the other, each alpha + max over resources of bytes /
// bandwidth. Exact if all ranks are alike; the tests compare it with an event simulation
// (tests/support/flow_simulation.h). Runs of equal rounds are computed once, so a ring over 16,384 ranks takes the time
// of one round of 16,384 transfers. An addition takes gamma = 3 bytes of memory traffic a byte on the receiver, after
// the transfer, and delays the receiver's next round (README.md, All-reduce).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/comm/round_schedule.h"
#include "core/hardware/network.h"

namespace lab {

struct RoundsCost {
  std::int64_t ns = 0;                // from the moment the last rank is ready to the moment the last rank ends
  std::vector<double> resourceBytes;  // per resource of the network
};

// Ranks are the network's devices 0 … ranks − 1.
RoundsCost costOfRounds(const RoundSchedule& schedule, const Network& network);

// Returns the time of one round: alpha + the busiest resource + the additions, for transfers that run at once.
double roundNs(std::span<const Transfer> round, const Network& network);

}  // namespace lab
