// SPDX-License-Identifier: GPL-3.0-or-later
// Limits that several parts of the program must agree on.
#pragma once

#include <cstdint>

namespace lab {

// The most replicas that can be trained, that examples are distributed to, or that a schedule connects: a ring has 2p(p
// − 1) transfers, and each replica has its own variables. Steps that are only modelled may have more devices
// (hardware/cluster_spec.h).
inline constexpr int kMaxReplicas = 2048;

// Defaults: the examples of a replica in a step, and the number of servers that hold the variables.
inline constexpr std::int64_t kDefaultBatchPerReplica = 64, kDefaultParameterServers = 1;

// How many workers an access point that a class shares sends variables to at once: a few at a time use its whole rate,
// and each transfer ends as early as possible.
inline constexpr int kLinkTurns = 4;

}  // namespace lab
