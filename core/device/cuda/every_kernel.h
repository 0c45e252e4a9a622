// SPDX-License-Identifier: GPL-3.0-or-later
// Maps a kernel's name to its type for launching, by the module on a GPU and by the emulation on the processor.
#pragma once

#include "core/device/cuda/conv_product_kernels.h"
#include "core/device/cuda/cross_entropy_kernel.h"
#include "core/device/cuda/element_kernels.h"
#include "core/device/cuda/graph_kernels.h"
#include "core/device/cuda/head_kernel.h"
#include "core/device/cuda/layer_element_kernels.h"
#include "core/device/cuda/network_kernels.h"
#include "core/device/cuda/norm_kernels.h"
#include "core/device/cuda/pool_kernels.h"
#include "core/device/cuda/product_kernels.h"
#include "core/device/cuda/small_gradients_kernel.h"

namespace lab::gpu {

template <typename Kernel>
struct KernelType {
  using Type = Kernel;
};

template <typename... Kernels>
struct KernelList {
  static_assert(sizeof...(Kernels) == kKernels);
  template <typename Visitor>
  static bool visit(int wanted, const Visitor& visitor) {
    int at = 0;
    const auto one = [&](auto kernel) {
      if (at++ != wanted) return false;
      visitor(kernel);
      return true;
    };
    return (one(KernelType<Kernels>()) || ...);
  }
};

// In the same order as KernelId.
using EveryKernel =
    KernelList<GatherKernel, ConvForwardKernel, ConvBackwardKernel, ProductForwardKernel, ProductWeightGradientKernel,
               ProductInputGradientKernel, ProductForward32Kernel, ProductForward16Kernel, ProductInputGradient32Kernel,
               ProductInputGradient16Kernel, SumSplitsKernel, ColumnSumsKernel, ReluBackwardKernel, SoftmaxKernel,
               AdamKernel, SgdKernel, RoundToBfloat16Kernel, AddKernel, CompareKernel, DigestKernel, TallyKernel,
               HeadKernel, SmallGradientsKernel, GatherImagesKernel, ConvProductKernel, NarrowConvProductKernel,
               ConvKernelGradientKernel, ConvInputGradientKernel, NarrowConvInputGradientKernel, MaxPoolKernel,
               MaxPoolBackwardKernel, AveragePoolKernel, AveragePoolBackwardKernel, ReluKernel, DropoutKernel,
               NormSumsKernel, NormTotalKernel, NormForwardKernel, NormBackwardKernel, NormMovingKernel,
               ScaleAndShiftKernel, CombineKernel, CrossEntropyKernel, SumOfTwoKernel, BlocksKernel, ActivationKernel,
               DepthwiseKernel, DepthwiseInputGradientKernel, DepthwiseKernelGradientKernel, LayerNormKernel,
               LayerNormBackwardKernel, LayerNormGradientsKernel>;

// Calls visitor(KernelType<TheKernel>()); returns false if there is no such kernel.
template <typename Visitor>
bool visitKernel(KernelId id, const Visitor& visitor) {
  return EveryKernel::visit(static_cast<int>(id), visitor);
}

}  // namespace lab::gpu
