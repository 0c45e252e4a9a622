// SPDX-License-Identifier: GPL-3.0-or-later
// From a kernel's name to its type, for launching: by the module on a GPU, by the emulation on the processor.
#pragma once

#include "core/device/cuda/conv_product_kernels.h"
#include "core/device/cuda/element_kernels.h"
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

// visitor(KernelType<TheKernel>()); false where there is no such kernel.
template <typename Visitor>
bool visitKernel(KernelId id, const Visitor& visitor) {
  switch (id) {
    case KernelId::Gather:
      visitor(KernelType<GatherKernel>());
      return true;
    case KernelId::ConvForward:
      visitor(KernelType<ConvForwardKernel>());
      return true;
    case KernelId::ConvBackward:
      visitor(KernelType<ConvBackwardKernel>());
      return true;
    case KernelId::ProductForward:
      visitor(KernelType<ProductForwardKernel>());
      return true;
    case KernelId::ProductWeightGradient:
      visitor(KernelType<ProductWeightGradientKernel>());
      return true;
    case KernelId::ProductInputGradient:
      visitor(KernelType<ProductInputGradientKernel>());
      return true;
    case KernelId::SumSplits:
      visitor(KernelType<SumSplitsKernel>());
      return true;
    case KernelId::ColumnSums:
      visitor(KernelType<ColumnSumsKernel>());
      return true;
    case KernelId::ReluBackward:
      visitor(KernelType<ReluBackwardKernel>());
      return true;
    case KernelId::Softmax:
      visitor(KernelType<SoftmaxKernel>());
      return true;
    case KernelId::Adam:
      visitor(KernelType<AdamKernel>());
      return true;
    case KernelId::Sgd:
      visitor(KernelType<SgdKernel>());
      return true;
    case KernelId::RoundToBfloat16:
      visitor(KernelType<RoundToBfloat16Kernel>());
      return true;
    case KernelId::Add:
      visitor(KernelType<AddKernel>());
      return true;
    case KernelId::Compare:
      visitor(KernelType<CompareKernel>());
      return true;
    case KernelId::Tally:
      visitor(KernelType<TallyKernel>());
      return true;
    case KernelId::Head:
      visitor(KernelType<HeadKernel>());
      return true;
    case KernelId::SmallGradients:
      visitor(KernelType<SmallGradientsKernel>());
      return true;
    case KernelId::GatherImages:
      visitor(KernelType<GatherImagesKernel>());
      return true;
    case KernelId::ConvProduct:
      visitor(KernelType<ConvProductKernel>());
      return true;
    case KernelId::NarrowConvProduct:
      visitor(KernelType<NarrowConvProductKernel>());
      return true;
    case KernelId::ConvKernelGradient:
      visitor(KernelType<ConvKernelGradientKernel>());
      return true;
    case KernelId::ConvInputGradient:
      visitor(KernelType<ConvInputGradientKernel>());
      return true;
    case KernelId::NarrowConvInputGradient:
      visitor(KernelType<NarrowConvInputGradientKernel>());
      return true;
    case KernelId::MaxPool:
      visitor(KernelType<MaxPoolKernel>());
      return true;
    case KernelId::MaxPoolBackward:
      visitor(KernelType<MaxPoolBackwardKernel>());
      return true;
    case KernelId::AveragePool:
      visitor(KernelType<AveragePoolKernel>());
      return true;
    case KernelId::AveragePoolBackward:
      visitor(KernelType<AveragePoolBackwardKernel>());
      return true;
    case KernelId::Relu:
      visitor(KernelType<ReluKernel>());
      return true;
    case KernelId::Dropout:
      visitor(KernelType<DropoutKernel>());
      return true;
    case KernelId::NormSums:
      visitor(KernelType<NormSumsKernel>());
      return true;
    case KernelId::NormTotal:
      visitor(KernelType<NormTotalKernel>());
      return true;
    case KernelId::NormForward:
      visitor(KernelType<NormForwardKernel>());
      return true;
    case KernelId::NormBackward:
      visitor(KernelType<NormBackwardKernel>());
      return true;
    case KernelId::NormMoving:
      visitor(KernelType<NormMovingKernel>());
      return true;
    case KernelId::ScaleAndShift:
      visitor(KernelType<ScaleAndShiftKernel>());
      return true;
    case KernelId::Combine:
      visitor(KernelType<CombineKernel>());
      return true;
  }
  return false;
}

}  // namespace lab::gpu
