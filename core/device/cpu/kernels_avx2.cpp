// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/device/cpu/vector_avx2.h"

#include "core/device/cpu/kernels.inl"

namespace lab {

const CpuKernels* avx2Kernels() {
  static const CpuKernels kernels = kernelsOf("avx2");
  return &kernels;
}

}  // namespace lab
