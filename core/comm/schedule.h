// SPDX-License-Identifier: GPL-3.0-or-later
// A communication schedule is data: one list of transfers that is executed, timed, drawn and tested. Each function here
// is pure and maps ranks and sizes to a list. Cost formulas: Thakur, Rabenseifner, Gropp 2005 (IJHPCA 19:49); Patarasuk
// and Yuan 2009 (JPDC 69:117); see README.md.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/limits.h"
#include "core/base/units.h"
#include "core/config/choices.h"

namespace lab {

// One message: `count` elements at `offset` of rank `from`'s buffer go to the same place of rank `to`'s buffer, where
// they are added (add) or replace the old ones. Rounds are numbered from 0. The transfers of one round are independent:
// none reads elements that another one writes, so they may run in parallel.
struct Transfer {
  std::int32_t round = 0;
  std::int32_t from = 0;
  std::int32_t to = 0;
  bool add = false;
  std::int64_t offset = 0;
  std::int64_t count = 0;
  double bytesPerElement = kBytesPerElement;  // of the message: fewer where it does not have all of the range (Carried)
  std::int64_t bytes() const { return std::llround(static_cast<double>(count) * bytesPerElement); }
};

struct Schedule {
  int ranks = 1;
  std::int64_t elements = 0;
  std::vector<Transfer> transfers;  // sorted by round; none is empty (count > 0)
  // If true, the schedule has one round whose transfers read what others write: each carries what its sender had
  // before, and each rank ends with the mean of its own values and those that it receives.
  bool averages = false;

  int rounds() const { return transfers.empty() ? 0 : transfers.back().round + 1; }
  std::vector<std::int64_t> bytesSentPerRank() const;
  std::int64_t bytesSent() const;
};

// The most elements of a schedule, and kMaxReplicas the most ranks; UserError beyond.
inline constexpr std::int64_t kMaxElements = std::int64_t{1} << 40;

// Returns what a reducer with a schedule does over ranks 0..ranks-1: `README.md` has the steps of each. The schedule
// alone fixes the order of each element's sum. Ranks h·g … h·g+g-1 are on host h, g = ranks / hosts. ranks >= 1,
// elements >= 0; ranks == 1 gives an empty schedule. UserError if the schedule goes by hosts, and `hosts` does not
// divide the ranks.
Schedule makeAllReduce(Reducer kind, int ranks, int hosts, std::int64_t elements);

// Returns, for each rank, the ranks whose values are in its sum or mean after an all-reduce over all ranks or over
// groups of them: its own among them, in ascending order.
std::vector<std::vector<int>> ranksInSums(const Schedule& schedule);
// Returns whether each rank's sum is over the ranks of its host: h·g … h·g+g-1, g = ranks / hosts. False without sums.
bool areSumsOfHosts(const std::vector<std::vector<int>>& sums, int hosts);

// A contiguous run of elements.
struct Pack {
  std::int64_t offset = 0;
  std::int64_t count = 0;
};

// The halves of the ring's all-reduce, for callers that use the sums in between. After the first half only rank r's own
// chunk is valid on rank r, as the sum over all ranks; before the second half only this chunk needs to be valid.
enum class RingHalf { ReduceScatter, AllGather };
Schedule makeRing(RingHalf half, int ranks, std::int64_t elements);
Pack ringChunk(int rank, int ranks, std::int64_t elements);

struct TorusShape {
  int x = 1, y = 1;
};
TorusShape torusShape(int ranks);

// The two halves of an all-reduce through one device, for central storage: `root` may be a rank without a gradient of
// its own (its buffer then holds zeros at first), and is never among the others. One transfer per round, because the
// root's port is the bottleneck. `ranks` is the largest rank number + 1.
Schedule reduceTo(std::span<const int> sources, int root, std::int64_t elements);  // root += each source, in order
Schedule broadcastFrom(int root, std::span<const int> destinations, std::int64_t elements);

// Returns the second half of a tree's all-reduce: rank 0's buffer to all others. Among hosts, where broadcastFrom would
// send all copies over the first host's link in turn.
Schedule treeBroadcast(int ranks, std::int64_t elements);

// Returns what each call reduces, by tf.distribute's packing (cross_device_utils.py group_by_size): variables in
// reverse creation order are appended to the current pack, and a new pack is opened only when the current one already
// holds more than bytesPerPack. 0: one pack.
// `sizes` are elements, in packing order (which is memory order, see model/layout.h).
std::vector<Pack> packGradients(std::span<const std::int64_t> sizes, std::int64_t bytesPerPack);
// Returns one pack per variable, like ReductionToOneDevice.
std::vector<Pack> packEachVariable(std::span<const std::int64_t> sizes);

}  // namespace lab
