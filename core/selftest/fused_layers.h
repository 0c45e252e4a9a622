// SPDX-License-Identifier: GPL-3.0-or-later
// Operations that a GPU fuses and the processor does in several, for the cases that compare them (layer_cases.cpp).
// Rules and arrays are those of layer_backend.h; `mask` is the layer's input if relu made it, or null: a gradient is 0
// where the mask is not positive.
#pragma once

#include <cstdint>
#include <memory>

#include "core/device/backend.h"
#include "core/device/layer_backend.h"

namespace lab {

// A batch normalisation of values (rows, channels).
struct BatchNormOf {
  std::int64_t rows = 0, channels = 0;
  const float *gamma = nullptr, *beta = nullptr;  // or null
  double epsilon = 0, momentum = 0;
};

// The course network after its convolution, and the gradients of its small variables; sizes as in backend.h.
struct CourseHead {
  const float *x = nullptr, *kernel = nullptr, *bias = nullptr, *logitsKernel = nullptr, *logitsBias = nullptr;
  const std::uint8_t* labels = nullptr;
  float scale = 0;
  float *hidden = nullptr, *losses = nullptr, *dLogits = nullptr, *dHidden = nullptr;
  std::uint8_t* predictions = nullptr;
  float *dBias = nullptr, *dLogitsKernel = nullptr, *dLogitsBias = nullptr;
  double lossSum = 0;  // this and `correct` are results
  std::int64_t correct = 0;
};

class FusedLayers {
 public:
  virtual ~FusedLayers() = default;

  // Gathers from a data set of `examples` with `size` pixels each the n that `indices` names, as float32 in 0..1.
  virtual void gather(std::int64_t n, std::int64_t size, std::int64_t examples, const std::uint8_t* pixels,
                      const std::uint8_t* labels, const std::int32_t* indices, float* images,
                      std::uint8_t* outLabels) = 0;
  // The same for the course network's images.
  virtual void courseGather(std::int64_t n, std::int64_t examples, const std::uint8_t* pixels,
                            const std::uint8_t* labels, const std::int32_t* indices, float* images,
                            std::uint8_t* outLabels) = 0;

  virtual void conv2dInputGradient(std::int64_t n, const LayerWindow& window, std::int64_t filters, const float* dy,
                                   const float* kernel, const float* mask, float* dx) = 0;
  virtual void denseInputGradient(std::int64_t n, std::int64_t in, std::int64_t out, const float* dy, const float* w,
                                  const float* mask, float* dx) = 0;
  virtual void maxPoolBackward(std::int64_t n, const LayerWindow& window, const std::uint16_t* winners, const float* dy,
                               const float* mask, float* dx) = 0;
  virtual void averagePoolBackward(std::int64_t n, const LayerWindow& window, const float* dy, const float* mask,
                                   float* dx) = 0;

  virtual void courseHead(std::int64_t n, CourseHead& head) = 0;

  // Computes a step's results, and the digest for comparing copies of the variables, over the floats' words.
  virtual void tally(std::int64_t n, const float* losses, const std::uint8_t* predictions, const std::uint8_t* labels,
                     double* lossSum, std::int64_t* correct) = 0;
  virtual std::uint64_t digest(std::int64_t size, const float* values) = 0;

  // Normalises by the batch's own statistics, which are written to `norm`: mean and 1 / σ (2, channels). Also updates
  // the moving ones, unless they are null. Without rows, nothing is written.
  virtual void normalize(const BatchNormOf& of, const float* x, float* y, double* norm, float* movingMean,
                         float* movingVariance) = 0;
  virtual void normalizeByMoving(const BatchNormOf& of, const float* movingMean, const float* movingVariance,
                                 const float* x, float* y) = 0;
  // Writes those of dGamma, dBeta and dx that are not null.
  virtual void normalizeBackward(const BatchNormOf& of, const double* norm, const float* x, const float* dy,
                                 const float* mask, float* dGamma, float* dBeta, float* dx) = 0;
};

// A LayerBackend that has fused operations of its own.
class WithFusedLayers {
 public:
  virtual ~WithFusedLayers() = default;
  virtual FusedLayers& fused() = 0;
};

// Composes the fused operations from `backend`'s, which must outlive the result.
std::unique_ptr<FusedLayers> composeLayers(Backend& backend);

}  // namespace lab
