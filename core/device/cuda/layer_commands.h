// SPDX-License-Identifier: GPL-3.0-or-later
// Layers of any size as commands on a GPU's own memory: which kernels each layer needs, and how its sums are divided.
// gpu_commands.h has the dense layers, the loss and the optimizers, and the same rules. Nothing is executed here.
#pragma once

#include <cstdint>

#include "core/device/cuda/gpu_commands.h"
#include "core/device/cuda/layer_args.h"
#include "core/device/layer_backend.h"

namespace lab::gpu {

// GPU memory of one batch normalisation.
struct NormMemory {
  double* norm = nullptr;         // mean and 1 / σ of the batch (2, channels)
  float* coefficients = nullptr;  // (3, channels)
};

// The layer's variables of a batch normalisation; null for those that it lacks.
struct NormVariables {
  const float *gamma = nullptr, *beta = nullptr;
  float *movingMean = nullptr, *movingVariance = nullptr;
  double epsilon = 0, momentum = 0;
  bool moves = false;  // update the moving statistics in this step
};

class LayerCommands {
 public:
  // `scratch`: scratchFloats() of the largest layer, on the stream's GPU, aligned to 16 bytes.
  LayerCommands(CommandList& list, int stream, float* scratch) : list_(list), stream_(stream), scratch_(scratch) {}

  // These return how many scratch elements suffice for every operation on up to n examples.
  static std::int64_t convScratch(std::int64_t n, const LayerWindow& window, std::int64_t filters);
  static std::int64_t normScratch(std::int64_t channels);
  static std::int64_t layerNormScratch(std::int64_t rows) { return 4 * rows; }  // two doubles per row

  void gather(std::int64_t n, std::int64_t size, const std::uint8_t* pixels, const std::uint8_t* labels,
              const std::int32_t* indices, float* images, std::uint8_t* outLabels);

  // See LayerBackend. `mask`: the layer's input if relu made it; the gradient is then that of relu's input.
  void conv2d(std::int64_t n, const LayerWindow& window, std::int64_t filters, const float* x, const float* kernel,
              const float* bias, bool relu, float* y);
  void conv2dKernelGradient(std::int64_t n, const LayerWindow& window, std::int64_t filters, const float* x,
                            const float* dy, float* dKernel);
  void conv2dInputGradient(std::int64_t n, const LayerWindow& window, std::int64_t filters, const float* dy,
                           const float* kernel, const float* mask, float* dx);
  void denseInputGradient(std::int64_t n, std::int64_t in, std::int64_t out, const float* dy, const float* w,
                          const float* mask, float* dx);
  void maxPool(std::int64_t n, const LayerWindow& window, const float* x, float* y, std::uint16_t* winners);
  void maxPoolBackward(std::int64_t n, const LayerWindow& window, std::uint16_t* winners, const float* dy,
                       const float* mask, float* dx);
  void averagePool(std::int64_t n, const LayerWindow& window, const float* x, float* y);
  void averagePoolBackward(std::int64_t n, const LayerWindow& window, const float* dy, const float* mask, float* dx);
  void relu(std::int64_t size, const float* x, float* y);
  // Reads the mask's step and first place from `stepAndPlace`, on the GPU.
  void dropout(std::int64_t n, std::int64_t size, const DropoutMask& mask, const std::int64_t* stepAndPlace,
               const float* x, float* y);

  // For networks that are graphs; see LayerBackend.
  void depthwise(std::int64_t n, const LayerWindow& window, std::int64_t multiplier, const float* x,
                 const float* kernel, const float* bias, bool relu, float* y);
  void depthwiseKernelGradient(std::int64_t n, const LayerWindow& window, std::int64_t multiplier, const float* x,
                               const float* dy, float* dKernel);
  void depthwiseInputGradient(std::int64_t n, const LayerWindow& window, std::int64_t multiplier, const float* dy,
                              const float* kernel, float* dx);
  void clear(std::int64_t size, float* y);
  void add(std::int64_t size, const float* a, const float* b, float* y);
  void placeBlocks(const LayerBlocks& blocks, const float* dense, float* larger);
  void takeBlocks(const LayerBlocks& blocks, const float* larger, float* dense);
  // Null dy: forward pass.
  void activation(std::int64_t size, ActivationFunction function, double slope, const float* x, const float* dy,
                  float* out);
  void layerNorm(std::int64_t rows, std::int64_t channels, double epsilon, const float* x, const float* gamma,
                 const float* beta, float* y);
  void layerNormBackward(std::int64_t rows, std::int64_t channels, double epsilon, const float* x, const float* gamma,
                         const float* dy, float* dx, float* dGamma, float* dBeta);

  void crossEntropy(std::int64_t n, std::int64_t classes, const float* logits, const std::uint8_t* labels, float scale,
                    float* losses, std::uint8_t* predictions, float* dLogits);

  // For each channel of x (rows, channels), on the GPU: the sums of x and x², or of dy and dy·(x − mean).
  void sums(std::int64_t rows, std::int64_t channels, const float* x, const float* dy, const double* mean,
            ChannelSums* total);
  // A batch's own sums, which may still be in parts.
  struct Sums {
    const ChannelSums* parts = nullptr;  // (count, channels)
    std::int64_t count = 1;
    std::int64_t rows = 0;  // of all parts
  };
  Sums sumsInParts(std::int64_t rows, std::int64_t channels, const float* x, const float* dy, const double* mean);
  void normalize(const Sums& sums, std::int64_t rows, std::int64_t channels, const NormVariables& variables,
                 const NormMemory& memory, const float* x, float* y);
  void normalizeByMoving(std::int64_t rows, std::int64_t channels, const NormVariables& variables,
                         const NormMemory& memory, const float* x, float* y);
  void normGradients(const Sums& sums, std::int64_t channels, const NormMemory& memory, float* dGamma, float* dBeta);
  // Computes dx, and those gradients of the variables that are not null.
  void normInputGradient(const Sums& sums, std::int64_t rows, std::int64_t channels, const float* gamma,
                         const NormMemory& memory, const float* x, const float* dy, const float* mask, float* dGamma,
                         float* dBeta, float* dx);
  void scaleAndShift(std::int64_t rows, std::int64_t channels, const float* x, const float* factor, const float* term,
                     float* y);
  void combine(std::int64_t rows, std::int64_t channels, const float* dy, const float* a, const float* x,
               const float* b, const float* c, const float* mask, float* dx);

 private:
  template <typename Args>
  void elements(KernelId kernel, std::int64_t size, const Args& args);
  void pool(KernelId kernel, std::int64_t n, const LayerWindow& window, bool backward, PoolArgs args);

  CommandList& list_;
  int stream_;
  float* scratch_;
};

}  // namespace lab::gpu
