// SPDX-License-Identifier: GPL-3.0-or-later
// The small layers between the two large products, in one kernel, because launches dominate the time of a small batch.
#pragma once

#include "core/device/cuda/block.h"
#include "core/device/cuda/kernels.h"
#include "core/device/cuda/network_kernels.h"
#include "core/device/cuda/product_kernels.h"

namespace lab::gpu {

struct HeadKernel {
  using Args = HeadArgs;
  static constexpr int kRows = kHeadRows, kWidth = kHidden, kOutputs = kClasses;
  static constexpr int kThreads = kRows * kWidth;
  struct Registers {  // what the first reads fetch and later phases need
    float bias;
    int label;
  };
  struct Shared {
    float kernel[kWidth * kOutputs];
    float hidden[kRows][kWidth];
    float logits[kRows][kOutputs];
    float dLogits[kRows][kOutputs];
  };

  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared& shared) {
    typename Block::template PerThread<Registers> registers(block);
    const std::int64_t first = block.x() * kRows;
    block.threads([&](int t) {
      registers[t].bias = a.logitsBias[t % kOutputs];
      registers[t].label = t < kRows && first + t < a.n ? a.labels[first + t] : 0;
      for (int i = t; i < kWidth * kOutputs; i += kThreads) shared.kernel[i] = a.logitsKernel[i];
      const int row = t / kWidth, column = t % kWidth;
      if (first + row >= a.n) return;
      const std::int64_t element = (first + row) * kWidth + column;
      const float value = finished(sumOfSplits(a.partial, a.n * kWidth, element, a.splits, a.perGroup), a.hiddenBias,
                                   nullptr, true, element, column);
      shared.hidden[row][column] = value;
      a.hidden[element] = value;
    });
    block.threads([&](int t) {
      const int row = t / kOutputs, output = t % kOutputs;
      if (row >= kRows || first + row >= a.n) return;
      float sum = 0;
      for (int i = 0; i < kWidth; ++i)
        sum = multiplyAdd(shared.hidden[row][i], shared.kernel[i * kOutputs + output], sum);
      shared.logits[row][output] = sum + registers[t].bias;
    });
    block.threads([&](int t) {
      const std::int64_t n = first + t;
      if (t >= kRows || n >= a.n) return;
      crossEntropy(shared.logits[t], registers[t].label, a.scale, a.losses + n, a.predictions + n, shared.dLogits[t]);
    });
    block.threads([&](int t) {
      const int row = t / kWidth, column = t % kWidth;
      if (first + row >= a.n) return;
      float sum = 0;
      LAB_UNROLL for (int i = 0; i < kOutputs; ++i) sum =
          multiplyAdd(shared.dLogits[row][i], shared.kernel[column * kOutputs + i], sum);
      a.dHidden[(first + row) * kWidth + column] = shared.hidden[row][column] <= 0 ? 0 : sum;
      if (column < kOutputs) a.dLogits[(first + row) * kOutputs + column] = shared.dLogits[row][column];
    });
  }
};

}  // namespace lab::gpu
