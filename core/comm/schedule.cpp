// SPDX-License-Identifier: GPL-3.0-or-later
// Everything is built from three parts on a line of ranks: reduce-scatter and all-gather round a ring, and single
// messages. Round numbers are computed, never counted from what was emitted, so that lines of unequal pieces that run
// side by side stay in step.
#include "core/comm/schedule.h"

#include <algorithm>
#include <bit>
#include <string>
#include <tuple>

#include "core/base/error.h"
#include "core/base/units.h"

namespace lab {
namespace {

constexpr std::int64_t kBytesPerElement = 4;

struct Range {
  std::int64_t begin = 0;
  std::int64_t count = 0;
};

// Part `index` of `parts` nearly equal ones: the first (count mod parts) are one element longer.
Range part(Range whole, int parts, int index) {
  const std::int64_t size = whole.count / parts, longer = whole.count % parts;
  return {whole.begin + index * size + std::min<std::int64_t>(index, longer), size + (index < longer ? 1 : 0)};
}

// Ranks first, first + stride, … that form one ring.
struct Line {
  int first = 0, stride = 1, count = 1;
  int at(int i) const { return first + (i % count) * stride; }
};

Schedule emptySchedule(int ranks, std::int64_t elements) {
  LAB_CHECK(ranks >= 1 && elements >= 0);
  if (ranks > kMaxRanks)
    throw UserError("an all-reduce over " + formatCount(ranks) + " ranks is too large to simulate: use at most " +
                    formatCount(kMaxRanks) + " ranks");
  if (elements > kMaxElements)
    throw UserError("an all-reduce of " + formatCount(elements) + " elements is too large to simulate: use at most " +
                    formatCount(kMaxElements) + " elements");
  Schedule schedule;
  schedule.ranks = ranks;
  schedule.elements = elements;
  return schedule;
}

void send(Schedule& schedule, int round, int from, int to, bool add, Range range) {
  if (range.count > 0) schedule.transfers.push_back({round, from, to, add, range.begin, range.count});
}

// count − 1 rounds; afterwards member i holds the sum of part i.
void ringReduceScatter(Schedule& schedule, int firstRound, Line line, Range whole) {
  const int n = line.count;
  for (int k = 0; k < n - 1; ++k)
    for (int i = 0; i < n; ++i)
      send(schedule, firstRound + k, line.at(i), line.at(i + 1), true, part(whole, n, (i - k - 1 + n) % n));
}

// count − 1 rounds, from member i holding part i.
void ringAllGather(Schedule& schedule, int firstRound, Line line, Range whole) {
  const int n = line.count;
  for (int k = 0; k < n - 1; ++k)
    for (int i = 0; i < n; ++i)
      send(schedule, firstRound + k, line.at(i), line.at(i + 1), false, part(whole, n, (i - k + n) % n));
}

Schedule sorted(Schedule schedule) {
  std::sort(schedule.transfers.begin(), schedule.transfers.end(), [](const Transfer& a, const Transfer& b) {
    return std::tie(a.round, a.from, a.to, a.offset) < std::tie(b.round, b.from, b.to, b.offset);
  });
  return schedule;
}

// Ranks in rows of `width`: reduce-scatter along each row, all-reduce of each piece down its column, all-gather along
// each row. width 1 is a ring over all.
Schedule shardedAllReduce(int ranks, int width, std::int64_t elements) {
  Schedule schedule = emptySchedule(ranks, elements);
  const int rows = ranks / width;
  const Range whole{0, elements};
  for (int row = 0; row < rows; ++row) ringReduceScatter(schedule, 0, {row * width, 1, width}, whole);
  for (int column = 0; column < width; ++column) {
    const Line line{column, width, rows};
    const Range piece = part(whole, width, column);
    ringReduceScatter(schedule, width - 1, line, piece);
    ringAllGather(schedule, width - 1 + rows - 1, line, piece);
  }
  for (int row = 0; row < rows; ++row)
    ringAllGather(schedule, width - 1 + 2 * (rows - 1), {row * width, 1, width}, whole);
  return sorted(std::move(schedule));
}

}  // namespace

std::vector<std::int64_t> Schedule::bytesSentPerRank() const {
  std::vector<std::int64_t> bytes(static_cast<std::size_t>(ranks));
  for (const Transfer& transfer : transfers)
    bytes[static_cast<std::size_t>(transfer.from)] += transfer.count * kBytesPerElement;
  return bytes;
}

std::int64_t Schedule::bytesSent() const {
  std::int64_t bytes = 0;
  for (const Transfer& transfer : transfers) bytes += transfer.count * kBytesPerElement;
  return bytes;
}

std::string_view toString(ScheduleKind kind) {
  switch (kind) {
    case ScheduleKind::Ring:
      return "ring";
    case ScheduleKind::Tree:
      return "tree";
    case ScheduleKind::HalvingDoubling:
      return "halving-doubling";
    case ScheduleKind::Hierarchical:
      return "hierarchical";
    case ScheduleKind::Torus:
      return "torus";
    case ScheduleKind::OneDevice:
      return "one-device";
  }
  LAB_CHECK(!"a schedule kind without a name");
}

Schedule ringAllReduce(int ranks, std::int64_t elements) {
  return shardedAllReduce(ranks, 1, elements);
}

Schedule treeAllReduce(int ranks, std::int64_t elements) {
  Schedule schedule = emptySchedule(ranks, elements);
  const Range whole{0, elements};
  int round = 0;
  int distance = 1;
  for (; distance < ranks; distance *= 2, ++round)
    for (int to = 0; to + distance < ranks; to += 2 * distance) send(schedule, round, to + distance, to, true, whole);
  for (distance /= 2; distance >= 1; distance /= 2, ++round)
    for (int from = 0; from + distance < ranks; from += 2 * distance)
      send(schedule, round, from, from + distance, false, whole);
  return sorted(std::move(schedule));
}

Schedule halvingDoublingAllReduce(int ranks, std::int64_t elements) {
  Schedule schedule = emptySchedule(ranks, elements);
  const Range whole{0, elements};
  const int core = static_cast<int>(std::bit_floor(static_cast<unsigned>(ranks)));
  // The parts [firstPart, firstPart + parts) of `core` in all.
  const auto run = [&](int firstPart, int parts) {
    const std::int64_t begin = part(whole, core, firstPart).begin;
    const Range last = part(whole, core, firstPart + parts - 1);
    return Range{begin, last.begin + last.count - begin};
  };
  int round = 0;
  for (int rank = core; rank < ranks; ++rank) send(schedule, round, rank, rank - core, true, whole);
  if (ranks > core) ++round;
  // In each round a rank keeps the half of its parts that its own number lies in, and sends the other half.
  for (int distance = core / 2; distance >= 1; distance /= 2, ++round)
    for (int rank = 0; rank < core; ++rank) {
      const int partner = rank ^ distance;
      send(schedule, round, rank, partner, true, run(partner & ~(distance - 1), distance));
    }
  for (int distance = 1; distance < core; distance *= 2, ++round)
    for (int rank = 0; rank < core; ++rank)
      send(schedule, round, rank, rank ^ distance, false, run(rank & ~(distance - 1), distance));
  for (int rank = core; rank < ranks; ++rank) send(schedule, round, rank - core, rank, false, whole);
  return sorted(std::move(schedule));
}

Schedule hierarchicalAllReduce(int ranks, int hosts, std::int64_t elements) {
  if (hosts < 1 || ranks % hosts != 0)
    throw UserError("a hierarchical all-reduce needs the same number of ranks on every host, and " +
                    std::to_string(ranks) + " ranks cannot be shared equally by " + std::to_string(hosts) +
                    " hosts: choose a number of hosts that divides the ranks");
  return shardedAllReduce(ranks, ranks / hosts, elements);
}

TorusShape torusShape(int ranks) {
  LAB_CHECK(ranks >= 1);
  TorusShape shape{1, ranks};
  for (int x = 2; x <= ranks / x; ++x)
    if (ranks % x == 0) shape = {x, ranks / x};
  return shape;
}

Schedule torusAllReduce(int ranks, std::int64_t elements) {
  return shardedAllReduce(ranks, torusShape(ranks).x, elements);
}

Schedule oneDeviceAllReduce(int ranks, std::int64_t elements, int root) {
  Schedule schedule = emptySchedule(ranks, elements);
  LAB_CHECK(root >= 0 && root < ranks);
  std::vector<int> others;
  for (int rank = 0; rank < ranks; ++rank)
    if (rank != root) others.push_back(rank);
  schedule.transfers = reduceTo(others, root, elements).transfers;
  for (Transfer transfer : broadcastFrom(root, others, elements).transfers) {
    transfer.round += ranks - 1;
    schedule.transfers.push_back(transfer);
  }
  return schedule;
}

Schedule makeAllReduce(ScheduleKind kind, int ranks, int hosts, std::int64_t elements) {
  switch (kind) {
    case ScheduleKind::Ring:
      return ringAllReduce(ranks, elements);
    case ScheduleKind::Tree:
      return treeAllReduce(ranks, elements);
    case ScheduleKind::HalvingDoubling:
      return halvingDoublingAllReduce(ranks, elements);
    case ScheduleKind::Hierarchical:
      return hierarchicalAllReduce(ranks, hosts, elements);
    case ScheduleKind::Torus:
      return torusAllReduce(ranks, elements);
    case ScheduleKind::OneDevice:
      return oneDeviceAllReduce(ranks, elements);
  }
  LAB_CHECK(!"a schedule kind without a schedule");
}

Schedule reduceTo(std::span<const int> sources, int root, std::int64_t elements) {
  const int last = sources.empty() ? root : std::max(root, *std::max_element(sources.begin(), sources.end()));
  Schedule schedule = emptySchedule(last + 1, elements);
  int round = 0;
  for (const int source : sources) {
    LAB_CHECK(source >= 0 && source != root);
    send(schedule, round++, source, root, true, {0, elements});
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
    send(schedule, round++, root, destination, false, {0, elements});
  }
  return schedule;
}

std::vector<Pack> packGradients(std::span<const std::int64_t> sizes, std::int64_t bytesPerPack) {
  LAB_CHECK(bytesPerPack >= 0);
  std::vector<Pack> packs;
  std::int64_t offset = 0;
  for (const std::int64_t size : sizes) {
    LAB_CHECK(size >= 0);
    // Divided rather than multiplied: bytesPerPack may be anything a user types.
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
