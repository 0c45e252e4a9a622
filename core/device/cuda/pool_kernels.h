// SPDX-License-Identifier: GPL-3.0-or-later
// Pooling of any size, strides and padding, and its gradients: one thread computes each element of the result from all
// values that belong to it, in the order of the reference. No two threads add to the same element.
#pragma once

#include "core/device/cuda/block.h"
#include "core/device/cuda/conv_product_kernels.h"
#include "core/device/cuda/layer_args.h"

namespace lab::gpu {

// The part of a window inside the image, from `begin` to before `end`.
struct Inside {
  int begin, end;
};
LAB_DEVICE Inside insideOf(int start, int length, int extent) {
  return {start < 0 ? -start : 0, start + length > extent ? extent - start : length};
}

// Calls body(example, element of its result, row, column, channel).
template <typename Block, typename Body>
LAB_DEVICE void eachOfImage(Block& block, const PoolArgs& a, int across, const Body& body) {
  const std::int64_t example = block.x() / a.blocksPerExample;
  const int first = static_cast<int>(block.x() - example * a.blocksPerExample) * static_cast<int>(kElementThreads);
  block.threads([&](int t) {
    const int element = first + t;
    if (element >= a.size) return;
    const int place = divided(element, a.byChannels), channel = element - place * a.channels;
    const int y = divided(place, a.byAcross), x = place - y * across;
    body(example, element, y, x, channel);
  });
}

template <bool largest>
struct PoolKernel {
  using Args = PoolArgs;
  struct Shared {};
  static constexpr int kThreads = kElementThreads;

  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared&) {
    eachOfImage(block, a, a.outWidth, [&](std::int64_t example, int element, int y, int x, int channel) {
      const int top = y * a.strideY - a.padTop, left = x * a.strideX - a.padLeft;
      const Inside down = insideOf(top, a.height, a.inHeight), right = insideOf(left, a.width, a.inWidth);
      const float* image = a.in + example * (a.inHeight * a.inWidth * a.channels) + channel;
      float value = 0;
      int winner = -1;
      for (int dy = down.begin; dy < down.end; ++dy)
        for (int dx = right.begin; dx < right.end; ++dx) {
          const float here = image[((top + dy) * a.inWidth + left + dx) * a.channels];
          if (!largest) {
            value += here;
          } else if (winner < 0 || here > value) {
            value = here;
            winner = dy * a.width + dx;
          }
        }
      if (!largest) value /= static_cast<float>((down.end - down.begin) * (right.end - right.begin));
      a.out[example * a.size + element] = value;
      if (largest) a.winners[example * a.size + element] = static_cast<std::uint16_t>(winner);
    });
  }
};
using MaxPoolKernel = PoolKernel<true>;
using AveragePoolKernel = PoolKernel<false>;

// Computes an element of dx from all windows that contain it.
template <bool largest>
struct PoolBackwardKernel {
  using Args = PoolArgs;
  struct Shared {};
  static constexpr int kThreads = kElementThreads;

  // Returns the windows that cover `at`, counted from where the first one begins.
  LAB_DEVICE static Inside windowsOver(int at, int length, int stride, const Divisor& byStride, int windows) {
    const int last = divided(at, byStride);
    return {at < length ? 0 : divided(at - length + stride, byStride), last + 1 < windows ? last + 1 : windows};
  }

  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared&) {
    eachOfImage(block, a, a.inWidth, [&](std::int64_t example, int element, int y, int x, int channel) {
      const Inside down = windowsOver(y + a.padTop, a.height, a.strideY, a.byStrideY, a.outHeight);
      const Inside right = windowsOver(x + a.padLeft, a.width, a.strideX, a.byStrideX, a.outWidth);
      const std::int64_t image = example * (a.outHeight * a.outWidth * a.channels) + channel;
      float sum = 0;
      for (int oy = down.begin; oy < down.end; ++oy)
        for (int ox = right.begin; ox < right.end; ++ox) {
          const std::int64_t from = image + (oy * a.outWidth + ox) * a.channels;
          const int top = oy * a.strideY - a.padTop, left = ox * a.strideX - a.padLeft;
          if (largest) {
            if (a.winners[from] == (y - top) * a.width + x - left) sum += a.in[from];
          } else {
            const Inside v = insideOf(top, a.height, a.inHeight), h = insideOf(left, a.width, a.inWidth);
            sum += a.in[from] / static_cast<float>((v.end - v.begin) * (h.end - h.begin));
          }
        }
      const std::int64_t to = example * a.size + element;
      a.out[to] = a.mask != nullptr && a.mask[to] <= 0 ? 0 : sum;
    });
  }
};
using MaxPoolBackwardKernel = PoolBackwardKernel<true>;
using AveragePoolBackwardKernel = PoolBackwardKernel<false>;

}  // namespace lab::gpu
