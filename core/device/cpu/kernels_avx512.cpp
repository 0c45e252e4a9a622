// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/device/cpu/vector_avx512.h"

#include "core/device/cpu/kernels.inl"

namespace lab {

const CpuKernels* avx512Kernels() {
  static const CpuKernels kernels = kernelsOf("avx512");
  return &kernels;
}

}  // namespace lab
