// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/device/cpu/vector_baseline.h"

#include "core/device/cpu/kernels.inl"

namespace lab {

const CpuKernels* baselineKernels() {
  static const CpuKernels kernels = kernelsOf("baseline");
  return &kernels;
}

}  // namespace lab
