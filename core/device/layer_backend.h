// SPDX-License-Identifier: GPL-3.0-or-later
// The operations of layers of any size, in addition to those of backend.h, with the same rules: dense row-major float32
// arrays; results depend only on the arguments, never on the number of threads, and a row's result not on its place in
// the batch; n may be 0. The fast implementation is made here; tests compare it with the obvious loops of
// core/selftest/reference.h.
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

// Two sums over the examples of a batch, for one channel or one unit, in double.
struct ChannelSums {
  double first = 0, second = 0;
};

// The units that a training step drops: a function of the seed, the step, the layer, the example's place in the global
// batch and the unit.
struct DropoutMask {
  std::uint64_t seed = 0;
  std::int64_t step = 0;
  int layer = 0;
  std::int64_t globalOffset = 0;  // of the batch's first example
  double rate = 0;

  // Returns the factor of unit `unit` of this example: 0, or 1 / (1 − rate).
  float factor(std::int64_t example, std::int64_t unit) const;
  // Writes the factors of the units from `first` on.
  void factors(std::int64_t example, std::int64_t first, std::span<float> factors) const;
};

// A dense array (images, rows, count) as a part of a larger one, as Concatenate and ZeroPadding2D place their inputs.
struct LayerBlocks {
  std::int64_t images = 0, rows = 0, count = 0;
  // in the larger array, in floats: between images, between rows, before the first
  std::int64_t image = 0, row = 0, first = 0;

  std::int64_t size() const { return images * rows * count; }
};

class LayerBackend {
 public:
  virtual ~LayerBackend() = default;

  // x (n, H, W, C), kernel (kh, kw, C, F), bias (F) or null → y (n, OH, OW, F); then relu if set.
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

  // If fusesPooling: a convolution followed by 2×2 max pooling as one operation, which does not store the values in
  // between. winners: 0..3, or kNoGradient where relu cut. dPooled (n, OH / 2, OW / 2, F) → gradients as above.
  virtual bool fusesPooling(const LayerWindow&, std::int64_t /*filters*/) const { return false; }
  virtual void conv2dPool(std::int64_t, const LayerWindow&, std::int64_t /*filters*/, const float* /*x*/,
                          const float* /*kernel*/, const float* /*bias*/, bool /*relu*/, float* /*pooled*/,
                          std::uint8_t* /*winners*/) {
    throwBrokenInvariant("pooling that is not fused", __FILE__, __LINE__);
  }
  // Computes only those of dKernel, dBias and dx that are not null. dPooledForProducts: see
  // Backend::convReluPoolBackward.
  virtual void conv2dPoolBackward(std::int64_t, const LayerWindow&, std::int64_t /*filters*/, const float* /*x*/,
                                  const float* /*kernel*/, const std::uint8_t* /*winners*/,
                                  const float* /*dPooledForProducts*/, const float* /*dPooled*/, float* /*dKernel*/,
                                  float* /*dBias*/, float* /*dx*/) {
    throwBrokenInvariant("pooling that is not fused", __FILE__, __LINE__);
  }

  // x (n, H, W, C) → y (n, OH, OW, C); winners: the row-major position of the maximum in its window, the first of
  // equals. dx (n, H, W, C), overwritten.
  virtual void maxPool(std::int64_t n, const LayerWindow& window, const float* x, float* y, std::uint16_t* winners) = 0;
  virtual void maxPoolBackward(std::int64_t n, const LayerWindow& window, const std::uint16_t* winners, const float* dy,
                               float* dx) = 0;
  // The mean over the part of the window that lies inside the image.
  virtual void averagePool(std::int64_t n, const LayerWindow& window, const float* x, float* y) = 0;
  virtual void averagePoolBackward(std::int64_t n, const LayerWindow& window, const float* dy, float* dx) = 0;

  virtual void relu(std::int64_t size, const float* x, float* y) = 0;
  // y = x · mask, element by element, in both directions. (n, size)
  virtual void dropout(std::int64_t n, std::int64_t size, const DropoutMask& mask, const float* x, float* y) = 0;

  // Convolves each channel separately, into `multiplier` channels: x (n, H, W, C), kernel (kh, kw, C, m) → y (n, OH,
  // OW, C·m), the first channel's results first. Otherwise like conv2d and its gradients.
  virtual void depthwise(std::int64_t n, const LayerWindow& window, std::int64_t multiplier, const float* x,
                         const float* kernel, const float* bias, bool relu, float* y) = 0;
  virtual void depthwiseKernelGradient(std::int64_t n, const LayerWindow& window, std::int64_t multiplier,
                                       const float* x, const float* dy, float* dKernel) = 0;
  virtual void depthwiseInputGradient(std::int64_t n, const LayerWindow& window, std::int64_t multiplier,
                                      const float* dy, const float* kernel, float* dx) = 0;

  virtual void clear(std::int64_t size, float* y) = 0;                                // sets all of y to 0
  virtual void add(std::int64_t size, const float* a, const float* b, float* y) = 0;  // y may be a or b
  virtual void placeBlocks(const LayerBlocks& blocks, const float* dense, float* larger) = 0;
  virtual void takeBlocks(const LayerBlocks& blocks, const float* larger, float* dense) = 0;
  virtual void activation(std::int64_t size, ActivationFunction function, double slope, const float* x, float* y) = 0;
  virtual void activationGradient(std::int64_t size, ActivationFunction function, double slope, const float* x,
                                  const float* dy, float* dx) = 0;

  // y = (x − mean) / √(variance + ε) · gamma + beta over each row; gamma and beta (channels) may be null.
  virtual void layerNorm(std::int64_t rows, std::int64_t channels, double epsilon, const float* x, const float* gamma,
                         const float* beta, float* y) = 0;
  // Computes only those of dx, dGamma and dBeta that are not null; overwrites them.
  virtual void layerNormBackward(std::int64_t rows, std::int64_t channels, double epsilon, const float* x,
                                 const float* gamma, const float* dy, float* dx, float* dGamma, float* dBeta) = 0;

  // For any number of classes: like Backend::softmaxCrossEntropy, with logits and dLogits (n, classes).
  virtual void crossEntropy(std::int64_t n, std::int64_t classes, const float* logits, const std::uint8_t* labels,
                            float scale, float* losses, std::uint8_t* predictions, float* dLogits) = 0;

  // For each channel of x (rows, channels): the sums of x and of x².
  virtual void sums(std::int64_t rows, std::int64_t channels, const float* x, ChannelSums* sums) = 0;
  // For each channel: the sums of dy and of dy · (x − mean).
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
