// SPDX-License-Identifier: GPL-3.0-or-later
// Layers with one thread per element: a batch of images of any size, relu, dropout.
#pragma once

#include "core/device/cuda/block.h"
#include "core/device/cuda/element_kernels.h"
#include "core/device/cuda/layer_args.h"

namespace lab::gpu {

struct GatherImagesKernel {
  using Args = GatherImagesArgs;
  struct Shared {};
  static constexpr int kThreads = kElementThreads;

  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared&) {
    const std::int64_t n = block.x() / a.blocksPerExample, piece = block.x() - n * a.blocksPerExample;
    const std::int64_t example = a.indices[n], first = piece * kGatheredByBlock;
    const int count = static_cast<int>(a.size - first < kGatheredByBlock ? a.size - first : kGatheredByBlock);
    block.threads([&](int t) {
      const std::uint8_t* in = a.pixels + example * a.size + first;
      float* out = a.images + n * a.size + first;
      for (int i = t; i < count; i += kThreads) out[i] = static_cast<float>(in[i]) / 255.0F;
      if (piece == 0 && t == 0) a.outLabels[n] = a.labels[example];
    });
  }
};

struct ReluKernel {
  using Args = ReluArgs;
  struct Shared {};
  static constexpr int kThreads = kElementThreads;
  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared&) {
    eachElement(block, a.size, [&](std::int64_t i) { a.y[i] = a.x[i] <= 0 ? 0 : a.x[i]; });  // a NaN stays
  }
};

// Computes the same numbers as dropout_mask.cpp.
struct DropoutKernel {
  using Args = DropoutArgs;
  struct Shared {};
  static constexpr int kThreads = kElementThreads;

  LAB_DEVICE static std::uint64_t mixed(std::uint64_t bits, std::int64_t part) {
    bits += 0x9e3779b97f4a7c15ULL * (static_cast<std::uint64_t>(part) + 1);
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ULL;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebULL;
    return bits ^ (bits >> 31);
  }

  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared&) {
    eachElement(block, a.count, [&](std::int64_t i) {
      const std::int64_t example = i / a.size;
      std::uint64_t bits = mixed(mixed(a.seed, a.stepAndPlace[0]), a.layer);
      bits = mixed(mixed(bits, a.stepAndPlace[1] + example), i - example * a.size);
      a.y[i] = a.x[i] * (bits >> 11 < a.threshold ? 0.0F : a.factor);
    });
  }
};

}  // namespace lab::gpu
