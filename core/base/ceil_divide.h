// SPDX-License-Identifier: GPL-3.0-or-later
// How many pieces of one size hold everything: the quotient, rounded up.
#pragma once

#include <concepts>

namespace lab {

// Of whole numbers that are not negative; `size` is at least 1, and their sum must fit the type. GPU kernels have the
// same expression written out: this function is the host's.
template <std::integral Count, std::integral Size>
constexpr auto ceilDivide(Count count, Size size) {
  return (count + size - 1) / size;
}

}  // namespace lab
