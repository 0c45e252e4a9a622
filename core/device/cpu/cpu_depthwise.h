// SPDX-License-Identifier: GPL-3.0-or-later
// Depthwise convolutions (each channel separately) on the processor. Arguments as in LayerBackend.
#pragma once

#include <cstdint>

#include "core/base/thread_pool.h"
#include "core/device/layer_backend.h"

namespace lab {

class CpuDepthwise {
 public:
  explicit CpuDepthwise(ThreadPool& pool) : pool_(pool) {}

  void forward(std::int64_t n, const LayerWindow& window, std::int64_t multiplier, const float* x, const float* kernel,
               const float* bias, bool relu, float* y);
  void kernelGradient(std::int64_t n, const LayerWindow& window, std::int64_t multiplier, const float* x,
                      const float* dy, float* dKernel);
  void inputGradient(std::int64_t n, const LayerWindow& window, std::int64_t multiplier, const float* dy,
                     const float* kernel, float* dx);

 private:
  ThreadPool& pool_;
};

}  // namespace lab
