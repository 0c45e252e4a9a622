// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled instead of kernels_avx2.cpp and kernels_avx512.cpp if the processor is not x86-64.
#include "core/device/cpu/kernels.h"

namespace lab {

const CpuKernels* avx2Kernels() {
  return nullptr;
}
const CpuKernels* avx512Kernels() {
  return nullptr;
}

}  // namespace lab
