// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments of the kernels for layers of any size, like those of the course network in kernels.h: plain values without
// padding. Layers and windows are those of layer_backend.h.
#pragma once

#include <cstdint>

#include "core/device/cuda/kernels.h"
#include "core/device/layer_backend.h"

namespace lab::gpu {

// Divides 0 … 2^31 − 1 by a number that is known at launch, with a product and a shift, because GPUs have no integer
// division.
struct Divisor {
  std::uint32_t factor;
  std::uint32_t shift;
};
inline Divisor divisorOf(std::int64_t number) {
  std::uint32_t bits = 0;
  while ((std::int64_t{1} << bits) < number) ++bits;
  const std::uint64_t shifted = std::uint64_t{1} << (31 + bits);
  return {static_cast<std::uint32_t>(shifted / static_cast<std::uint64_t>(number) + 1), 31 + bits};
}

// Gathers examples `indices` of a data set with images of any size. Each block handles kGatheredByBlock values of one
// example.
inline constexpr std::int64_t kGatheredByBlock = 1024;
struct GatherImagesArgs {
  const std::uint8_t* pixels;  // (examples, size)
  const std::uint8_t* labels;
  const std::int32_t* indices;
  float* images;  // (n, size)
  std::uint8_t* outLabels;
  std::int64_t size, blocksPerExample;
};

// A convolution as a product (kernels.h, ProductArgs) whose operand a is read from an image as patches. Grid: rows,
// columns, splits.
//   forward          y (n·places, filters)  = patches of x (n·places, taps) · kernel (taps, filters)
//   kernel gradient  dk (taps, filters)     = (patches of x)ᵀ · dy (n·places, filters)
//   input gradient   dx (n·H·W, channels)   = patches of dy (n·H·W, kh·kw·filters) · kernel, each tap transposed
struct ConvProductArgs {
  const float* image;  // x, or dy for the input's gradient
  const float* b;
  float* out;
  const float* bias;
  const float* mask;
  std::int32_t rows, columns, depth, segmentsPerBlock;
  std::int32_t relu;
  std::int32_t channels;       // of `image`
  std::int32_t places;         // rows of one example
  std::int16_t placesAcross;   // places side by side
  std::int16_t height, width;  // of `image`
  std::int16_t kernelWidth, strideY, strideX, padTop, padLeft;
  std::uint8_t shifts[8];    // of the divisors that ConvShift names
  std::uint32_t factors[7];  // of the same divisors
};
enum ConvShift { kByChannels, kByPlaces, kByAcross, kByKernelWidth, kByStrideY, kByStrideX };
static_assert(sizeof(ConvProductArgs) == 120);

// One thread per element of the result, kElementThreads per block; each block belongs to one example. Forward: `in` is
// x and `out` y; backward they are dy and dx.
struct PoolArgs {
  const float* in;
  float* out;
  std::uint16_t* winners;  // of MaxPool
  const float* mask;       // backward: (n, H, W, C) or null: dx is 0 where it is not positive
  std::int32_t size;       // of an example's result
  std::int32_t blocksPerExample;
  std::int32_t channels;
  std::int16_t inHeight, inWidth, outHeight, outWidth;
  std::int16_t height, width, strideY, strideX, padTop, padLeft;
  Divisor byChannels, byAcross, byStrideY, byStrideX;  // across: the result's width
};

struct ReluArgs {
  const float* x;
  float* y;
  std::int64_t size;
};

// y = x · mask, see DropoutMask::factor. Step and place change with every step, so they are read from memory.
struct DropoutArgs {
  const float* x;
  float* y;
  const std::int64_t* stepAndPlace;
  std::uint64_t seed;
  std::uint64_t threshold;  // in units of 2^-53: a unit whose number is below is dropped
  std::int64_t count;
  std::int64_t size;  // of an example
  float factor;
  std::int32_t layer;
};

// Softmax and cross-entropy of logits (n, classes), kLossExamples per block.
inline constexpr std::int64_t kMostLossClasses = 256, kLossExamples = 4;
struct CrossEntropyArgs {
  const float* logits;
  const std::uint8_t* labels;
  float* losses;
  std::uint8_t* predictions;
  float* dLogits;  // or null
  std::int64_t n, classes;
  float scale, unused;
};

// For each channel: the sums of x and x², or, with dy, of dy and dy·(x − mean). Grid: channels / kSumColumns, row
// blocks.
inline constexpr std::int64_t kNormLanes = 8;
struct NormSumsArgs {
  const float* x;
  const float* dy;       // or null
  const double* mean;    // with dy
  ChannelSums* partial;  // (row blocks, channels)
  std::int64_t rows, channels, rowsPerBlock;
};

// Adds up the parts: (parts, channels) → (channels).
struct NormTotalArgs {
  const ChannelSums* partial;
  ChannelSums* total;
  std::int64_t parts, channels;
};

// Computes from the sums of a batch with `count` values per channel: mean and 1/σ, the factor and the term for x, and
// the moving statistics.
struct NormForwardArgs {
  const ChannelSums* partial;  // (parts, channels)
  double* norm;                // mean (channels), then 1 / σ (channels)
  float* coefficients;         // factor (channels), then term (channels)
  const float* gamma;          // or null
  const float* beta;           // or null
  float* movingMean;           // or null: do not update them
  float* movingVariance;
  std::int64_t parts, channels;
  double count, epsilon;
  float keep, take;
};

// Computes from the sums of dy and dy·(x − mean): gradients of gamma and beta, and the coefficients of dx = dy·a + x·b
// + c.
struct NormBackwardArgs {
  const ChannelSums* partial;
  const double* norm;
  float* coefficients;  // a, b, c (channels each), or null
  const float* gamma;   // or null
  float* dGamma;        // or null
  float* dBeta;         // or null
  std::int64_t parts, channels;
  double count;
};

// Computes factor and term from moving statistics. One thread per channel.
struct NormMovingArgs {
  const float* mean;
  const float* variance;
  const float* gamma;
  const float* beta;
  float* coefficients;
  std::int64_t channels;
  double epsilon;
};

// y = x·factor + term; one thread per element.
struct ScaleAndShiftArgs {
  const float* x;
  const float* factor;
  const float* term;
  float* y;
  std::int64_t size, channels;
  Divisor byChannels;
};

// dx = dy·a + x·b + c.
struct CombineArgs {
  const float* dy;
  const float* x;
  const float* a;
  const float* b;
  const float* c;
  const float* mask;  // or null
  float* dx;
  std::int64_t size, channels;
  Divisor byChannels;
};

// For networks that are graphs. One thread per element of the result, unless stated otherwise.

struct SumOfTwoArgs {
  const float* a;
  const float* b;
  float* y;  // may be a or b
  std::int64_t size;
};

// LayerBlocks: copies between the dense array and its place in the larger one.
struct BlocksArgs {
  const float* from;
  float* to;
  std::int64_t size, count, rows;
  std::int64_t image, row, first;
  std::int64_t places;  // 1: into the larger array, 0: out of it
};

// y = f(x), or, with dy, dx = dy · f′(x).
struct ActivationArgs {
  const float* x;
  const float* dy;  // or null
  float* out;
  std::int64_t size;
  double slope;
  std::int64_t function;  // ActivationFunction
};

// Forward: in = x, out = y. Input's gradient: in = dy, out = dx. Kernel's gradient: in = x, `dy`, out = dKernel, with
// the threads of NormSums.
struct DepthwiseArgs {
  const float* in;
  const float* kernel;
  const float* bias;  // or null
  const float* dy;
  float* out;
  std::int64_t size;  // of the result
  std::int64_t n, multiplier, relu;
  std::int32_t channels, inHeight, inWidth, outHeight, outWidth;
  std::int32_t height, width, strideY, strideX, padTop, padLeft, unused;
};

// Rows of `channels` values each; one thread per row.
struct LayerNormArgs {
  const float* x;
  const float* gamma;  // or null
  const float* beta;   // or null
  const float* dy;     // null in the forward pass
  float* out;          // y, or dx, which may be null
  double* moments;     // backward: mean and 1 / σ (rows, 2)
  std::int64_t rows, channels;
  double epsilon;
};

// Gradients of gamma and beta, with the threads of NormSums.
struct LayerNormGradientsArgs {
  const float* x;
  const float* dy;
  const double* moments;
  float* dGamma;  // or null
  float* dBeta;   // or null
  std::int64_t rows, channels;
};

}  // namespace lab::gpu
