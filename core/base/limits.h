// SPDX-License-Identifier: GPL-3.0-or-later
// What several parts of the program must agree on.
#pragma once

#include <cstdint>

namespace lab {

// Replicas that are trained, that examples are distributed to, or that a schedule connects: a ring has 2p(p − 1)
// transfers, and each replica its own variables. Steps that are only modelled may have more devices
// (timing/cluster_spec.h).
inline constexpr int kMaxReplicas = 2048;

// Examples that a replica gets in a step, and servers that hold the variables, where nobody says how many.
inline constexpr std::int64_t kDefaultBatchPerReplica = 64, kDefaultParameterServers = 1;

// Workers that an access point which a class shares sends variables to at once: few at a time fill it, and each gets
// through as quickly as it allows.
inline constexpr int kLinkTurns = 4;

}  // namespace lab
