// SPDX-License-Identifier: GPL-3.0-or-later
// Layer normalisation on the processor. Arguments as in LayerBackend.
#pragma once

#include <cstdint>

#include "core/base/thread_pool.h"

namespace lab {

class CpuLayerNorm {
 public:
  explicit CpuLayerNorm(ThreadPool& pool) : pool_(pool) {}

  void forward(std::int64_t rows, std::int64_t channels, double epsilon, const float* x, const float* gamma,
               const float* beta, float* y);
  void backward(std::int64_t rows, std::int64_t channels, double epsilon, const float* x, const float* gamma,
                const float* dy, float* dx, float* dGamma, float* dBeta);

 private:
  ThreadPool& pool_;
};

}  // namespace lab
