// SPDX-License-Identifier: GPL-3.0-or-later
// Simulates schedules on a network as events, transfer by transfer: the slow model that core/timing/round_cost is
// checked against. Every transfer starts when both its ends have finished their earlier rounds. All transfers under way
// share each resource max-min fairly (progressive filling: Bertsekas and Gallager, Data Networks, 1992, §6.5), and the
// rates are computed again whenever one starts or ends.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/comm/round_schedule.h"
#include "core/hardware/network.h"

namespace lab::test {

// readyNs[r]: when rank r has its data. Returns when each rank has finished.
std::vector<std::int64_t> simulateRounds(const RoundSchedule& schedule, const Network& network,
                                         std::span<const std::int64_t> readyNs);

// Max-min fair rates of flows, bytes/ns; flows[i] are the resources that flow i crosses.
std::vector<double> fairRates(std::span<const Network::Route> flows, const Network& network);

}  // namespace lab::test
