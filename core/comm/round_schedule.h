// SPDX-License-Identifier: GPL-3.0-or-later
// All-reduce schedules that are computed round by round on demand: a ring over 16,384 ranks has 537 million transfers,
// but only one round at a time is in memory. The lists of comm/schedule.h are these rounds in sequence.
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
  // Overwrites `out` with the transfers of round k, sorted by sender. No transfer is empty, and if there are elements,
  // no round is.
  virtual void round(int k, std::vector<Transfer>& out) const = 0;
  // Returns how many rounds, from k on, have the same senders, receivers and additions, and sizes that differ by at
  // most one element: all of them have the same cost.
  virtual int runLength(int k) const = 0;
};

// Makes the schedule of a reducer that has one; a ring replaces Nccl and Mpi. Any ranks >= 1 (no upper limit but int)
// and elements >= 0. UserError if `hosts` does not divide the ranks and the schedule goes by hosts.
std::unique_ptr<RoundSchedule> makeRoundSchedule(Reducer kind, int ranks, int hosts, std::int64_t elements);
// Makes one of the two halves of the ring's all-reduce.
std::unique_ptr<RoundSchedule> makeRingHalf(RingHalf half, int ranks, std::int64_t elements);

}  // namespace lab
