// SPDX-License-Identifier: GPL-3.0-or-later
// Matrix products of the dense layers, and the sums that finish them.
// A block computes 64×64 results with 128 threads, 8×4 per thread, over tiles of depth 16 that pass through shared
// memory while the next tile is loaded into registers; with few rows, 32×64 or 16×64 with fewer rows per thread. The
// depth is cut into segments whose sums are added in a fixed order. So a small batch can use one block per segment, and
// a large batch one block for many segments, with the same bits.
#pragma once

#include "core/device/cuda/block.h"
#include "core/device/cuda/kernels.h"

namespace lab::gpu {

// Applies bias, relu and mask like the reference.
LAB_DEVICE float finished(float value, const float* bias, const float* mask, bool relu, std::int64_t element,
                          std::int64_t column) {
  if (bias != nullptr) value += bias[column];
  if (relu && value <= 0) value = 0;
  if (mask != nullptr && mask[element] <= 0) value = 0;
  return value;
}

// Loads four consecutive elements at (side, depth) of an operand that is stored along its depth or along its side, in
// rows of `length` elements; 0 beyond `sides` and `depths`.
template <bool alongDepth>
LAB_DEVICE Four loadFour(const float* operand, std::uint32_t length, int sides, int depths, int side, int depth,
                         bool byFours) {
  Four four = {};
  const auto row = static_cast<std::uint32_t>(alongDepth ? side : depth),
             within = static_cast<std::uint32_t>(alongDepth ? depth : side);
  const float* from = operand + (std::uint64_t{row} * length + within);  // one multiply instruction
  if (byFours) {
    if (side < sides && depth < depths) four = *reinterpret_cast<const Four*>(from);
  } else {
    LAB_UNROLL for (int i = 0; i < 4; ++i) if (side + (alongDepth ? 0 : i) < sides &&
                                               depth + (alongDepth ? i : 0) < depths) four.v[i] = from[i];
  }
  return four;
}

// Returns whether every four elements of a row begin at a multiple of 16 bytes.
LAB_DEVICE bool liesInFours(const float* operand, std::int64_t length) {
  return length % 4 == 0 && reinterpret_cast<std::uintptr_t>(operand) % sizeof(Four) == 0;
}

// The operands of a dense layer's product: a (rows, depth) or its transpose, b (depth, columns) or its transpose.
template <bool aTransposed, bool bTransposed>
struct DenseOperands {
  using Args = ProductArgs;
  static constexpr bool kAAlongDepth = !aTransposed, kBAlongDepth = bTransposed;
  const Args& args;
  std::uint32_t aLength, bLength;
  bool aByFours, bByFours;
  int rows, columns;

  LAB_DEVICE explicit DenseOperands(const Args& a)
      : args(a),
        aLength(static_cast<std::uint32_t>(aTransposed ? a.rows : a.depth)),
        bLength(static_cast<std::uint32_t>(bTransposed ? a.depth : a.columns)),
        aByFours(liesInFours(a.a, aLength)),
        bByFours(liesInFours(a.b, bLength)),
        rows(static_cast<int>(a.rows)),
        columns(static_cast<int>(a.columns)) {}
  LAB_DEVICE Four a(int row, int depth, int end) const {
    return loadFour<!aTransposed>(args.a, aLength, rows, end, row, depth, aByFours);
  }
  LAB_DEVICE Four b(int column, int depth, int end) const {
    return loadFour<bTransposed>(args.b, bLength, columns, end, column, depth, bByFours);
  }
  // The gradient by the weights has a row for each of the layer's inputs: their tiles may be too many for y.
  template <typename Block>
  LAB_DEVICE static int rowTile(const Block& block) {
    return static_cast<int>(aTransposed ? block.x() : block.y());
  }
  template <typename Block>
  LAB_DEVICE static int columnTile(const Block& block) {
    return static_cast<int>(aTransposed ? block.y() : block.x());
  }
};

// `Operands` reads four elements of a and of b; tiles have kTall rows and kWide columns. The sum of a result does not
// depend on its tile.
template <typename Operands, int kTall = kTile, int kWide = kTile>
struct TiledProduct {
  using Args = typename Operands::Args;
  static constexpr bool kAAlongDepth = Operands::kAAlongDepth, kBAlongDepth = Operands::kBAlongDepth;
  static constexpr int kThreads = 128, kDepth = kTileDepth;
  static constexpr int kBlocksTogether = 3;  // per multiprocessor, at least: 168 registers per thread, none spilled
  static constexpr int kColumns = 4, kRows = kTall * kWide / kColumns / kThreads;  // per thread
  static constexpr int kAcross = kWide / kColumns;                                 // threads side by side
  static constexpr int kFoursA = kTall * kDepth / 4, kFoursB = kWide * kDepth / 4;
  static constexpr int kLoadsA = (kFoursA + kThreads - 1) / kThreads;  // per thread, for each tile
  static constexpr int kLoadsB = (kFoursB + kThreads - 1) / kThreads;
  static constexpr int kTilesPerSegment = kSegmentDepth / kDepth;
  static_assert(kThreads == kAcross * (kTall / kRows) && kSegmentDepth % kDepth == 0);
  static_assert(kFoursB % kThreads == 0 && (kRows == 2 || kRows % 4 == 0));

  struct Shared {
    Four a[kDepth][kTall / 4 + 1];
    Four b[kDepth][kWide / 4 + 1];
  };
  struct Registers {
    Four a[kLoadsA], b[kLoadsB];    // the next tile
    float sums[kRows][kColumns];    // of the segment
    float totals[kRows][kColumns];  // of the block
  };

  // Returns where the four elements number `four` of a tile begin: neighbours in memory go to neighbouring threads.
  template <bool alongDepth, int kSide>
  LAB_DEVICE static int depthOf(int four) {
    return alongDepth ? four % (kDepth / 4) * 4 : four / (kSide / 4);
  }
  template <bool alongDepth, int kSide>
  LAB_DEVICE static int sideOf(int four) {
    return alongDepth ? four / (kDepth / 4) : four % (kSide / 4) * 4;
  }

  // Fetches the tile at `depth0`; 0 from `end` on.
  LAB_DEVICE static void fetch(const Operands& operands, int row0, int column0, int depth0, int end, int t,
                               Registers& r) {
    LAB_UNROLL for (int i = 0; i < kLoadsA; ++i) {
      const int four = t + i * kThreads;
      if (kFoursA % kThreads != 0 && four >= kFoursA) continue;
      r.a[i] = operands.a(row0 + sideOf<kAAlongDepth, kTall>(four), depth0 + depthOf<kAAlongDepth, kTall>(four), end);
    }
    LAB_UNROLL for (int i = 0; i < kLoadsB; ++i) {
      const int four = t + i * kThreads;
      r.b[i] =
          operands.b(column0 + sideOf<kBAlongDepth, kWide>(four), depth0 + depthOf<kBAlongDepth, kWide>(four), end);
    }
  }

  template <bool alongDepth, int kSide>
  LAB_DEVICE static void put(Four (*tile)[kSide / 4 + 1], int four, const Four& value) {
    const int depth = depthOf<alongDepth, kSide>(four), side = sideOf<alongDepth, kSide>(four);
    if (alongDepth)
      LAB_UNROLL for (int i = 0; i < 4; ++i) tile[depth + i][side / 4].v[side % 4] = value.v[i];
    else
      tile[depth][side / 4] = value;
  }

  LAB_DEVICE static void store(int t, const Registers& r, Shared& shared) {
    LAB_UNROLL for (int i = 0; i < kLoadsA; ++i) {
      if (kFoursA % kThreads != 0 && t + i * kThreads >= kFoursA) continue;
      put<kAAlongDepth, kTall>(shared.a, t + i * kThreads, r.a[i]);
    }
    LAB_UNROLL for (int i = 0; i < kLoadsB; ++i) put<kBAlongDepth, kWide>(shared.b, t + i * kThreads, r.b[i]);
  }

  LAB_DEVICE static void multiply(int t, const Shared& shared, Registers& r) {
    const int down = t / kAcross, across = t % kAcross;
    LAB_UNROLL for (int d = 0; d < kDepth; ++d) {
      const Four b = shared.b[d][across];
      constexpr int kTogether = kRows < 4 ? kRows : 4;
      LAB_UNROLL for (int first = 0; first < kRows; first += kTogether) {
        const auto a = reinterpret_cast<const Floats<kTogether>*>(shared.a[d])[(down * kRows + first) / kTogether];
        LAB_UNROLL for (int row = 0; row < kTogether; ++row)
            LAB_UNROLL for (int column = 0; column < kColumns; ++column)
                r.sums[first + row][column] = multiplyAdd(a.v[row], b.v[column], r.sums[first + row][column]);
      }
    }
  }

  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared& shared) {
    typename Block::template PerThread<Registers> registers(block);
    const Operands operands(a);
    const int column0 = Operands::columnTile(block) * kWide, row0 = Operands::rowTile(block) * kTall;
    const std::int64_t begin = block.z() * a.segmentsPerBlock * kSegmentDepth;
    const std::int64_t limit = begin + a.segmentsPerBlock * kSegmentDepth;
    const int end = static_cast<int>(limit < a.depth ? limit : a.depth);
    block.threads([&](int t) {
      Registers& r = registers[t];
      LAB_UNROLL for (int row = 0; row < kRows; ++row) LAB_UNROLL for (int column = 0; column < kColumns; ++column) {
        r.sums[row][column] = 0;
        r.totals[row][column] = 0;
      }
      fetch(operands, row0, column0, static_cast<int>(begin), end, t, r);
    });
    int tileOfSegment = 0;
    for (int depth = static_cast<int>(begin); depth < end; depth += kDepth) {
      block.threads([&](int t) { store(t, registers[t], shared); });
      const bool segmentEnds = ++tileOfSegment == kTilesPerSegment || depth + kDepth >= end;
      if (segmentEnds) tileOfSegment = 0;
      block.threads([&](int t) {
        Registers& r = registers[t];
        fetch(operands, row0, column0, depth + kDepth, end, t, r);  // fetches nothing after the last tile
        multiply(t, shared, r);
        if (!segmentEnds) return;
        LAB_UNROLL for (int row = 0; row < kRows; ++row) LAB_UNROLL for (int column = 0; column < kColumns; ++column) {
          r.totals[row][column] += r.sums[row][column];
          r.sums[row][column] = 0;
        }
      });
    }
    const bool whole = begin == 0 && limit >= a.depth;
    float* out = whole ? a.out : a.out + block.z() * a.rows * a.columns;
    block.threads([&](int t) {
      const Registers& r = registers[t];
      const bool byFours = liesInFours(out, a.columns);
      const std::int64_t columns = a.columns, column = column0 + t % kAcross * kColumns;
      LAB_UNROLL for (int i = 0; i < kRows; ++i) {
        const std::int64_t row = row0 + t / kAcross * kRows + i, element = row * columns + column;
        if (row >= a.rows || column >= columns) continue;
        Four four = {};
        LAB_UNROLL for (int j = 0; j < kColumns; ++j) if (column + j < a.columns) four.v[j] =
            whole ? finished(r.totals[i][j], a.bias, a.mask, a.relu != 0, element + j, column + j) : r.totals[i][j];
        if (byFours) {
          *reinterpret_cast<Four*>(out + element) = four;
        } else {
          LAB_UNROLL for (int j = 0; j < kColumns; ++j) if (column + j < a.columns) out[element + j] = four.v[j];
        }
      }
    });
  }
};
using ProductForwardKernel = TiledProduct<DenseOperands<false, false>>;
using ProductWeightGradientKernel = TiledProduct<DenseOperands<true, false>>;
using ProductInputGradientKernel = TiledProduct<DenseOperands<false, true>>;
using ProductForward32Kernel = TiledProduct<DenseOperands<false, false>, 32>;
using ProductForward16Kernel = TiledProduct<DenseOperands<false, false>, 16>;
using ProductInputGradient32Kernel = TiledProduct<DenseOperands<false, true>, 32>;
using ProductInputGradient16Kernel = TiledProduct<DenseOperands<false, true>, 16>;

// Adds one element of a product from its splits, and fetches many of them at once.
LAB_DEVICE float sumOfSplits(const float* partial, std::int64_t size, std::int64_t element, std::int64_t splits,
                             std::int64_t perGroup) {
  constexpr int kAtOnce = 16;
  const int count = static_cast<int>(splits), ofGroup = static_cast<int>(perGroup);
  float total = 0, sum = 0;
  int inGroup = 0;
  for (int first = 0; first < count; first += kAtOnce) {
    float part[kAtOnce];
    LAB_UNROLL for (int i = 0; i < kAtOnce; ++i) part[i] =
        first + i < count ? partial[(first + i) * size + element] : 0;
    LAB_UNROLL for (int i = 0; i < kAtOnce; ++i) {
      if (first + i >= count) break;
      sum += part[i];
      if (++inGroup < ofGroup && first + i + 1 < count) continue;
      total += sum;
      sum = 0;
      inGroup = 0;
    }
  }
  return total;
}

struct SumSplitsKernel {
  using Args = SumSplitsArgs;
  struct Shared {};
  static constexpr int kThreads = kElementThreads;

  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared&) {
    block.threads([&](int t) {
      const std::int64_t element = block.x() * kThreads + t;
      if (element >= a.size) return;
      const float total = sumOfSplits(a.partial, a.size, element, a.splits, a.perGroup);
      a.out[element] = finished(total, a.bias, a.mask, a.relu != 0, element, element % a.columns);
    });
  }
};

// Lane l of a column adds rows l, l + 16, …; then the lanes are added in order.
struct ColumnSumsKernel {
  using Args = ColumnSumsArgs;
  static constexpr int kThreads = kSumColumns * kSumLanes;
  struct Shared {
    float sums[kSumLanes][kSumColumns];
  };

  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared& shared) {
    const std::int64_t first = block.y() * a.rowsPerBlock;
    const std::int64_t last = first + a.rowsPerBlock < a.rows ? first + a.rowsPerBlock : a.rows;
    block.threads([&](int t) {
      const std::int64_t column = block.x() * kSumColumns + t % kSumColumns;
      float sum = 0;
      if (column < a.columns)
        for (std::int64_t row = first + t / kSumColumns; row < last; row += kSumLanes)
          sum += a.in[row * a.columns + column];
      shared.sums[t / kSumColumns][t % kSumColumns] = sum;
    });
    block.threads([&](int t) {
      const std::int64_t column = block.x() * kSumColumns + t;
      if (t >= kSumColumns || column >= a.columns) return;
      float sum = 0;
      for (int lane = 0; lane < kSumLanes; ++lane) sum += shared.sums[lane][t];
      if (a.tail != nullptr && column >= a.tailAt)
        a.tail[column - a.tailAt] = sum;
      else
        a.out[block.y() * a.columns + column] = sum;
    });
  }
};

}  // namespace lab::gpu
