// SPDX-License-Identifier: GPL-3.0-or-later
// Indices are signed here, as differences, steps and ranks are; those of the standard containers are not.
#pragma once

#include <cstddef>

namespace lab {

// Element `index` of a container or an array: a number, or an enumerator. As fast as [], and like it unchecked.
template <typename Container, typename Index>
[[gnu::always_inline]] constexpr decltype(auto) at(Container&& container, Index index) {
  return container[static_cast<std::size_t>(index)];
}

}  // namespace lab
