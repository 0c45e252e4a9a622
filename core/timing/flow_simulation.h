// SPDX-License-Identifier: GPL-3.0-or-later
// Schedules on a network, transfer by transfer. Two models of the same thing; the slow one judges the fast one:
//   simulateRounds  events. Every transfer starts when both its ends have finished their earlier rounds; all that flow
//                   at once share each resource max-min fairly (progressive filling: Bertsekas and Gallager, Data
//                   Networks, 1992, §6.5), and rates are computed anew whenever one starts or ends.
//   priceRounds     rounds one after the other, each alpha + max over resources of bytes / bandwidth. Exact
//                   where all ranks are alike. Runs of equal rounds are computed once, so a ring over 16,384 ranks
//                   takes the time of one round of 16,384 transfers.
// An addition takes gamma = 3 bytes of memory traffic a byte on the receiver, after the transfer, and holds up its
// next round (README.md, All-reduce).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/comm/round_schedule.h"
#include "core/timing/network.h"

namespace lab {

struct PricedRounds {
  std::int64_t ns = 0;                // from the last rank's readiness to the last rank's end
  std::vector<double> resourceBytes;  // per resource of the network
};

// Ranks are the network's devices 0 … ranks − 1. bytesPerElement: 4 unless the gradients are packed otherwise.
PricedRounds priceRounds(const RoundSchedule& schedule, const Network& network, double bytesPerElement = 4);

// One round of it: alpha + the busiest resource + the additions, for transfers that run at once.
double roundNs(std::span<const Transfer> round, const Network& network, double bytesPerElement = 4);

// readyNs[r]: when rank r has its data. Gives when each has finished.
std::vector<std::int64_t> simulateRounds(const RoundSchedule& schedule, const Network& network,
                                         std::span<const std::int64_t> readyNs);

// Max-min fair rates of flows, bytes/ns; flows[i] are the resources that flow i crosses.
std::vector<double> fairRates(std::span<const Network::Route> flows, const Network& network);

}  // namespace lab
