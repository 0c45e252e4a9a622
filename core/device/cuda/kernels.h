// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels by name, with their arguments: a launch as plain values. Kernel bodies are in the headers *_kernels.h.
// Every member is eight bytes wide or has a neighbour that fills it up, because commands are compared byte by byte and
// must have no padding.
// Sums are float32, in an order that depends only on the arguments. No atomics, no TF32.
#pragma once

#include <cstdint>

#include "core/device/backend.h"

namespace lab::gpu {

enum class KernelId : std::uint16_t {
  Gather,
  ConvForward,
  ConvBackward,
  ProductForward,         // y = x·w
  ProductWeightGradient,  // dw = xᵀ·dy
  ProductInputGradient,   // dx = dy·wᵀ
  ProductForward32,       // the same in tiles of 32 or 16 rows
  ProductForward16,
  ProductInputGradient32,
  ProductInputGradient16,
  SumSplits,
  ColumnSums,
  ReluBackward,
  Softmax,
  Adam,
  Sgd,
  RoundToBfloat16,
  Add,
  Compare,
  Digest,
  Tally,
  Head,
  SmallGradients,
  // For layers of any size: layer_args.h.
  GatherImages,
  ConvProduct,        // y = patches·kernel
  NarrowConvProduct,  // the same in tiles of 128×32
  ConvKernelGradient,
  ConvInputGradient,
  NarrowConvInputGradient,
  MaxPool,
  MaxPoolBackward,
  AveragePool,
  AveragePoolBackward,
  Relu,
  Dropout,
  NormSums,
  NormTotal,
  NormForward,
  NormBackward,
  NormMoving,
  ScaleAndShift,
  Combine,
  CrossEntropy,
  // For networks that are graphs.
  SumOfTwo,
  Blocks,
  Activation,
  Depthwise,
  DepthwiseInputGradient,
  DepthwiseKernelGradient,
  LayerNorm,
  LayerNormBackward,
  LayerNormGradients,
};
inline constexpr int kKernels = 52;
inline constexpr std::int64_t kElementThreads = 256;  // of kernels with one thread per element

// Gathers examples `indices` of a data set on the device, as float32 in 0..1. One block per example.
struct GatherArgs {
  const std::uint8_t* pixels;  // (examples, 28, 28)
  const std::uint8_t* labels;  // (examples)
  const std::int32_t* indices;
  float* images;            // (n, 28, 28)
  std::uint8_t* outLabels;  // (n)
};

// A batch's images: float32 values, or, if `images` is null, examples `indices` of a data set on the device, whose
// bytes are read.
struct ImageSource {
  const float* images;  // (n, 28, 28) or null
  const std::uint8_t* pixels;
  const std::int32_t* indices;
};

inline constexpr std::int64_t kConvBlocksTogether = 3;  // on a multiprocessor
// One block per image.
struct ConvForwardArgs {
  ImageSource source;
  const float* kernel;  // (9, 32)
  const float* bias;    // (32)
  float* pooled;
  std::uint8_t* argmax;
  const std::uint8_t* labels;  // of the data set, or null
  std::uint8_t* outLabels;     // (n)
};

// One block per `imagesPerBlock` images; it writes a row of partial sums: nine taps, then the bias, for 32 filters.
inline constexpr std::int64_t kConvSums = (kKernelSide * kKernelSide + 1) * kFilters;
struct ConvBackwardArgs {
  ImageSource source;
  const std::uint8_t* argmax;
  const float* dPooledForKernel;
  const float* dPooled;
  float* partial;  // (blocks, 320)
  std::int64_t n;
  std::int64_t imagesPerBlock;
};

// c = a·b in tiles of 64 columns and at most 64 rows. The depth is cut into segments of kSegmentDepth. Each segment is
// one chain of multiply-adds, and a block adds its segments in order. Grid: columns, rows, splits.
inline constexpr std::int64_t kTile = 64, kTileDepth = 16, kSegmentDepth = 128;
struct ProductArgs {
  const float* a;
  const float* b;
  float* out;         // (rows, columns) where one block has the whole depth, with bias, relu and mask; else
                      // (splits, rows, columns), without
  const float* bias;  // (columns) or null
  const float* mask;  // (rows, columns) or null: 0 where it is not positive
  std::int64_t rows, columns, depth;
  std::int64_t segmentsPerBlock;
  std::int64_t relu;
};

// Adds the splits of a product in order, first within groups of `perGroup`; then bias, relu, mask. One thread per
// element.
struct SumSplitsArgs {
  const float* partial;
  float* out;
  const float* bias;
  const float* mask;
  std::int64_t size, columns;
  std::int64_t splits, perGroup;
  std::int64_t relu;
};

// Sums over rows, with one row of results for each `rowsPerBlock` rows. Columns from `tailAt` on go to `tail`, if it is
// not null. Grid: columns / 32, row blocks.
inline constexpr std::int64_t kSumColumns = 32, kSumLanes = 16;
struct ColumnSumsArgs {
  const float* in;  // (rows, columns)
  float* out;
  float* tail;
  std::int64_t tailAt;
  std::int64_t rows, columns;
  std::int64_t rowsPerBlock;
};

struct ReluBackwardArgs {
  const float* y;
  float* dy;
  std::int64_t size;
};

inline constexpr std::int64_t kSoftmaxThreads = 64;
struct SoftmaxArgs {
  const float* logits;
  const std::uint8_t* labels;
  float* losses;
  std::uint8_t* predictions;
  float* dLogits;  // or null
  std::int64_t n;
  float scale, unused;
};

// The learning rate changes with every step; reading it from memory keeps the launch the same.
struct AdamArgs {
  const float* gradient;
  float* m;
  float* v;
  float* weights;
  const float* learningRate;
  std::int64_t size;
  float complement1, complement2;  // 1 − β1, 1 − β2
  float epsilon, unused;
};

struct SgdArgs {
  const float* gradient;
  float* velocity;  // or null
  float* weights;
  const float* learningRate;
  std::int64_t size;
  float momentum, unused;
};

struct RoundArgs {
  const std::uint32_t* in;  // the bits of floats
  std::uint32_t* out;
  std::int64_t size;
};

struct AddArgs {
  const float* source;
  float* destination;
  std::int64_t size;
};

// Sets *differs = 1 if any bit differs, and otherwise does not write.
struct CompareArgs {
  const std::uint32_t* a;
  const std::uint32_t* b;
  std::uint32_t* differs;
  std::int64_t size;
};

// The sum of all words, each multiplied by an odd number of its own, modulo 2⁶⁴: buffers that differ in one word have
// different sums. Each block adds up a share.
inline constexpr int kDigestShares = 64;
struct DigestArgs {
  const std::uint32_t* words;
  std::uint64_t* sums;  // (kDigestShares)
  std::int64_t size;
};

// Loss sum and number of correct predictions of a shard, for the host to read. One block.
struct StepTally {
  double lossSum = 0;
  std::int64_t correct = 0;
};
struct TallyArgs {
  const float* losses;
  const std::uint8_t* predictions;
  const std::uint8_t* labels;
  StepTally* out;
  std::int64_t n;
};

// From the splits of the dense layer's product to the gradient of its results: the product's sum, bias and relu, the
// second dense layer, the loss, and the way back to `dHidden`, for four examples per block. The same arithmetic in the
// same order as SumSplits, ProductForward, Softmax, ProductInputGradient and ReluBackward, in one launch instead of
// five.
inline constexpr std::int64_t kHeadRows = 4;
struct HeadArgs {
  const float* partial;       // (splits, n, 64)
  const float* hiddenBias;    // (64)
  const float* logitsKernel;  // (64, 10)
  const float* logitsBias;    // (10)
  const std::uint8_t* labels;
  float* hidden;  // (n, 64)
  float* losses;
  std::uint8_t* predictions;
  float* dLogits;  // (n, 10)
  float* dHidden;  // (n, 64)
  std::int64_t n;
  std::int64_t splits, perGroup;
  float scale, unused;
};

// The small computations after the head: the second dense layer's gradients, the first one's bias gradient, the tally.
inline constexpr std::int64_t kMaxSumParts = 256;
struct SmallGradientsArgs {
  const float* hidden;   // (n, 64)
  const float* dLogits;  // (n, 10)
  const float* dHidden;  // (n, 64)
  const float* losses;
  const std::uint8_t* predictions;
  const std::uint8_t* labels;
  float* logitsKernel;  // (64, 10)
  float* logitsBias;    // (10)
  float* hiddenBias;    // (64)
  StepTally* tally;
  std::int64_t n;
  std::int64_t rowsPerSum;        // there are at most kMaxSumParts sums
  std::int64_t segmentsPerSplit;  // of kSegmentDepth examples
};

}  // namespace lab::gpu
