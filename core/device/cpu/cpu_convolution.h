// SPDX-License-Identifier: GPL-3.0-or-later
// Convolutions of any size on the processor, optionally followed by 2×2 max pooling. Work is divided over examples, by
// sizes alone. A kernel's gradient is summed within pieces and then over the pieces, so bits never depend on threads.
#pragma once

#include <cstdint>

#include "core/base/ceil_divide.h"
#include "core/base/thread_pool.h"
#include "core/device/cpu/kernels.h"
#include "core/device/cpu/scratch.h"
#include "core/device/layer_backend.h"

namespace lab {

class CpuConvolution {
 public:
  CpuConvolution(ThreadPool& pool, const CpuKernels& kernels) : pool_(pool), kernels_(kernels) {}

  // See the operations of LayerBackend. `winners` is null without pooling.
  void forward(std::int64_t n, const LayerWindow& window, std::int64_t filters, const float* x, const float* kernel,
               const float* bias, bool relu, float* y, std::uint8_t* winners);
  void kernelGradient(std::int64_t n, const LayerWindow& window, std::int64_t filters, const float* x,
                      const OutputGradient& dy, float* dKernel);
  void inputGradient(std::int64_t n, const LayerWindow& window, std::int64_t filters, const OutputGradient& dy,
                     const float* kernel, float* dx);
  void biasGradient(std::int64_t rows, std::int64_t channels, const OutputGradient& dy, float* db);

 private:
  void addKernelGradient(Convolution of, const LayerWindow& window, const float* x, const OutputGradient& dy,
                         float* sums);
  void denseInputGradient(const LayerWindow& window, std::int64_t filters, std::int64_t n, const float* dy,
                          const float* reversed, float* dx);
  void addInputGradient(Convolution of, const LayerWindow& window, const OutputGradient& dy, const float* turned,
                        float* dx);

  // Calls task(first, count) for each run of `piece` elements (the last may be shorter) of `size`.
  template <typename Task>
  void inPieces(std::int64_t size, std::int64_t piece, const Task& task) {
    pool_.forEach(ceilDivide(size, piece),
                  [&](std::int64_t i) { task(i * piece, piece < size - i * piece ? piece : size - i * piece); });
  }

  ThreadPool& pool_;
  const CpuKernels& kernels_;
  Scratch scratch_;
};

}  // namespace lab
