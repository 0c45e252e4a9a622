// SPDX-License-Identifier: GPL-3.0-or-later
// The operations of layers of any size, beside those of backend.h, with the same rules: dense row-major float32
// arrays; results depend on the arguments alone, never on the number of threads, and a row's never on its place in the
// batch; n may be 0. Here is the fast one; the obvious loops, which
// judge, are core/selftest/reference.h.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/base/error.h"
#include "core/base/thread_pool.h"
#include "core/device/activation.h"

namespace lab {

// How the window of a convolution or of pooling walks over an image. Places outside the image count as 0 in a
// convolution, and not at all in pooling.
struct LayerWindow {
  std::int64_t inHeight = 0, inWidth = 0, channels = 0;
  std::int64_t height = 0, width = 0;  // of the window
  std::int64_t strideY = 1, strideX = 1;
  std::int64_t padTop = 0, padLeft = 0;
  std::int64_t outHeight = 0, outWidth = 0;

  std::int64_t inSize() const { return inHeight * inWidth * channels; }
  std::int64_t places() const { return outHeight * outWidth; }
  std::int64_t taps() const { return height * width * channels; }
};

// Of one channel, or one unit: sums over the examples of a batch, in double.
struct ChannelSums {
  double first = 0, second = 0;
};

// The units that a step of training leaves out: a function of the seed, the step, the layer, the example's place in the
// global batch and the unit.
struct DropoutMask {
  std::uint64_t seed = 0;
  std::int64_t step = 0;
  int layer = 0;
  std::int64_t globalOffset = 0;  // of the batch's first example
  double rate = 0;

  // What unit `unit` of the example at `place` is multiplied by: 0, or 1 / (1 − rate).
  float factor(std::int64_t example, std::int64_t unit) const;
  // Of the units from `first` on.
  void factors(std::int64_t example, std::int64_t first, std::span<float> factors) const;
};

// A dense array (images, rows, count) as a part of a larger one: where Concatenate and ZeroPadding2D put their inputs.
struct LayerBlocks {
  std::int64_t images = 0, rows = 0, count = 0;
  std::int64_t image = 0, row = 0, first = 0;  // floats in the larger: between images, between rows, before the first

  std::int64_t size() const { return images * rows * count; }
};

class LayerBackend {
 public:
  virtual ~LayerBackend() = default;

  // x (n, H, W, C), kernel (kh, kw, C, F), bias (F) or null → y (n, OH, OW, F); then relu if asked.
  virtual void conv2d(std::int64_t n, const LayerWindow& window, std::int64_t filters, const float* x,
                      const float* kernel, const float* bias, bool relu, float* y) = 0;
  // dKernel = sum of patchesᵀ·dy, overwritten. x and dy as above.
  virtual void conv2dKernelGradient(std::int64_t n, const LayerWindow& window, std::int64_t filters, const float* x,
                                    const float* dy, float* dKernel) = 0;
  // dx (n, H, W, C), overwritten.
  virtual void conv2dInputGradient(std::int64_t n, const LayerWindow& window, std::int64_t filters, const float* dy,
                                   const float* kernel, float* dx) = 0;
  // db (channels) = column sums of dy (rows, channels), overwritten.
  virtual void biasGradient(std::int64_t rows, std::int64_t channels, const float* dy, float* db) = 0;

  // A convolution and the maxima of 2×2 behind it as one operation, where fusesPooling: what is between them is stored
  // nowhere. winners: 0..3, or kNoGradient where relu cut. dPooled (n, OH / 2, OW / 2, F) → as the gradients above.
  virtual bool fusesPooling(const LayerWindow&, std::int64_t /*filters*/) const { return false; }
  virtual void conv2dPool(std::int64_t, const LayerWindow&, std::int64_t /*filters*/, const float* /*x*/,
                          const float* /*kernel*/, const float* /*bias*/, bool /*relu*/, float* /*pooled*/,
                          std::uint8_t* /*winners*/) {
    throwBrokenInvariant("pooling that is not fused", __FILE__, __LINE__);
  }
  // Of dKernel, dBias and dx only what is not null. dPooledForProducts: as in Backend::convReluPoolBackward.
  virtual void conv2dPoolBackward(std::int64_t, const LayerWindow&, std::int64_t /*filters*/, const float* /*x*/,
                                  const float* /*kernel*/, const std::uint8_t* /*winners*/,
                                  const float* /*dPooledForProducts*/, const float* /*dPooled*/, float* /*dKernel*/,
                                  float* /*dBias*/, float* /*dx*/) {
    throwBrokenInvariant("pooling that is not fused", __FILE__, __LINE__);
  }

  // x (n, H, W, C) → y (n, OH, OW, C); winners: the largest one's position in its window, row by row, the first of
  // equals. dx (n, H, W, C), overwritten.
  virtual void maxPool(std::int64_t n, const LayerWindow& window, const float* x, float* y, std::uint16_t* winners) = 0;
  virtual void maxPoolBackward(std::int64_t n, const LayerWindow& window, const std::uint16_t* winners, const float* dy,
                               float* dx) = 0;
  // The mean of what of the window lies inside the image.
  virtual void averagePool(std::int64_t n, const LayerWindow& window, const float* x, float* y) = 0;
  virtual void averagePoolBackward(std::int64_t n, const LayerWindow& window, const float* dy, float* dx) = 0;

  virtual void relu(std::int64_t size, const float* x, float* y) = 0;
  // y = x · mask, element by element; forwards and backwards alike. (n, size)
  virtual void dropout(std::int64_t n, std::int64_t size, const DropoutMask& mask, const float* x, float* y) = 0;

  // Each channel by itself, to `multiplier` of its own: x (n, H, W, C), kernel (kh, kw, C, m) → y (n, OH, OW, C·m), the
  // first channel's first. Otherwise as conv2d and its gradients.
  virtual void depthwise(std::int64_t n, const LayerWindow& window, std::int64_t multiplier, const float* x,
                         const float* kernel, const float* bias, bool relu, float* y) = 0;
  virtual void depthwiseKernelGradient(std::int64_t n, const LayerWindow& window, std::int64_t multiplier,
                                       const float* x, const float* dy, float* dKernel) = 0;
  virtual void depthwiseInputGradient(std::int64_t n, const LayerWindow& window, std::int64_t multiplier,
                                      const float* dy, const float* kernel, float* dx) = 0;

  virtual void clear(std::int64_t size, float* y) = 0;                                // all of it to 0
  virtual void add(std::int64_t size, const float* a, const float* b, float* y) = 0;  // y may be a or b
  virtual void placeBlocks(const LayerBlocks& blocks, const float* dense, float* larger) = 0;
  virtual void takeBlocks(const LayerBlocks& blocks, const float* larger, float* dense) = 0;
  virtual void activation(std::int64_t size, ActivationFunction function, double slope, const float* x, float* y) = 0;
  virtual void activationGradient(std::int64_t size, ActivationFunction function, double slope, const float* x,
                                  const float* dy, float* dx) = 0;

  // y = (x − mean) / √(variance + ε) · gamma + beta over each of the rows; gamma and beta (channels) may be null.
  virtual void layerNorm(std::int64_t rows, std::int64_t channels, double epsilon, const float* x, const float* gamma,
                         const float* beta, float* y) = 0;
  // Of dx, dGamma and dBeta only what is not null, overwritten.
  virtual void layerNormBackward(std::int64_t rows, std::int64_t channels, double epsilon, const float* x,
                                 const float* gamma, const float* dy, float* dx, float* dGamma, float* dBeta) = 0;

  // Of any number of classes: as Backend::softmaxCrossEntropy, with logits and dLogits (n, classes).
  virtual void crossEntropy(std::int64_t n, std::int64_t classes, const float* logits, const std::uint8_t* labels,
                            float scale, float* losses, std::uint8_t* predictions, float* dLogits) = 0;

  // Per channel of x (rows, channels): the sums of x and of x².
  virtual void sums(std::int64_t rows, std::int64_t channels, const float* x, ChannelSums* sums) = 0;
  // Per channel: the sums of dy and of dy · (x − mean).
  virtual void gradientSums(std::int64_t rows, std::int64_t channels, const float* x, const float* dy,
                            const double* mean, ChannelSums* sums) = 0;
  // y = x·factor + term, per channel; dx = dy·a + x·b + c, per channel.
  virtual void scaleAndShift(std::int64_t rows, std::int64_t channels, const float* x, const float* factor,
                             const float* term, float* y) = 0;
  virtual void combine(std::int64_t rows, std::int64_t channels, const float* dy, const float* a, const float* x,
                       const float* b, const float* c, float* dx) = 0;
};

struct CpuKernels;
std::unique_ptr<LayerBackend> makeCpuLayers(ThreadPool& pool, const CpuKernels& kernels);

}  // namespace lab
