// SPDX-License-Identifier: GPL-3.0-or-later
// The small computations after the head, in one launch: the second dense layer's gradients, the first one's bias
// gradient, and the step's tally. Each block has one of these tasks, and none waits for another block, so no scratch is
// needed. Sums have the same order, and so the same bits, as in ProductWeightGradient with SumSplits, in ColumnSums,
// and in Tally.
#pragma once

#include "core/device/cuda/block.h"
#include "core/device/cuda/kernels.h"
#include "core/device/cuda/network_kernels.h"

namespace lab::gpu {

struct SmallGradientsKernel {
  using Args = SmallGradientsArgs;
  static constexpr int kThreads = TallyKernel::kThreads;
  static constexpr int kInputs = 4;          // hidden units per block of the weights' gradient
  static constexpr int kSegmentsAtOnce = 4;  // of kSegmentDepth examples
  static constexpr int kColumns = 8;         // per block that sums columns: 32 bytes of a row
  static constexpr int kPartsAtOnce = 8;     // of rowsPerSum examples
  static constexpr int kOutputs = kInputs * kClasses, kLanes = static_cast<int>(kSumLanes);
  static constexpr int kStagedRows = kSegmentsAtOnce * static_cast<int>(kSegmentDepth);
  static constexpr int kWeightBlocks = kHidden / kInputs, kHiddenBlocks = kHidden / kColumns,
                       kLogitBlocks = (kClasses + kColumns - 1) / kColumns;
  static constexpr int kBlocks = kWeightBlocks + kHiddenBlocks + kLogitBlocks + 1;
  static_assert(kSegmentsAtOnce * kOutputs <= kThreads && kHidden % kInputs == 0 && kHidden % kColumns == 0);

  struct Weights {
    Four hidden[kStagedRows];
    float dLogits[kStagedRows * kClasses];
    float sums[kSegmentsAtOnce][kOutputs];
  };
  struct Columns {
    float lanes[kPartsAtOnce][kLanes][kColumns];
    float parts[kMaxSumParts][kColumns];
    float again[kLanes][kColumns];
  };
  union Shared {
    Weights weights;
    Columns columns;
    TallyKernel::Shared tally;
  };

  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared& shared) {
    int task = static_cast<int>(block.x());
    if (task < kWeightBlocks) return weights(block, a, task * kInputs, shared.weights);
    task -= kWeightBlocks;
    if (task < kHiddenBlocks)
      return columns(block, a, a.dHidden, kHidden, task * kColumns, a.hiddenBias, shared.columns);
    task -= kHiddenBlocks;
    if (task < kLogitBlocks)
      return columns(block, a, a.dLogits, kClasses, task * kColumns, a.logitsBias, shared.columns);
    TallyKernel::run(block, TallyArgs{a.losses, a.predictions, a.labels, a.tally, a.n}, shared.tally);
  }

  // Rows from `input` on of the weights' gradient: one thread computes a segment's chain; segments and splits are added
  // in order.
  template <typename Block>
  LAB_DEVICE static void weights(Block& block, const Args& a, int input, Weights& shared) {
    struct Sums {
      float split, all;
    };
    typename Block::template PerThread<Sums> kept(block);
    block.threads([&](int t) { kept[t] = {0, 0}; });
    const int n = static_cast<int>(a.n), depth = static_cast<int>(kSegmentDepth);
    const int segments = (n + depth - 1) / depth, perSplit = static_cast<int>(a.segmentsPerSplit);
    for (int first = 0; first < segments; first += kSegmentsAtOnce) {
      const int row0 = first * depth, rows = n - row0 < kStagedRows ? n - row0 : kStagedRows;
      block.threads([&](int t) {
        for (int row = t; row < rows; row += kThreads)
          shared.hidden[row] = *reinterpret_cast<const Four*>(a.hidden + (row0 + row) * kHidden + input);
        for (int i = t; i < rows * kClasses; i += kThreads) shared.dLogits[i] = a.dLogits[row0 * kClasses + i];
      });
      block.threads([&](int t) {
        const int segment = t / kOutputs, i = t % kOutputs / kClasses, c = t % kClasses;
        if (segment >= kSegmentsAtOnce) return;
        const int begin = segment * depth, end = begin + depth < rows ? begin + depth : rows;
        float sum = 0;
        for (int row = begin; row < end; ++row)
          sum = multiplyAdd(shared.hidden[row].v[i], shared.dLogits[row * kClasses + c], sum);
        shared.sums[segment][t % kOutputs] = sum;
      });
      block.threads([&](int t) {
        if (t >= kOutputs) return;
        for (int segment = first; segment < first + kSegmentsAtOnce && segment < segments; ++segment) {
          kept[t].split += shared.sums[segment - first][t];
          if ((segment + 1) % perSplit != 0 && segment + 1 < segments) continue;
          kept[t].all = segments <= perSplit ? kept[t].split : kept[t].all + kept[t].split;
          kept[t].split = 0;
        }
      });
    }
    block.threads([&](int t) {
      if (t < kOutputs) a.logitsKernel[input * kClasses + t] = kept[t].all;
    });
  }

  // Sums the rows of `in` (n, width) for the columns from `column0` on: first within parts of rowsPerSum rows, then
  // over parts.
  template <typename Block>
  LAB_DEVICE static void columns(Block& block, const Args& a, const float* in, int width, int column0, float* out,
                                 Columns& shared) {
    const int n = static_cast<int>(a.n), perPart = static_cast<int>(a.rowsPerSum);
    const int parts = (n + perPart - 1) / perPart;
    for (int part0 = 0; part0 < parts; part0 += kPartsAtOnce) {
      block.threads([&](int t) {
        const int column = t % kColumns, lane = t / kColumns % kLanes;
        constexpr int kTogether = kThreads / (kColumns * kLanes);
        for (int i = t / (kColumns * kLanes); i < kPartsAtOnce && part0 + i < parts; i += kTogether) {
          const int begin = (part0 + i) * perPart, end = begin + perPart < n ? begin + perPart : n;
          float sum = 0;
          if (column0 + column < width)
            for (int row = begin + lane; row < end; row += kLanes) sum += in[row * width + column0 + column];
          shared.lanes[i][lane][column] = sum;
        }
      });
      block.threads([&](int t) {
        const int part = t / kColumns, column = t % kColumns;
        if (part >= kPartsAtOnce || part0 + part >= parts) return;
        float sum = 0;
        for (int lane = 0; lane < kLanes; ++lane) sum += shared.lanes[part][lane][column];
        shared.parts[part0 + part][column] = sum;
      });
    }
    block.threads([&](int t) {
      const int lane = t / kColumns, column = t % kColumns;
      if (lane >= kLanes) return;
      float sum = 0;
      for (int part = lane; part < parts; part += kLanes) sum += shared.parts[part][column];
      shared.again[lane][column] = sum;
    });
    block.threads([&](int t) {
      if (t >= kColumns || column0 + t >= width) return;
      float sum = 0;
      for (int lane = 0; lane < kLanes; ++lane) sum += shared.again[lane][t];
      out[column0 + t] = parts == 1 ? shared.parts[0][t] : sum;
    });
  }
};

}  // namespace lab::gpu
