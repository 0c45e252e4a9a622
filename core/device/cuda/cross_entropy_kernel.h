// SPDX-License-Identifier: GPL-3.0-or-later
// Loss, prediction and gradient for any number of classes; networks with ten classes have a kernel with one thread per
// example (network_kernels.h). Here a few threads share an example, and each handles every thirty-second class.
#pragma once

#include "core/device/cuda/block.h"
#include "core/device/cuda/layer_args.h"

namespace lab::gpu {

struct CrossEntropyKernel {
  using Args = CrossEntropyArgs;
  static constexpr int kExamples = static_cast<int>(kLossExamples), kLanes = 32;
  static constexpr int kThreads = kExamples * kLanes;
  struct Shared {
    float highest[kExamples][kLanes], sums[kExamples][kLanes];
    int best[kExamples][kLanes];  // class; -1: the lane has none
    float powers[kExamples][kMostLossClasses];
  };

  // Calls body(example in the block, lane, example) for all existing examples.
  template <typename Block, typename Body>
  LAB_DEVICE static void each(Block& block, const Args& a, const Body& body) {
    block.threads([&](int t) {
      const std::int64_t n = block.x() * kExamples + t / kLanes;
      if (n < a.n) body(t / kLanes, t % kLanes, n);
    });
  }

  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared& shared) {
    const int classes = static_cast<int>(a.classes);
    each(block, a, [&](int e, int lane, std::int64_t n) {
      const float* row = a.logits + n * a.classes;
      float highest = 0;
      int best = -1;
      for (int c = lane; c < classes; c += kLanes)
        if (best < 0 || row[c] > highest) {
          highest = row[c];
          best = c;
        }
      shared.highest[e][lane] = highest;
      shared.best[e][lane] = best;
    });
    // Takes the first of equal maxima, which another lane may have.
    each(block, a, [&](int e, int lane, std::int64_t) {
      if (lane != 0) return;
      float highest = shared.highest[e][0];
      int best = shared.best[e][0];
      for (int i = 1; i < kLanes && shared.best[e][i] >= 0; ++i) {
        const float other = shared.highest[e][i];
        if (other > highest || (other == highest && shared.best[e][i] < best)) {
          highest = other;
          best = shared.best[e][i];
        }
      }
      shared.highest[e][0] = highest;
      shared.best[e][0] = best;
    });
    each(block, a, [&](int e, int lane, std::int64_t n) {
      const float *row = a.logits + n * a.classes, highest = shared.highest[e][0];
      float sum = 0;
      for (int c = lane; c < classes; c += kLanes) {
        const float power = expf(row[c] - highest);
        shared.powers[e][c] = power;
        sum += power;
      }
      shared.sums[e][lane] = sum;
    });
    each(block, a, [&](int e, int lane, std::int64_t n) {
      if (lane != 0) return;
      float sum = 0;
      for (int i = 0; i < kLanes; ++i) sum += shared.sums[e][i];
      shared.sums[e][0] = sum;
      const int label = a.labels[n];
      const float chosen = label < classes ? a.logits[n * a.classes + label] - shared.highest[e][0] : 0;
      a.losses[n] = logf(sum) - chosen;
      a.predictions[n] = static_cast<std::uint8_t>(shared.best[e][0]);
    });
    if (a.dLogits == nullptr) return;
    each(block, a, [&](int e, int lane, std::int64_t n) {
      const int label = a.labels[n];
      float* d = a.dLogits + n * a.classes;
      for (int c = lane; c < classes; c += kLanes)
        d[c] = a.scale * (shared.powers[e][c] / shared.sums[e][0] - (c == label ? 1.0F : 0.0F));
    });
  }
};

}  // namespace lab::gpu
