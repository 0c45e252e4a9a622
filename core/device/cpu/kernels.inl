// SPDX-License-Identifier: GPL-3.0-or-later
// The fast kernels, written once in terms of a path's Vector (vector_*.h), which is included first. Everything here has
// internal linkage, and uses only the sizes from backend.h; see kernels.h for the reason.
#include <cstdint>
#include <cstring>

#include "core/device/backend.h"
#include "core/device/cpu/kernels.h"

#define LAB_INLINE __attribute__((always_inline))

namespace lab {
namespace {

template <int value>
struct Constant {
  static constexpr int v = value;
};

// Calls body(Constant<0>), body(Constant<1>), …: a loop that is always unrolled, so that arrays of sums stay in
// registers.
template <int count, int from = 0, typename Body>
LAB_INLINE inline void unroll(const Body& body) {
  if constexpr (from < count) {
    body(Constant<from>{});
    unroll<count, from + 1>(body);
  }
}

#include "core/device/cpu/kernels_conv.inl"
#include "core/device/cpu/kernels_convolve.inl"
#include "core/device/cpu/kernels_elementwise.inl"
#include "core/device/cpu/kernels_norm.inl"
#include "core/device/cpu/kernels_places.inl"
#include "core/device/cpu/kernels_product.inl"
#include "core/device/cpu/kernels_quads.inl"
#include "core/device/cpu/kernels_selected.inl"

CpuKernels kernelsOf(const char* path) {
  return {path,
          convReluPool,
          convReluPoolBackward,
          multiply,
          weightGradientRows,
          inputGradientColumns,
          convolve,
          convolvePool,
          kernelSumsSize,
          addKernelGradient,
          kernelFromSums,
          turnedSize,
          turnKernel,
          addInputGradient,
          addColumnSums,
          addMoments,
          addGradientMoments,
          scaleAndShift,
          combine,
          reluBackward,
          adam,
          sgd,
          roundToBfloat16,
          add,
          multiplyAddRounds,
          2.0 * kLanes * kPeakChains * kPeakUnroll,
          triad};
}

}  // namespace
}  // namespace lab
