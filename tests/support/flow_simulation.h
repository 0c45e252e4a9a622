// SPDX-License-Identifier: GPL-3.0-or-later
// Schedules on a network, transfer by transfer, as events: the slow model that judges core/timing/round_cost. Every
// transfer starts when both its ends have finished their earlier rounds; all that flow at once share each resource
// max-min fairly (progressive filling: Bertsekas and Gallager, Data Networks, 1992, §6.5), and rates are computed anew
// whenever one starts or ends.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/comm/round_schedule.h"
#include "core/timing/network.h"

namespace lab::test {

// readyNs[r]: when rank r has its data. Gives when each has finished.
std::vector<std::int64_t> simulateRounds(const RoundSchedule& schedule, const Network& network,
                                         std::span<const std::int64_t> readyNs);

// Max-min fair rates of flows, bytes/ns; flows[i] are the resources that flow i crosses.
std::vector<double> fairRates(std::span<const Network::Route> flows, const Network& network);

}  // namespace lab::test
