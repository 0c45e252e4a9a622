// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/device/cuda/layer_commands.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/ceil_divide.h"
#include "core/base/error.h"
#include "core/data/dataset.h"

namespace lab::gpu {
namespace {

// Limits for the partial sums of a batch normalisation.
constexpr std::int64_t kMostNormParts = 256, kRowsPerNormPart = 256;
// Results with at most this many columns are computed in narrow tiles.
constexpr std::int64_t kNarrowColumns = 32, kNarrowRows = 128;
// A kernel's gradient has few results and long sums, so it gets at least this many blocks if the sum is long enough.
constexpr std::int64_t kGradientBlocks = 528, kMostGradientSplits = 256;
// From this number on, splits are added like columns, with many threads per result.
constexpr std::int64_t kManySplits = 32;

struct GradientSplits {
  std::int64_t count = 1, segmentsPerBlock = 1;
};
std::int64_t mostGradientSplits(std::int64_t segments, std::int64_t taps, std::int64_t filters) {
  const std::int64_t tiles = ceilDivide(taps, kTile) * ceilDivide(filters, kTile);
  const std::int64_t wanted = std::clamp<std::int64_t>(ceilDivide(kGradientBlocks, tiles), 1, kMostGradientSplits);
  return std::min(segments, wanted);
}
GradientSplits kernelGradientSplits(std::int64_t depth, std::int64_t taps, std::int64_t filters) {
  const std::int64_t segments = std::max<std::int64_t>(1, ceilDivide(depth, kSegmentDepth));
  const std::int64_t perBlock = ceilDivide(segments, mostGradientSplits(segments, taps, filters));
  return {ceilDivide(segments, perBlock), perBlock};
}

std::int16_t small(std::int64_t value) {
  LAB_CHECK(value >= 0 && value <= std::numeric_limits<std::int16_t>::max());
  return static_cast<std::int16_t>(value);
}
std::int32_t number(std::int64_t value) {
  LAB_CHECK(value >= 0 && value <= std::numeric_limits<std::int32_t>::max());
  return static_cast<std::int32_t>(value);
}
// With a stride longer than the whole image nothing is read beyond the first place, so the stride can be cut off.
std::int64_t strideOf(std::int64_t stride) {
  return std::min<std::int64_t>(stride, 16384);
}

void setDivisor(ConvProductArgs& args, ConvShift which, std::int64_t by) {
  const Divisor divisor = divisorOf(by);
  args.factors[which] = divisor.factor;
  args.shifts[which] = static_cast<std::uint8_t>(divisor.shift);
}

// `rows`: how many places of an example the result's rows (or the sum of the kernel's gradient) have; `across` of them
// lie side by side. The image has `channels`.
ConvProductArgs convArgs(const LayerWindow& w, std::int64_t places, std::int64_t across, std::int64_t height,
                         std::int64_t width, std::int64_t channels) {
  ConvProductArgs args{};
  args.channels = number(channels);
  args.places = number(places);
  args.placesAcross = small(across);
  args.height = small(height);
  args.width = small(width);
  args.kernelWidth = small(w.width);
  args.strideY = small(strideOf(w.strideY));
  args.strideX = small(strideOf(w.strideX));
  args.padTop = small(w.padTop);
  args.padLeft = small(w.padLeft);
  setDivisor(args, kByChannels, channels);
  setDivisor(args, kByPlaces, places);
  setDivisor(args, kByAcross, across);
  setDivisor(args, kByKernelWidth, w.width);
  setDivisor(args, kByStrideY, args.strideY);
  setDivisor(args, kByStrideX, args.strideX);
  return args;
}

}  // namespace

template <typename Args>
void LayerCommands::elements(KernelId kernel, std::int64_t size, const Args& args) {
  list_.launch(stream_, kernel, args, ceilDivide(size, kElementThreads));
}

std::int64_t LayerCommands::convScratch(std::int64_t n, const LayerWindow& w, std::int64_t filters) {
  // The most that any batch of up to n needs, not what a batch of n needs.
  const std::int64_t splits = mostGradientSplits(ceilDivide(n * w.places(), kSegmentDepth), w.taps(), filters);
  return std::max(splits * w.taps() * filters, scratchFloats(1, 1, filters));
}

std::int64_t LayerCommands::normScratch(std::int64_t channels) {
  return kMostNormParts * channels * std::int64_t{sizeof(ChannelSums) / sizeof(float)};
}

void LayerCommands::gather(std::int64_t n, std::int64_t size, const std::uint8_t* pixels, const std::uint8_t* labels,
                           const std::int32_t* indices, float* images, std::uint8_t* outLabels) {
  const std::int64_t blocks = ceilDivide(size, kGatheredByBlock);
  list_.launch(stream_, KernelId::GatherImages,
               GatherImagesArgs{pixels, labels, indices, images, outLabels, size, blocks}, n * blocks);
}

// ---- products

void LayerCommands::conv2d(std::int64_t n, const LayerWindow& w, std::int64_t filters, const float* x,
                           const float* kernel, const float* bias, bool relu, float* y) {
  ConvProductArgs args = convArgs(w, w.places(), w.outWidth, w.inHeight, w.inWidth, w.channels);
  args.image = x;
  args.b = kernel;
  args.out = y;
  args.bias = bias;
  args.rows = number(n * w.places());
  args.columns = number(filters);
  args.depth = number(w.taps());
  args.segmentsPerBlock = number(ceilDivide(w.taps(), kSegmentDepth));
  args.relu = relu ? 1 : 0;
  if (filters <= kNarrowColumns)
    list_.launch(stream_, KernelId::NarrowConvProduct, args, ceilDivide(args.rows, kNarrowRows));
  else
    list_.launch(stream_, KernelId::ConvProduct, args, ceilDivide(args.rows, kTile), ceilDivide(filters, kTile));
}

void LayerCommands::conv2dKernelGradient(std::int64_t n, const LayerWindow& w, std::int64_t filters, const float* x,
                                         const float* dy, float* dKernel) {
  const std::int64_t depth = n * w.places(), size = w.taps() * filters;
  const GradientSplits splits = kernelGradientSplits(depth, w.taps(), filters);
  ConvProductArgs args = convArgs(w, w.places(), w.outWidth, w.inHeight, w.inWidth, w.channels);
  args.image = x;
  args.b = dy;
  args.out = splits.count > 1 ? scratch_ : dKernel;
  args.rows = number(w.taps());
  args.columns = number(filters);
  args.depth = number(depth);
  args.segmentsPerBlock = number(splits.segmentsPerBlock);
  list_.launch(stream_, KernelId::ConvKernelGradient, args, ceilDivide(w.taps(), kTile), ceilDivide(filters, kTile),
               splits.count);
  if (splits.count == 1) return;
  if (splits.count < kManySplits)
    return elements(KernelId::SumSplits, size,
                    SumSplitsArgs{scratch_, dKernel, nullptr, nullptr, size, filters, splits.count, 1, 0});
  list_.launch(stream_, KernelId::ColumnSums,
               ColumnSumsArgs{scratch_, dKernel, nullptr, 0, splits.count, size, splits.count},
               ceilDivide(size, kSumColumns));
}

void LayerCommands::denseInputGradient(std::int64_t n, std::int64_t in, std::int64_t out, const float* dy,
                                       const float* w, const float* mask, float* dx) {
  launchDenseInputGradient(list_, stream_, scratch_, n, in, out, dy, w, mask, dx);
}

void LayerCommands::conv2dInputGradient(std::int64_t n, const LayerWindow& w, std::int64_t filters, const float* dy,
                                        const float* kernel, const float* mask, float* dx) {
  const std::int64_t depth = w.height * w.width * filters;
  ConvProductArgs args = convArgs(w, w.inHeight * w.inWidth, w.inWidth, w.outHeight, w.outWidth, filters);
  args.image = dy;
  args.b = kernel;
  args.out = dx;
  args.mask = mask;
  args.rows = number(n * w.inHeight * w.inWidth);
  args.columns = number(w.channels);
  args.depth = number(depth);
  args.segmentsPerBlock = number(ceilDivide(depth, kSegmentDepth));
  if (w.channels <= kNarrowColumns)
    list_.launch(stream_, KernelId::NarrowConvInputGradient, args, ceilDivide(args.rows, kNarrowRows));
  else
    list_.launch(stream_, KernelId::ConvInputGradient, args, ceilDivide(args.rows, kTile),
                 ceilDivide(w.channels, kTile));
}

// ---- pooling and elementwise operations

void LayerCommands::pool(KernelId kernel, std::int64_t n, const LayerWindow& w, bool backward, PoolArgs args) {
  const std::int64_t size = backward ? w.inSize() : w.places() * w.channels;
  args.size = number(size);
  args.blocksPerExample = number(ceilDivide(size, kElementThreads));
  args.channels = number(w.channels);
  args.inHeight = small(w.inHeight);
  args.inWidth = small(w.inWidth);
  args.outHeight = small(w.outHeight);
  args.outWidth = small(w.outWidth);
  args.height = small(w.height);
  args.width = small(w.width);
  args.strideY = small(strideOf(w.strideY));
  args.strideX = small(strideOf(w.strideX));
  args.padTop = small(w.padTop);
  args.padLeft = small(w.padLeft);
  args.byChannels = divisorOf(w.channels);
  args.byAcross = divisorOf(backward ? w.inWidth : w.outWidth);
  args.byStrideY = divisorOf(args.strideY);
  args.byStrideX = divisorOf(args.strideX);
  list_.launch(stream_, kernel, args, n * args.blocksPerExample);
}

void LayerCommands::maxPool(std::int64_t n, const LayerWindow& w, const float* x, float* y, std::uint16_t* winners) {
  PoolArgs args{};
  args.in = x;
  args.out = y;
  args.winners = winners;
  pool(KernelId::MaxPool, n, w, false, args);
}

void LayerCommands::maxPoolBackward(std::int64_t n, const LayerWindow& w, std::uint16_t* winners, const float* dy,
                                    const float* mask, float* dx) {
  PoolArgs args{};
  args.in = dy;
  args.out = dx;
  args.winners = winners;
  args.mask = mask;
  pool(KernelId::MaxPoolBackward, n, w, true, args);
}

void LayerCommands::averagePool(std::int64_t n, const LayerWindow& w, const float* x, float* y) {
  PoolArgs args{};
  args.in = x;
  args.out = y;
  pool(KernelId::AveragePool, n, w, false, args);
}

void LayerCommands::averagePoolBackward(std::int64_t n, const LayerWindow& w, const float* dy, const float* mask,
                                        float* dx) {
  PoolArgs args{};
  args.in = dy;
  args.out = dx;
  args.mask = mask;
  pool(KernelId::AveragePoolBackward, n, w, true, args);
}

void LayerCommands::relu(std::int64_t size, const float* x, float* y) {
  elements(KernelId::Relu, size, ReluArgs{x, y, size});
}

void LayerCommands::dropout(std::int64_t n, std::int64_t size, const DropoutMask& mask,
                            const std::int64_t* stepAndPlace, const float* x, float* y) {
  // uniform < rate, where uniform is a whole number divided by 2^53.
  const double threshold = std::ceil(mask.rate * 0x1.0p53);
  elements(KernelId::Dropout, n * size,
           DropoutArgs{x, y, stepAndPlace, mask.seed, static_cast<std::uint64_t>(threshold), n * size, size,
                       static_cast<float>(1 / (1 - mask.rate)), mask.layer});
}

void LayerCommands::crossEntropy(std::int64_t n, std::int64_t classes, const float* logits, const std::uint8_t* labels,
                                 float scale, float* losses, std::uint8_t* predictions, float* dLogits) {
  static_assert(kMostLossClasses == kMostClasses);
  LAB_CHECK(classes <= kMostLossClasses);
  list_.launch(stream_, KernelId::CrossEntropy,
               CrossEntropyArgs{logits, labels, losses, predictions, dLogits, n, classes, scale, 0},
               ceilDivide(n, kLossExamples));
}

// ---- graphs

namespace {

DepthwiseArgs depthwiseArgs(std::int64_t n, const LayerWindow& w, std::int64_t multiplier) {
  DepthwiseArgs args{};
  args.n = n;
  args.multiplier = multiplier;
  args.channels = number(w.channels);
  args.inHeight = number(w.inHeight);
  args.inWidth = number(w.inWidth);
  args.outHeight = number(w.outHeight);
  args.outWidth = number(w.outWidth);
  args.height = number(w.height);
  args.width = number(w.width);
  args.strideY = number(w.strideY);
  args.strideX = number(w.strideX);
  args.padTop = number(w.padTop);
  args.padLeft = number(w.padLeft);
  return args;
}

}  // namespace

void LayerCommands::depthwise(std::int64_t n, const LayerWindow& w, std::int64_t multiplier, const float* x,
                              const float* kernel, const float* bias, bool relu, float* y) {
  DepthwiseArgs args = depthwiseArgs(n, w, multiplier);
  args.in = x;
  args.kernel = kernel;
  args.bias = bias;
  args.relu = relu ? 1 : 0;
  args.out = y;
  args.size = n * w.places() * w.channels * multiplier;
  elements(KernelId::Depthwise, args.size, args);
}

void LayerCommands::depthwiseKernelGradient(std::int64_t n, const LayerWindow& w, std::int64_t multiplier,
                                            const float* x, const float* dy, float* dKernel) {
  DepthwiseArgs args = depthwiseArgs(n, w, multiplier);
  args.in = x;
  args.dy = dy;
  args.out = dKernel;
  args.size = w.taps() * multiplier;
  list_.launch(stream_, KernelId::DepthwiseKernelGradient, args, ceilDivide(args.size, kSumColumns));
}

void LayerCommands::depthwiseInputGradient(std::int64_t n, const LayerWindow& w, std::int64_t multiplier,
                                           const float* dy, const float* kernel, float* dx) {
  DepthwiseArgs args = depthwiseArgs(n, w, multiplier);
  args.dy = dy;
  args.kernel = kernel;
  args.out = dx;
  args.size = n * w.inSize();
  elements(KernelId::DepthwiseInputGradient, args.size, args);
}

void LayerCommands::clear(std::int64_t size, float* y) {
  if (size > 0) list_.clear(stream_, y, size * std::int64_t{sizeof(float)});
}

void LayerCommands::add(std::int64_t size, const float* a, const float* b, float* y) {
  elements(KernelId::SumOfTwo, size, SumOfTwoArgs{a, b, y, size});
}

void LayerCommands::placeBlocks(const LayerBlocks& b, const float* dense, float* larger) {
  elements(KernelId::Blocks, b.size(),
           BlocksArgs{dense, larger, b.size(), b.count, b.rows, b.image, b.row, b.first, 1});
}

void LayerCommands::takeBlocks(const LayerBlocks& b, const float* larger, float* dense) {
  elements(KernelId::Blocks, b.size(),
           BlocksArgs{larger, dense, b.size(), b.count, b.rows, b.image, b.row, b.first, 0});
}

void LayerCommands::activation(std::int64_t size, ActivationFunction function, double slope, const float* x,
                               const float* dy, float* out) {
  elements(KernelId::Activation, size, ActivationArgs{x, dy, out, size, slope, static_cast<std::int64_t>(function)});
}

void LayerCommands::layerNorm(std::int64_t rows, std::int64_t channels, double epsilon, const float* x,
                              const float* gamma, const float* beta, float* y) {
  elements(KernelId::LayerNorm, rows, LayerNormArgs{x, gamma, beta, nullptr, y, nullptr, rows, channels, epsilon});
}

void LayerCommands::layerNormBackward(std::int64_t rows, std::int64_t channels, double epsilon, const float* x,
                                      const float* gamma, const float* dy, float* dx, float* dGamma, float* dBeta) {
  auto* moments = reinterpret_cast<double*>(scratch_);
  elements(KernelId::LayerNormBackward, rows,
           LayerNormArgs{x, gamma, nullptr, dy, dx, moments, rows, channels, epsilon});
  list_.launch(stream_, KernelId::LayerNormGradients,
               LayerNormGradientsArgs{x, dy, moments, dGamma, dBeta, rows, channels},
               ceilDivide(channels, kSumColumns));
}

// ---- batch normalisation

LayerCommands::Sums LayerCommands::sumsInParts(std::int64_t rows, std::int64_t channels, const float* x,
                                               const float* dy, const double* mean) {
  const std::int64_t perPart = std::max(kRowsPerNormPart, ceilDivide(rows, kMostNormParts));
  const std::int64_t parts = std::max<std::int64_t>(1, ceilDivide(rows, perPart));
  auto* partial = reinterpret_cast<ChannelSums*>(scratch_);
  list_.launch(stream_, KernelId::NormSums, NormSumsArgs{x, dy, mean, partial, rows, channels, perPart},
               ceilDivide(channels, kSumColumns), parts);
  return {partial, parts, rows};
}

void LayerCommands::sums(std::int64_t rows, std::int64_t channels, const float* x, const float* dy, const double* mean,
                         ChannelSums* total) {
  const Sums parts = sumsInParts(rows, channels, x, dy, mean);
  list_.launch(stream_, KernelId::NormTotal, NormTotalArgs{parts.parts, total, parts.count, channels},
               ceilDivide(channels, kSumColumns));
}

void LayerCommands::normalize(const Sums& sums, std::int64_t rows, std::int64_t channels,
                              const NormVariables& variables, const NormMemory& memory, const float* x, float* y) {
  if (sums.rows == 0) return;
  const auto keep = static_cast<float>(variables.momentum), take = static_cast<float>(1 - variables.momentum);
  list_.launch(stream_, KernelId::NormForward,
               NormForwardArgs{sums.parts, memory.norm, memory.coefficients, variables.gamma, variables.beta,
                               variables.moves ? variables.movingMean : nullptr, variables.movingVariance, sums.count,
                               channels, static_cast<double>(sums.rows), variables.epsilon, keep, take},
               ceilDivide(channels, kSumColumns));
  scaleAndShift(rows, channels, x, memory.coefficients, memory.coefficients + channels, y);
}

void LayerCommands::normalizeByMoving(std::int64_t rows, std::int64_t channels, const NormVariables& variables,
                                      const NormMemory& memory, const float* x, float* y) {
  elements(KernelId::NormMoving, channels,
           NormMovingArgs{variables.movingMean, variables.movingVariance, variables.gamma, variables.beta,
                          memory.coefficients, channels, variables.epsilon});
  scaleAndShift(rows, channels, x, memory.coefficients, memory.coefficients + channels, y);
}

void LayerCommands::normGradients(const Sums& sums, std::int64_t channels, const NormMemory& memory, float* dGamma,
                                  float* dBeta) {
  list_.launch(stream_, KernelId::NormBackward,
               NormBackwardArgs{sums.parts, memory.norm, nullptr, nullptr, dGamma, dBeta, sums.count, channels, 1},
               ceilDivide(channels, kSumColumns));
}

void LayerCommands::normInputGradient(const Sums& sums, std::int64_t rows, std::int64_t channels, const float* gamma,
                                      const NormMemory& memory, const float* x, const float* dy, const float* mask,
                                      float* dGamma, float* dBeta, float* dx) {
  if (sums.rows == 0) return normGradients(sums, channels, memory, dGamma, dBeta);
  list_.launch(stream_, KernelId::NormBackward,
               NormBackwardArgs{sums.parts, memory.norm, memory.coefficients, gamma, dGamma, dBeta, sums.count,
                                channels, static_cast<double>(sums.rows)},
               ceilDivide(channels, kSumColumns));
  const float* c = memory.coefficients;
  combine(rows, channels, dy, c, x, c + channels, c + 2 * channels, mask, dx);
}

void LayerCommands::scaleAndShift(std::int64_t rows, std::int64_t channels, const float* x, const float* factor,
                                  const float* term, float* y) {
  const std::int64_t size = number(rows * channels);
  elements(KernelId::ScaleAndShift, size, ScaleAndShiftArgs{x, factor, term, y, size, channels, divisorOf(channels)});
}

void LayerCommands::combine(std::int64_t rows, std::int64_t channels, const float* dy, const float* a, const float* x,
                            const float* b, const float* c, const float* mask, float* dx) {
  const std::int64_t size = number(rows * channels);
  elements(KernelId::Combine, size, CombineArgs{dy, x, a, b, c, mask, dx, size, channels, divisorOf(channels)});
}

}  // namespace lab::gpu
