// SPDX-License-Identifier: GPL-3.0-or-later
// A communication schedule is data: one list of transfers that is executed, timed, drawn and tested. Each function
// here is pure, from ranks and sizes to a list. Cost formulas: Thakur, Rabenseifner, Gropp 2005 (IJHPCA 19:49);
// Patarasuk and Yuan 2009 (JPDC 69:117); see README.md.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/limits.h"
#include "core/config/choices.h"

namespace lab {

// One message: `count` elements at `offset` of rank `from`'s buffer go to the same place of rank `to`'s, where they are
// added (add) or replace what is there. Rounds are numbered from 0; the transfers of one round are independent: none
// reads elements that another one writes, so they may run at once.
struct Transfer {
  std::int32_t round = 0;
  std::int32_t from = 0;
  std::int32_t to = 0;
  bool add = false;
  std::int64_t offset = 0;
  std::int64_t count = 0;
};

struct Schedule {
  int ranks = 1;
  std::int64_t elements = 0;
  std::vector<Transfer> transfers;  // sorted by round; never empty ones (count > 0)
  // Of one round whose transfers do read what others write: each carries what its sender had before, and a rank ends
  // with the mean of what it had and what it is sent.
  bool averages = false;

  // Of one that averages: what each of the others counts in a rank's mean.
  float share() const { return 1.0F / static_cast<float>(1 + static_cast<int>(transfers.size()) / ranks); }
  int rounds() const { return transfers.empty() ? 0 : transfers.back().round + 1; }
  std::vector<std::int64_t> bytesSentPerRank() const;  // 4 bytes an element
  std::int64_t bytesSent() const;
};

// A schedule may be made for at most kMaxReplicas ranks and so many elements; UserError beyond.
inline constexpr std::int64_t kMaxElements = std::int64_t{1} << 40;

// All-reduce over ranks 0..ranks-1, element sums in an order fixed by the schedule alone; afterwards every rank's
// buffer holds the same bits. ranks >= 1, elements >= 0; ranks == 1 gives an empty schedule. `hosts` matters to the
// hierarchical one alone.
//   Ring             reduce-scatter, then all-gather, in chunks
//   Tree             binomial reduce to rank 0, binomial broadcast
//   HalvingDoubling  any count: the excess ranks fold in first
//   Hierarchical     ranks h·g … h·g+g-1 are on host h (g = ranks / hosts; UserError where it does not divide): ring
//                    reduce-scatter inside each host, ring all-reduce of each piece across hosts, ring all-gather
//                    inside
//   Torus            X × Y with X the largest divisor of ranks not above its root (rank = y·X + x): reduce-scatter
//   along
//                    X, all-reduce along Y, all-gather along X
//   OneDevice        every rank to rank 0 in turn, and back
// No all-reduce is
//   Neighbours       every rank to the one before it and the one after it on a ring, and averages (Schedule::averages)
Schedule makeAllReduce(Reducer kind, int ranks, int hosts, std::int64_t elements);

// A contiguous run of elements.
struct Pack {
  std::int64_t offset = 0;
  std::int64_t count = 0;
};

// The halves of the ring's all-reduce, for those who do something with the sums in between: after the first, rank r's
// chunk of the elements is the sum of all ranks' and the others' are of no use; before the second, r's own chunk alone
// is.
enum class RingHalf { ReduceScatter, AllGather };
Schedule makeRing(RingHalf half, int ranks, std::int64_t elements);
Pack ringChunk(int rank, int ranks, std::int64_t elements);

struct TorusShape {
  int x = 1, y = 1;
};
TorusShape torusShape(int ranks);

// The two halves of an all-reduce by way of one device, for central storage: `root` may be a rank without a gradient of
// its own (its buffer then holds zeros before), and is never among the others. One transfer a round: the root's port is
// the bottleneck. ranks is the largest rank's number + 1.
Schedule reduceTo(std::span<const int> sources, int root, std::int64_t elements);  // root += each source, in order
Schedule broadcastFrom(int root, std::span<const int> destinations, std::int64_t elements);

// What is reduced by one call, by tf.distribute's packing (cross_device_utils.py group_by_size): variables in reverse
// creation order, appended to the current pack, and a new pack opened only when the current one already holds more than
// bytesPerPack. 0: one pack.
// `sizes` are elements, in the order in which they are packed (which is memory order, see model/layout.h).
std::vector<Pack> packGradients(std::span<const std::int64_t> sizes, std::int64_t bytesPerPack);
// One pack per variable, as ReductionToOneDevice works.
std::vector<Pack> packEachVariable(std::span<const std::int64_t> sizes);

}  // namespace lab
