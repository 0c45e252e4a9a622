// SPDX-License-Identifier: GPL-3.0-or-later
// Matrix products of the dense layers, and the sums that finish them.
// A block computes 64×64 results with 128 threads, 8×4 each, over tiles 16 deep that pass through shared memory while
// the next one is on its way to registers. The depth is cut into segments whose sums are added in a fixed order, so a
// small batch can give each segment a block of its own and a large one a block many: the bits are the same.
#pragma once

#include "core/device/cuda/block.h"
#include "core/device/cuda/kernels.h"

namespace lab::gpu {

// Bias, relu and mask, as the reference applies them.
LAB_DEVICE float finished(float value, const float* bias, const float* mask, bool relu, std::int64_t element,
                          std::int64_t column) {
  if (bias != nullptr) value += bias[column];
  if (relu && value <= 0) value = 0;
  if (mask != nullptr && mask[element] <= 0) value = 0;
  return value;
}

// How the operands lie: a (rows, depth) or its transpose, b (depth, columns) or its transpose.
template <bool aTransposed, bool bTransposed>
struct ProductKernel {
  using Args = ProductArgs;
  static constexpr int kThreads = 128, kSide = kTile, kDepth = kTileDepth;
  static constexpr int kBlocksTogether = 3;  // on a multiprocessor at least: 168 registers a thread, and none spilled
  static constexpr int kRows = 8, kColumns = 4;             // of a thread
  static constexpr int kAcross = kSide / kColumns;          // threads side by side
  static constexpr int kLoads = kSide * kDepth / kThreads;  // elements of each tile that a thread moves
  static constexpr int kTilesPerSegment = kSegmentDepth / kDepth;
  static_assert(kThreads == kAcross * (kSide / kRows) && kSegmentDepth % kDepth == 0);

  struct Shared {
    Four a[kDepth][kSide / 4 + 1];
    Four b[kDepth][kSide / 4 + 1];
  };
  struct Registers {
    float a[kLoads], b[kLoads];     // the next tile
    float sums[kRows][kColumns];    // of the segment
    float totals[kRows][kColumns];  // of the block
  };

  // Element i of a thread's share of a tile: neighbours in memory go to neighbouring threads.
  LAB_DEVICE static int depthOf(int element, bool alongDepth) {
    return alongDepth ? element % kDepth : element / kSide;
  }
  LAB_DEVICE static int sideOf(int element, bool alongDepth) { return alongDepth ? element / kDepth : element % kSide; }

  LAB_DEVICE static void fetch(const Args& a, std::int64_t row0, std::int64_t column0, std::int64_t depth0, int t,
                               Registers& r) {
    LAB_UNROLL for (int i = 0; i < kLoads; ++i) {
      const int element = t + i * kThreads;
      const std::int64_t row = row0 + sideOf(element, !aTransposed), aDepth = depth0 + depthOf(element, !aTransposed);
      const std::int64_t column = column0 + sideOf(element, bTransposed),
                         bDepth = depth0 + depthOf(element, bTransposed);
      r.a[i] = row < a.rows && aDepth < a.depth ? a.a[aTransposed ? aDepth * a.rows + row : row * a.depth + aDepth] : 0;
      r.b[i] = column < a.columns && bDepth < a.depth
                   ? a.b[bTransposed ? column * a.depth + bDepth : bDepth * a.columns + column]
                   : 0;
    }
  }

  LAB_DEVICE static void store(int t, const Registers& r, Shared& shared) {
    LAB_UNROLL for (int i = 0; i < kLoads; ++i) {
      const int element = t + i * kThreads;
      const int row = sideOf(element, !aTransposed), column = sideOf(element, bTransposed);
      shared.a[depthOf(element, !aTransposed)][row / 4].v[row % 4] = r.a[i];
      shared.b[depthOf(element, bTransposed)][column / 4].v[column % 4] = r.b[i];
    }
  }

  LAB_DEVICE static void multiply(int t, const Shared& shared, Registers& r) {
    const int down = t / kAcross, across = t % kAcross;
    LAB_UNROLL for (int d = 0; d < kDepth; ++d) {
      const Four upper = shared.a[d][2 * down], lower = shared.a[d][2 * down + 1], b = shared.b[d][across];
      LAB_UNROLL for (int row = 0; row < kRows; ++row) {
        const float a = row < 4 ? upper.v[row % 4] : lower.v[row % 4];
        LAB_UNROLL for (int column = 0; column < kColumns; ++column) r.sums[row][column] =
            multiplyAdd(a, b.v[column], r.sums[row][column]);
      }
    }
  }

  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared& shared) {
    typename Block::template PerThread<Registers> registers(block);
    const std::int64_t column0 = block.x() * kSide, row0 = block.y() * kSide;
    const std::int64_t begin = block.z() * a.segmentsPerBlock * kSegmentDepth;
    const std::int64_t limit = begin + a.segmentsPerBlock * kSegmentDepth;
    const std::int64_t end = limit < a.depth ? limit : a.depth;
    block.threads([&](int t) {
      Registers& r = registers[t];
      LAB_UNROLL for (int row = 0; row < kRows; ++row) LAB_UNROLL for (int column = 0; column < kColumns; ++column) {
        r.sums[row][column] = 0;
        r.totals[row][column] = 0;
      }
      fetch(a, row0, column0, begin, t, r);
    });
    int tileOfSegment = 0;
    for (std::int64_t depth = begin; depth < end; depth += kDepth) {
      block.threads([&](int t) { store(t, registers[t], shared); });
      const bool segmentEnds = ++tileOfSegment == kTilesPerSegment || depth + kDepth >= end;
      if (segmentEnds) tileOfSegment = 0;
      block.threads([&](int t) {
        Registers& r = registers[t];
        if (depth + kDepth < end) fetch(a, row0, column0, depth + kDepth, t, r);
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
      LAB_UNROLL for (int i = 0; i < kRows; ++i) LAB_UNROLL for (int j = 0; j < kColumns; ++j) {
        const std::int64_t row = row0 + t / kAcross * kRows + i, column = column0 + t % kAcross * kColumns + j;
        if (row >= a.rows || column >= a.columns) continue;
        const std::int64_t element = row * a.columns + column;
        out[element] = whole ? finished(r.totals[i][j], a.bias, a.mask, a.relu != 0, element, column) : r.totals[i][j];
      }
    });
  }
};
using ProductForwardKernel = ProductKernel<false, false>;
using ProductWeightGradientKernel = ProductKernel<true, false>;
using ProductInputGradientKernel = ProductKernel<false, true>;

// One element of a product from its splits.
LAB_DEVICE float sumOfSplits(const float* partial, std::int64_t size, std::int64_t element, std::int64_t splits,
                             std::int64_t perGroup) {
  float total = 0;
  for (std::int64_t group = 0; group < splits; group += perGroup) {
    const std::int64_t end = group + perGroup < splits ? group + perGroup : splits;
    float sum = 0;
    for (std::int64_t split = group; split < end; ++split) sum += partial[split * size + element];
    total += sum;
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
