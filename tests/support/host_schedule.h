// SPDX-License-Identifier: GPL-3.0-or-later
// A schedule over groups: a ring within each host and nothing between the hosts. No strategy has one yet.
#pragma once

#include "core/comm/schedule.h"

namespace lab::test {

// Ranks h·g … h·g+g-1 are on host h (g = ranks / hosts).
inline Schedule sumWithinHosts(int ranks, int hosts, std::int64_t elements) {
  const int each = ranks / hosts;
  const Schedule ring = makeAllReduce(Reducer::Ring, each, 1, elements);
  Schedule all{ranks, elements, {}};
  for (const Transfer& transfer : ring.transfers)  // sorted by round
    for (int first = 0; first < ranks; first += each) {
      all.transfers.push_back(transfer);
      all.transfers.back().from += first;
      all.transfers.back().to += first;
    }
  return all;
}

}  // namespace lab::test
