// SPDX-License-Identifier: GPL-3.0-or-later
// Returns how many pieces of one size hold everything: the quotient, rounded up.
#pragma once

#include <concepts>

namespace lab {

// For non-negative whole numbers; `size` is at least 1, and the sum of both must fit the type. For the host only: GPU
// kernels write this expression out, and so do the kernels of an ISA, which may include no inline function
// (device/cpu/kernels.h).
template <std::integral Count, std::integral Size>
constexpr auto ceilDivide(Count count, Size size) {
  return (count + size - 1) / size;
}

}  // namespace lab
