// SPDX-License-Identifier: GPL-3.0-or-later
// From a kernel's name to its type, for launching: by the module on a GPU, by the emulation on the processor.
#pragma once

#include "core/device/cuda/element_kernels.h"
#include "core/device/cuda/head_kernel.h"
#include "core/device/cuda/network_kernels.h"
#include "core/device/cuda/product_kernels.h"
#include "core/device/cuda/small_gradients_kernel.h"

namespace lab::gpu {

template <typename Kernel>
struct KernelType {
  using Type = Kernel;
};

template <typename... Kernels, typename Visitor>
bool visitOneOf(KernelId id, const Visitor& visitor) {
  static_assert(sizeof...(Kernels) == kKernels);
  int number = 0;
  return ((static_cast<int>(id) == number++ && (visitor(KernelType<Kernels>()), true)) || ...);
}

// visitor(KernelType<TheKernel>()); false where there is no such kernel.
template <typename Visitor>
bool visitKernel(KernelId id, const Visitor& visitor) {
  return visitOneOf<  // as in KernelId
      GatherKernel, ConvForwardKernel, ConvBackwardKernel, ProductForwardKernel, ProductWeightGradientKernel,
      ProductInputGradientKernel, SumSplitsKernel, ColumnSumsKernel, ReluBackwardKernel, SoftmaxKernel, AdamKernel,
      SgdKernel, RoundToBfloat16Kernel, AddKernel, CompareKernel, DigestKernel, TallyKernel, HeadKernel,
      SmallGradientsKernel>(id, visitor);
}

}  // namespace lab::gpu
