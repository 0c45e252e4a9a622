// SPDX-License-Identifier: GPL-3.0-or-later
// The fast kernels of one ISA, as plain functions on the calling thread; cpu_backend.cpp divides the work. kernels.inl
// is their one source, compiled once per ISA with that ISA's compiler flags. A source with special flags includes
// nothing that defines inline functions of its own: the linker keeps one copy of those, which would crash older
// processors.
#pragma once

#include <cstdint>

namespace lab {

// c = a·b (or c += a·b), then + bias and relu where asked. Every element is one chain of multiply-adds in the order of
// depth, whatever the tiling, so a row's bits depend on that row and b only.
struct Product {
  std::int64_t rows = 0, depth = 0, columns = 0;
  const float* a = nullptr;  // element (r, d) at a[r·aRow + d·aDepth]
  std::int64_t aRow = 0, aDepth = 0;
  const float* b = nullptr;  // (depth, columns), rows bRow apart
  std::int64_t bRow = 0;
  float* c = nullptr;  // (rows, columns), rows cRow apart
  std::int64_t cRow = 0;
  bool accumulate = false;
  const float* bias = nullptr;  // (columns), may be null
  bool relu = false;
};

struct CpuKernels {
  const char* path;  // "avx512"

  // Backend's operations on a run of images.
  void (*convReluPool)(std::int64_t n, const float* images, const float* kernel, const float* bias, float* pooled,
                       std::uint8_t* argmax);
  // sums (10, 32), overwritten: dKernel's nine taps, then dBias.
  void (*convReluPoolBackward)(std::int64_t n, const float* images, const std::uint8_t* argmax,
                               const float* dPooledForKernel, const float* dPooled, float* sums);

  void (*multiply)(const Product& product);
  // Rows [begin, end) of dw = xᵀ·dy; arguments as Backend::denseWeightGradient.
  void (*weightGradientRows)(std::int64_t begin, std::int64_t end, std::int64_t n, std::int64_t in, std::int64_t out,
                             const float* x, const float* dy, float* dw);
  // Columns [begin, end) of dx = dy·wᵀ, at most kGradientColumns of them; arguments as Backend::denseInputGradient.
  void (*inputGradientColumns)(std::int64_t begin, std::int64_t end, std::int64_t n, std::int64_t in, std::int64_t out,
                               const float* dy, const float* w, float* dx);

  // Element by element.
  void (*reluBackward)(std::int64_t size, const float* y, float* dy);
  // complement1 = 1 − β1, complement2 = 1 − β2
  void (*adam)(std::int64_t size, float learningRate, float complement1, float complement2, float epsilon,
               const float* gradient, float* m, float* v, float* weights);
  void (*sgd)(std::int64_t size, float learningRate, float momentum, const float* gradient, float* velocity,
              float* weights);
  void (*roundToBfloat16)(std::int64_t size, const float* in, float* out);
  void (*add)(std::int64_t size, const float* source, float* destination);

  // For machine_peak: `rounds` rounds of peakFlop floating point operations in registers; a = b + factor·c.
  float (*multiplyAddRounds)(std::int64_t rounds);
  double peakFlop;
  void (*triad)(std::int64_t size, float factor, const float* b, const float* c, float* a);
};

inline constexpr std::int64_t kGradientColumns = 64;

// Null where this build has no such path.
const CpuKernels* baselineKernels();  // always there
const CpuKernels* avx2Kernels();
const CpuKernels* avx512Kernels();

}  // namespace lab
