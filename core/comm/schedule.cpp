// SPDX-License-Identifier: GPL-3.0-or-later
// A list of transfers is the concatenation of all rounds of round_schedule.
#include "core/comm/schedule.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/base/message.h"
#include "core/base/units.h"
#include "core/comm/messages.h"
#include "core/comm/round_schedule.h"

namespace lab {
namespace {

Schedule emptySchedule(int ranks, std::int64_t elements) {
  LAB_CHECK(ranks >= 1 && elements >= 0);
  if (ranks > kMaxReplicas) throw UserError(say::tooManyRanks, Count{ranks}, Count{kMaxReplicas});
  if (elements > kMaxElements) throw UserError(say::tooManyElements, Count{elements}, Count{kMaxElements});
  Schedule schedule;
  schedule.ranks = ranks;
  schedule.elements = elements;
  return schedule;
}

void send(Schedule& schedule, int round, int from, int to, bool add, std::int64_t elements) {
  if (elements > 0) schedule.transfers.push_back({round, from, to, add, 0, elements});
}

// `schedule` has no transfers yet; its sizes have been checked.
Schedule filled(Schedule schedule, const RoundSchedule& lazy) {
  std::vector<Transfer> round;
  for (int k = 0; k < lazy.rounds(); ++k) {
    lazy.round(k, round);
    schedule.transfers.insert(schedule.transfers.end(), round.begin(), round.end());
  }
  return schedule;
}

}  // namespace

std::vector<std::int64_t> Schedule::bytesSentPerRank() const {
  std::vector<std::int64_t> bytes(static_cast<std::size_t>(ranks));
  for (const Transfer& transfer : transfers) at(bytes, transfer.from) += transfer.bytes();
  return bytes;
}

std::int64_t Schedule::bytesSent() const {
  std::int64_t bytes = 0;
  for (const Transfer& transfer : transfers) bytes += transfer.bytes();
  return bytes;
}

TorusShape torusShape(int ranks) {
  LAB_CHECK(ranks >= 1);
  TorusShape shape{1, ranks};
  for (int x = 2; x <= ranks / x; ++x)
    if (ranks % x == 0) shape = {x, ranks / x};
  return shape;
}

Schedule makeAllReduce(Reducer kind, int ranks, int hosts, std::int64_t elements) {
  Schedule schedule = emptySchedule(ranks, elements);
  schedule.averages = kind == Reducer::Neighbours;
  return filled(std::move(schedule), *makeRoundSchedule(kind, ranks, hosts, elements));
}

Schedule makeRing(RingHalf half, int ranks, std::int64_t elements) {
  Schedule schedule = emptySchedule(ranks, elements);
  return filled(std::move(schedule), *makeRingHalf(half, ranks, elements));
}

Schedule reduceTo(std::span<const int> sources, int root, std::int64_t elements) {
  const int last = sources.empty() ? root : std::max(root, *std::max_element(sources.begin(), sources.end()));
  Schedule schedule = emptySchedule(last + 1, elements);
  int round = 0;
  for (const int source : sources) {
    LAB_CHECK(source >= 0 && source != root);
    send(schedule, round++, source, root, true, elements);
  }
  return schedule;
}

Schedule broadcastFrom(int root, std::span<const int> destinations, std::int64_t elements) {
  const int last =
      destinations.empty() ? root : std::max(root, *std::max_element(destinations.begin(), destinations.end()));
  Schedule schedule = emptySchedule(last + 1, elements);
  int round = 0;
  for (const int destination : destinations) {
    LAB_CHECK(destination >= 0 && destination != root);
    send(schedule, round++, root, destination, false, elements);
  }
  return schedule;
}

Schedule treeBroadcast(int ranks, std::int64_t elements) {
  Schedule schedule = makeAllReduce(Reducer::Tree, ranks, 1, elements);
  std::erase_if(schedule.transfers, [](const Transfer& transfer) { return transfer.add; });
  if (schedule.transfers.empty()) return schedule;
  const std::int32_t first = schedule.transfers.front().round;
  for (Transfer& transfer : schedule.transfers) transfer.round -= first;
  return schedule;
}

std::vector<std::vector<int>> ranksInSums(const Schedule& schedule) {
  std::vector<std::vector<int>> sums;
  for (int rank = 0; rank < schedule.ranks; ++rank) sums.push_back({rank});
  const std::vector<std::vector<int>> own = sums;
  for (const Transfer& transfer : schedule.transfers) {
    if (transfer.offset > 0) continue;  // each element is added up over the same ranks, so the first stands for all
    std::vector<int>& to = at(sums, transfer.to);
    const std::vector<int>& from = at(schedule.averages ? own : sums, transfer.from);
    std::vector<int> both;
    if (transfer.add)
      std::ranges::set_union(to, from, std::back_inserter(both));
    else
      both = from;
    to = std::move(both);
  }
  return sums;
}

bool areSumsOfHosts(const std::vector<std::vector<int>>& sums, int hosts) {
  LAB_CHECK(hosts >= 1);
  const std::ptrdiff_t each = std::ssize(sums) / hosts;
  for (std::ptrdiff_t rank = 0; rank < std::ssize(sums); ++rank) {
    const std::vector<int>& sum = at(sums, rank);
    if (std::ssize(sum) != each || sum.front() / each != rank / each || sum.back() / each != rank / each) return false;
  }
  return !sums.empty();
}

std::vector<Pack> packGradients(std::span<const std::int64_t> sizes, std::int64_t bytesPerPack) {
  LAB_CHECK(bytesPerPack >= 0);
  std::vector<Pack> packs;
  std::int64_t offset = 0;
  for (const std::int64_t size : sizes) {
    LAB_CHECK(size >= 0);
    // Divides instead of multiplying, because bytesPerPack may be any number that a user types.
    const bool full = bytesPerPack > 0 && !packs.empty() && packs.back().count > bytesPerPack / kBytesPerElement;
    if (packs.empty() || full) packs.push_back({offset, 0});
    packs.back().count += size;
    offset += size;
  }
  return packs;
}

std::vector<Pack> packEachVariable(std::span<const std::int64_t> sizes) {
  std::vector<Pack> packs;
  std::int64_t offset = 0;
  for (const std::int64_t size : sizes) {
    packs.push_back({offset, size});
    offset += size;
  }
  return packs;
}

}  // namespace lab
