// SPDX-License-Identifier: GPL-3.0-or-later
// Convolutions of any size and their gradients: the products of product_kernels.h, with one operand read from images as
// the patches that the window covers. No patch is ever written to memory. A result's chain of multiply-adds follows the
// order of its depth, so a row has the same bits in any batch and in tiles of any shape.
#pragma once

#include "core/device/cuda/block.h"
#include "core/device/cuda/layer_args.h"
#include "core/device/cuda/product_kernels.h"

namespace lab::gpu {

LAB_DEVICE int divided(int number, std::uint32_t factor, std::uint32_t shift) {
  return static_cast<int>(static_cast<std::uint64_t>(static_cast<std::uint32_t>(number)) * factor >> shift);
}
LAB_DEVICE int divided(int number, const Divisor& by) {
  return divided(number, by.factor, by.shift);
}

enum class ConvResult { Forward, KernelGradient, InputGradient };

template <ConvResult result>
struct ConvOperands {
  using Args = ConvProductArgs;
  static constexpr bool kByInput = result == ConvResult::InputGradient,
                        kByKernel = result == ConvResult::KernelGradient;
  static constexpr bool kAAlongDepth = !kByKernel, kBAlongDepth = kByInput;
  const Args& args;
  bool aByFours, bByFours;

  LAB_DEVICE explicit ConvOperands(const Args& a)
      : args(a),
        aByFours(liesInFours(a.image, a.channels)),
        bByFours(liesInFours(a.b, kByInput ? a.channels : a.columns)) {}

  LAB_DEVICE int divide(int number, ConvShift by) const { return divided(number, args.factors[by], args.shifts[by]); }

  // A row of patches: its image, and where its window begins.
  struct Place {
    const float* image;
    int y, x;
  };
  LAB_DEVICE Place place(int row) const {
    const int example = divide(row, kByPlaces), rest = row - example * args.places;
    const int y = divide(rest, kByAcross), x = rest - y * args.placesAcross;
    const float* image = args.image + std::int64_t{example} * (args.height * args.width * args.channels);
    if (kByInput) return {image, y + args.padTop, x + args.padLeft};
    return {image, y * args.strideY - args.padTop, x * args.strideX - args.padLeft};
  }

  // Returns the address of a tap of a place's patch, or null outside the image. For the input's gradient: the address
  // of the output place that had this input place under this tap.
  LAB_DEVICE const float* tapOf(const Place& at, int index) const {
    const int tap = divide(index, kByChannels), channel = index - tap * args.channels;
    const int down = divide(tap, kByKernelWidth), right = tap - down * args.kernelWidth;
    int y = at.y + down, x = at.x + right;
    if (kByInput) {
      const int fromTop = at.y - down, fromLeft = at.x - right;
      if (fromTop < 0 || fromLeft < 0) return nullptr;
      y = divide(fromTop, kByStrideY);
      x = divide(fromLeft, kByStrideX);
      if (y * args.strideY != fromTop || x * args.strideX != fromLeft) return nullptr;
    }
    if (y < 0 || y >= args.height || x < 0 || x >= args.width) return nullptr;
    return at.image + ((y * args.width + x) * args.channels + channel);
  }

  // Reads four consecutive taps of one row of patches; 0 beyond `rows` and `taps`.
  LAB_DEVICE Four patch(int row, int tap, int rows, int taps) const {
    Four four = {};
    if (row >= rows) return four;
    const Place at = place(row);
    if (aByFours) {
      const float* from = tap < taps ? tapOf(at, tap) : nullptr;
      if (from != nullptr) four = *reinterpret_cast<const Four*>(from);
    } else {
      LAB_UNROLL for (int i = 0; i < 4; ++i) {
        const float* from = tap + i < taps ? tapOf(at, tap + i) : nullptr;
        if (from != nullptr) four.v[i] = *from;
      }
    }
    return four;
  }

  LAB_DEVICE Four a(int row, int depth, int end) const {
    if (kByKernel) return patch(depth, row, end, args.rows);
    return patch(row, depth, args.rows, end);
  }

  LAB_DEVICE Four b(int column, int depth, int end) const {
    if (!kByInput)
      return loadFour<false>(args.b, static_cast<std::uint32_t>(args.columns), args.columns, end, column, depth,
                             bByFours);
    // (tap, column, filter): four filters, which `image` has as channels.
    Four four = {};
    if (column >= args.columns) return four;
    const auto at = [&](int index) {
      const int tap = divide(index, kByChannels);
      return args.b + (std::int64_t{tap} * args.columns + column) * args.channels + (index - tap * args.channels);
    };
    if (bByFours) {
      if (depth < end) four = *reinterpret_cast<const Four*>(at(depth));
    } else {
      LAB_UNROLL for (int i = 0; i < 4; ++i) if (depth + i < end) four.v[i] = *at(depth + i);
    }
    return four;
  }

  // Rows use the grid's x, because there may be more of them than the other dimensions allow.
  template <typename Block>
  LAB_DEVICE static int rowTile(const Block& block) {
    return static_cast<int>(block.x());
  }
  template <typename Block>
  LAB_DEVICE static int columnTile(const Block& block) {
    return static_cast<int>(block.y());
  }
};

inline constexpr int kNarrowTall = 128, kNarrowWide = 32;
using ConvProductKernel = TiledProduct<ConvOperands<ConvResult::Forward>>;
using NarrowConvProductKernel = TiledProduct<ConvOperands<ConvResult::Forward>, kNarrowTall, kNarrowWide>;
using ConvKernelGradientKernel = TiledProduct<ConvOperands<ConvResult::KernelGradient>>;
using ConvInputGradientKernel = TiledProduct<ConvOperands<ConvResult::InputGradient>>;
using NarrowConvInputGradientKernel = TiledProduct<ConvOperands<ConvResult::InputGradient>, kNarrowTall, kNarrowWide>;

}  // namespace lab::gpu
