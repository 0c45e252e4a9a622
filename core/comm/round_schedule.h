// SPDX-License-Identifier: GPL-3.0-or-later
// All-reduce schedules made round by round on demand: a ring over 16,384 ranks has 537 million transfers, and memory
// holds one round at a time. The lists of comm/schedule.h are these rounds in sequence.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/comm/schedule.h"

namespace lab {

class RoundSchedule {
 public:
  virtual ~RoundSchedule() = default;
  virtual int rounds() const = 0;
  // The transfers of round k, by sender; `out` is overwritten. Never empty transfers, but a round may have none.
  virtual void round(int k, std::vector<Transfer>& out) const = 0;
  // How many rounds, from k on, have the same senders, receivers and additions, and sizes that differ by an element at
  // most: they all have the same cost.
  virtual int runLength(int k) const = 0;
};

// Of Ring to Mpi, and Neighbours; the place of Nccl and Mpi is the ring's; for any ranks >= 1 (no upper limit but int),
// elements >= 0. UserError where `hosts` does not divide the ranks of a hierarchical one.
std::unique_ptr<RoundSchedule> makeRoundSchedule(Reducer kind, int ranks, int hosts, std::int64_t elements);
// One of the two halves of the ring's all-reduce.
std::unique_ptr<RoundSchedule> makeRingHalf(RingHalf half, int ranks, std::int64_t elements);

}  // namespace lab
