// SPDX-License-Identifier: GPL-3.0-or-later
// A backend: the operations that a processor must offer to train the course network. This interface's fast
// implementation is here; the slow and obvious reference, which tests compare with, is core/selftest/reference.h. A
// backend is complete when it passes the operation tests. All arrays are dense, row-major, float32, in the backend's
// own memory; the comments give their sizes. Sums are float32. Every result depends only on the arguments, never on the
// number of threads; a row's result does not depend on its position in the batch. n may be 0 (an empty replica still
// executes its step): outputs summed over examples are then 0.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/thread_pool.h"

namespace lab {

// The course network's fixed sizes (see model/neural_network.h).
inline constexpr std::int64_t kImageSide = 28;
inline constexpr std::int64_t kImageSize = kImageSide * kImageSide;  // (28, 28, 1)
inline constexpr std::int64_t kKernelSide = 3;
inline constexpr std::int64_t kFilters = 32;
inline constexpr std::int64_t kPooledSide = 13;                                    // (28 - 3 + 1) / 2
inline constexpr std::int64_t kPooledSize = kPooledSide * kPooledSide * kFilters;  // 5408, order (h, w, c)
inline constexpr std::int64_t kHidden = 64;
inline constexpr std::int64_t kClasses = 10;

// argmax of a pooled cell: 0..3 is the row-major position of the maximum in its 2×2 window, the first of equals (as
// TensorFlow's MaxPoolGrad chooses); kNoGradient marks a cell whose maximum relu cut off.
inline constexpr std::uint8_t kNoGradient = 4;

struct AdamStep {
  float learningRate;  // already corrected for bias: lr·sqrt(1−β2^t)/(1−β1^t)
  float beta1, beta2, epsilon;
};

class LayerBackend;

class Backend {
 public:
  virtual ~Backend() = default;
  virtual LayerBackend* layers() { return nullptr; }  // layers of any size (layer_backend.h), or null if it has none
  virtual std::string_view name() const = 0;          // "reference", "cpu avx512", …

  // Conv2D(32, 3×3, valid) + bias + relu + MaxPool 2×2.
  // images (n, 28, 28), kernel (3, 3, 1, 32), bias (32) → pooled (n, 13, 13, 32), argmax (n, 13, 13, 32)
  virtual void convReluPool(std::int64_t n, const float* images, const float* kernel, const float* bias, float* pooled,
                            std::uint8_t* argmax) = 0;

  // images, argmax as above, dPooled (n, 13, 13, 32) → dKernel (3, 3, 1, 32), dBias (32), overwritten.
  // There is no gradient with respect to the images, because this is the first layer. dKernel is summed from
  // dPooledForKernel and dBias from dPooled, because bfloat16 rounds only the product's operand. Both may be the same
  // array.
  virtual void convReluPoolBackward(std::int64_t n, const float* images, const std::uint8_t* argmax,
                                    const float* dPooledForKernel, const float* dPooled, float* dKernel,
                                    float* dBias) = 0;

  // y = x·w + bias, then relu if `relu` is set. x (n, in), w (in, out), bias (out) or null → y (n, out)
  virtual void dense(std::int64_t n, std::int64_t in, std::int64_t out, const float* x, const float* w,
                     const float* bias, bool relu, float* y) = 0;

  // dw = xᵀ·dy, overwritten. x (n, in), dy (n, out) → dw (in, out)
  virtual void denseWeightGradient(std::int64_t n, std::int64_t in, std::int64_t out, const float* x, const float* dy,
                                   float* dw) = 0;
  // db = column sums of dy, overwritten. dy (n, out) → db (out)
  virtual void denseBiasGradient(std::int64_t n, std::int64_t out, const float* dy, float* db) = 0;
  // dx = dy·wᵀ, overwritten. dy (n, out), w (in, out) → dx (n, in)
  virtual void denseInputGradient(std::int64_t n, std::int64_t in, std::int64_t out, const float* dy, const float* w,
                                  float* dx) = 0;
  // Computes the two gradients above, with respect to w and to x. dx may be x, whose memory is then in the caches.
  virtual void denseGradients(std::int64_t n, std::int64_t in, std::int64_t out, const float* x, const float* dy,
                              const float* w, float* dw, float* dx) {
    denseWeightGradient(n, in, out, x, dy, dw);
    denseInputGradient(n, in, out, dy, w, dx);
  }
  // dy[i] = 0 where y[i] <= 0, in place. size elements
  virtual void reluBackward(std::int64_t size, const float* y, float* dy) = 0;

  // Sparse categorical cross-entropy from logits. logits (n, 10), labels (n) → losses (n), predictions (n; the first of
  // equal maxima); dLogits (n, 10) = scale · (softmax − one-hot), not written if dLogits is null (evaluation).
  virtual void softmaxCrossEntropy(std::int64_t n, const float* logits, const std::uint8_t* labels, float scale,
                                   float* losses, std::uint8_t* predictions, float* dLogits) = 0;

  // Keras's Adam, on flat buffers: m += (g−m)(1−β1); v += (g²−v)(1−β2); w −= learningRate·m/(√v+ε)
  virtual void adam(std::int64_t size, const AdamStep& step, const float* gradient, float* m, float* v,
                    float* weights) = 0;
  // Keras's SGD: with momentum, velocity = momentum·velocity − lr·g; w += velocity. Null velocity: w −= lr·g
  virtual void sgd(std::int64_t size, float learningRate, float momentum, const float* gradient, float* velocity,
                   float* weights) = 0;

  // out = in rounded to the nearest bfloat16, ties to even, stored as float. May be in place.
  virtual void roundToBfloat16(std::int64_t size, const float* in, float* out) = 0;
  // destination += source, element by element, so any division of the range gives the same bits.
  virtual void add(std::int64_t size, const float* source, float* destination) = 0;
  virtual void copy(std::int64_t size, const float* source, float* destination) = 0;
  // Returns whether two buffers hold the same bits.
  virtual bool identical(std::int64_t size, const float* a, const float* b) = 0;
};

// Makes the fast kernels, on `pool`, which must outlive the backend. Uses the best ISA of this processor, unless
// STRATEGYLAB_CPU_PATH names another one (baseline, avx2, avx512); an unknown or unsupported name is a UserError.
std::unique_ptr<Backend> makeCpuBackend(ThreadPool& pool);
std::unique_ptr<Backend> makeCpuBackend(ThreadPool& pool, std::string_view path);
std::vector<std::string> cpuIsas();  // what this machine can run, best first

}  // namespace lab
