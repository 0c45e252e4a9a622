// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels by name, with their arguments: what a launch is made of, as plain values. Kernel bodies are in the
// headers *_kernels.h. Every member is eight bytes wide or has a neighbour that makes it so: commands are compared
// byte by byte, so there must be no padding.
// Sums are float32 and in an order that the arguments alone decide. No atomics, no TF32.
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
  // Of layers of any size: layer_args.h.
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
  // Of graphs.
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
inline constexpr std::int64_t kElementThreads = 256;  // of the kernels with one thread an element

// Examples `indices` of a data set that lies on the device, as float32 in 0..1. One block an example.
struct GatherArgs {
  const std::uint8_t* pixels;  // (examples, 28, 28)
  const std::uint8_t* labels;  // (examples)
  const std::int32_t* indices;
  float* images;            // (n, 28, 28)
  std::uint8_t* outLabels;  // (n)
};

// A batch's images: as float32, or, without them, examples `indices` of a data set that lies on the device, of which
// bytes are read.
struct ImageSource {
  const float* images;  // (n, 28, 28) or null
  const std::uint8_t* pixels;
  const std::int32_t* indices;
};

inline constexpr std::int64_t kConvBlocksTogether = 3;  // on a multiprocessor
// One block an image.
struct ConvForwardArgs {
  ImageSource source;
  const float* kernel;  // (9, 32)
  const float* bias;    // (32)
  float* pooled;
  std::uint8_t* argmax;
  const std::uint8_t* labels;  // of the data set, or null
  std::uint8_t* outLabels;     // (n)
};

// One block for `imagesPerBlock` images, which writes a row of partial sums: nine taps, then the bias, of 32 filters.
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

// c = a·b in tiles of 64 columns and 64 rows, or fewer. The depth is cut into segments of kSegmentDepth; each is one
// chain of multiply-adds, and the segments of a block are added in order. Grid: columns, rows, splits.
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

// The splits of a product added in order, groups of `perGroup` first; then bias, relu, mask. One thread an element.
struct SumSplitsArgs {
  const float* partial;
  float* out;
  const float* bias;
  const float* mask;
  std::int64_t size, columns;
  std::int64_t splits, perGroup;
  std::int64_t relu;
};

// Sums over rows, one row of results for each `rowsPerBlock` rows. Columns from `tailAt` on go to `tail`, if there is
// one. Grid: columns / 32, row blocks.
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

// The learning rate changes with every step, so it is read from memory: the launch stays the same.
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

// *differs = 1 where a bit differs; left alone otherwise.
struct CompareArgs {
  const std::uint32_t* a;
  const std::uint32_t* b;
  std::uint32_t* differs;
  std::int64_t size;
};

// The sum of all words, each times an odd number of its own, modulo 2⁶⁴: buffers that differ in one word differ in it.
// Each block adds up a share.
inline constexpr int kDigestShares = 64;
struct DigestArgs {
  const std::uint32_t* words;
  std::uint64_t* sums;  // (kDigestShares)
  std::int64_t size;
};

// Loss sum and right predictions of a shard, for the host to read. One block.
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

// From the splits of the dense layer's product to the gradient of its results: its sum, bias and relu, the second dense
// layer, the loss, and the way back to `dHidden`, for four examples a block. The same arithmetic in the same order as
// SumSplits, ProductForward, Softmax, ProductInputGradient and ReluBackward, in one launch instead of five.
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

// What follows from the head and is small: the second dense layer's gradients, the first one's bias gradient, the
// tally.
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
  std::int64_t rowsPerSum;        // at most kMaxSumParts times
  std::int64_t segmentsPerSplit;  // of kSegmentDepth examples
};

}  // namespace lab::gpu
