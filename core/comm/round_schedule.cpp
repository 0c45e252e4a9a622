// SPDX-License-Identifier: GPL-3.0-or-later
// Every schedule consists of three building blocks on a line of ranks: reduce-scatter and all-gather around a ring, and
// single messages. A round is computed from its number alone, so lines of unequal pieces stay in step.
#include "core/comm/round_schedule.h"

#include <algorithm>
#include <bit>

#include "core/base/error.h"
#include "core/comm/messages.h"

namespace lab {
namespace {

struct Range {
  std::int64_t begin = 0;
  std::int64_t count = 0;
};

// Returns part `index` of `parts` nearly equal parts: the first (count mod parts) are one element longer.
Range part(Range whole, int parts, int index) {
  const std::int64_t size = whole.count / parts, longer = whole.count % parts;
  return {whole.begin + index * size + std::min<std::int64_t>(index, longer), size + (index < longer ? 1 : 0)};
}

void send(std::vector<Transfer>& out, int round, int from, int to, bool add, Range range) {
  if (range.count > 0) out.push_back({round, from, to, add, range.begin, range.count});
}

// Ranks in rows of `width`: reduce-scatter along each row, all-reduce of each piece down its column, all-gather along
// each row. With width 1 this is a ring over all ranks.
class ShardedRounds final : public RoundSchedule {
 public:
  ShardedRounds(int ranks, int width, std::int64_t elements)
      : ranks_(ranks), width_(width), rows_(ranks / width), elements_(elements) {}

  int rounds() const override { return 2 * (width_ - 1) + 2 * (rows_ - 1); }

  void round(int k, std::vector<Transfer>& out) const override {
    out.clear();
    const Phase phase = phaseOf(k);
    const int step = k - phase.first;
    const Range whole{0, elements_};
    for (int rank = 0; rank < ranks_; ++rank) {
      const int row = rank / width_, column = rank % width_;
      if (phase.alongRows)
        send(out, k, rank, row * width_ + (column + 1) % width_, !phase.gather,
             part(whole, width_, chunk(column, step, width_, phase.gather)));
      else
        send(out, k, rank, (row + 1) % rows_ * width_ + column, !phase.gather,
             part(part(whole, width_, column), rows_, chunk(row, step, rows_, phase.gather)));
    }
  }

  int runLength(int k) const override {
    const Phase phase = phaseOf(k);
    return phase.first + phase.length - k;
  }

 private:
  struct Phase {
    bool alongRows = false, gather = false;
    int first = 0, length = 0;  // rounds
  };
  Phase phaseOf(int k) const {
    const int w = width_ - 1, r = rows_ - 1;
    if (k < w) return {true, false, 0, w};
    if (k < w + r) return {false, false, w, r};
    if (k < w + 2 * r) return {false, true, w + r, r};
    return {true, true, w + 2 * r, w};
  }
  // Returns the part that member i of n sends in step s of its line: the part before its own first, or its own when
  // gathering, and then downwards.
  static int chunk(int i, int s, int n, bool gather) { return (i - s - (gather ? 0 : 1) + n) % n; }

  int ranks_, width_, rows_;
  std::int64_t elements_;
};

class RingHalfRounds final : public RoundSchedule {
 public:
  RingHalfRounds(RingHalf half, int ranks, std::int64_t elements)
      : ring_(ranks, 1, elements), rounds_(ranks - 1), first_(half == RingHalf::AllGather ? rounds_ : 0) {}

  int rounds() const override { return rounds_; }
  void round(int k, std::vector<Transfer>& out) const override {
    ring_.round(first_ + k, out);
    for (Transfer& transfer : out) transfer.round = k;
  }
  int runLength(int k) const override { return rounds_ - k; }

 private:
  ShardedRounds ring_;
  int rounds_, first_;
};

// A logarithmic number of rounds, all different.
class TreeRounds final : public RoundSchedule {
 public:
  TreeRounds(int ranks, std::int64_t elements)
      : ranks_(ranks), elements_(elements), depth_(std::bit_width(static_cast<unsigned>(ranks - 1))) {}

  int rounds() const override { return 2 * depth_; }
  void round(int k, std::vector<Transfer>& out) const override {
    out.clear();
    const bool up = k < depth_;
    const int distance = 1 << (up ? k : 2 * depth_ - 1 - k);
    for (int to = 0; to + distance < ranks_; to += 2 * distance)
      send(out, k, up ? to + distance : to, up ? to : to + distance, up, {0, elements_});
  }
  int runLength(int) const override { return 1; }

 private:
  int ranks_;
  std::int64_t elements_;
  int depth_;
};

class HalvingDoublingRounds final : public RoundSchedule {
 public:
  HalvingDoublingRounds(int ranks, std::int64_t elements)
      : ranks_(ranks),
        core_(static_cast<int>(std::bit_floor(static_cast<unsigned>(ranks)))),
        depth_(std::bit_width(static_cast<unsigned>(core_)) - 1),
        folds_(ranks > core_ ? 1 : 0),
        elements_(elements) {}

  int rounds() const override { return 2 * depth_ + 2 * folds_; }
  void round(int k, std::vector<Transfer>& out) const override {
    out.clear();
    const Range whole{0, elements_};
    const int inner = k - folds_;
    if (inner < 0) {
      for (int rank = core_; rank < ranks_; ++rank) send(out, k, rank, rank - core_, true, whole);
    } else if (inner < depth_) {
      // A rank keeps the half of its parts that contains its own number, and sends the other half.
      const int distance = core_ >> (inner + 1);
      for (int rank = 0; rank < core_; ++rank)
        send(out, k, rank, rank ^ distance, true, run((rank ^ distance) & ~(distance - 1), distance));
    } else if (inner < 2 * depth_) {
      const int distance = 1 << (inner - depth_);
      for (int rank = 0; rank < core_; ++rank)
        send(out, k, rank, rank ^ distance, false, run(rank & ~(distance - 1), distance));
    } else {
      for (int rank = core_; rank < ranks_; ++rank) send(out, k, rank - core_, rank, false, whole);
    }
  }
  int runLength(int) const override { return 1; }

 private:
  // Returns the parts [firstPart, firstPart + parts) of core_ parts.
  Range run(int firstPart, int parts) const {
    const Range whole{0, elements_};
    const std::int64_t begin = part(whole, core_, firstPart).begin;
    const Range last = part(whole, core_, firstPart + parts - 1);
    return {begin, last.begin + last.count - begin};
  }

  int ranks_, core_, depth_, folds_;
  std::int64_t elements_;
};

// Every rank sends to rank 0 in turn, and rank 0 sends back.
class OneDeviceRounds final : public RoundSchedule {
 public:
  OneDeviceRounds(int ranks, std::int64_t elements) : ranks_(ranks), elements_(elements) {}
  int rounds() const override { return 2 * (ranks_ - 1); }
  void round(int k, std::vector<Transfer>& out) const override {
    out.clear();
    const bool up = k < ranks_ - 1;
    const int other = up ? k + 1 : k - ranks_ + 2;
    send(out, k, up ? other : 0, up ? 0 : other, up, {0, elements_});
  }
  int runLength(int) const override { return 1; }

 private:
  int ranks_;
  std::int64_t elements_;
};

// Every rank sends everything to its neighbours on the ring; with two ranks there is only one neighbour.
class NeighbourRounds final : public RoundSchedule {
 public:
  NeighbourRounds(int ranks, std::int64_t elements) : ranks_(ranks), elements_(elements) {}
  int rounds() const override { return ranks_ > 1 ? 1 : 0; }
  void round(int k, std::vector<Transfer>& out) const override {
    out.clear();
    for (int rank = 0; rank < ranks_; ++rank) {
      send(out, k, rank, (rank + 1) % ranks_, true, {0, elements_});
      if (ranks_ > 2) send(out, k, rank, (rank + ranks_ - 1) % ranks_, true, {0, elements_});
    }
  }
  int runLength(int) const override { return 1; }

 private:
  int ranks_;
  std::int64_t elements_;
};

}  // namespace

std::unique_ptr<RoundSchedule> makeRoundSchedule(Reducer kind, int ranks, int hosts, std::int64_t elements) {
  LAB_CHECK(ranks >= 1 && elements >= 0);
  if (goesByHosts(kind) && (hosts < 1 || ranks % hosts != 0))
    throw UserError(say::ranksDoNotFillHosts, toString(kind), ranks, hosts);
  switch (kind) {
    case Reducer::Ring:
    case Reducer::Nccl:
    case Reducer::Mpi:
      return std::make_unique<ShardedRounds>(ranks, 1, elements);
    case Reducer::Tree:
      return std::make_unique<TreeRounds>(ranks, elements);
    case Reducer::HalvingDoubling:
      return std::make_unique<HalvingDoublingRounds>(ranks, elements);
    case Reducer::Hierarchical:
      return std::make_unique<ShardedRounds>(ranks, ranks / hosts, elements);
    case Reducer::Torus:
      return std::make_unique<ShardedRounds>(ranks, torusShape(ranks).x, elements);
    case Reducer::OneDevice:
      return std::make_unique<OneDeviceRounds>(ranks, elements);
    case Reducer::Neighbours:
      return std::make_unique<NeighbourRounds>(ranks, elements);
    default:
      throwBrokenInvariant("a reducer without a schedule", __FILE__, __LINE__);
  }
}

Pack ringChunk(int rank, int ranks, std::int64_t elements) {
  LAB_CHECK(rank >= 0 && rank < ranks);
  const Range chunk = part({0, elements}, ranks, rank);
  return {chunk.begin, chunk.count};
}

std::unique_ptr<RoundSchedule> makeRingHalf(RingHalf half, int ranks, std::int64_t elements) {
  LAB_CHECK(ranks >= 1 && elements >= 0);
  return std::make_unique<RingHalfRounds>(half, ranks, elements);
}

}  // namespace lab
