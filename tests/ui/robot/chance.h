// SPDX-License-Identifier: GPL-3.0-or-later
// All of the robot's randomness comes from here, and so from its seed.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/rng.h"

namespace lab::robot {

class Chance {
 public:
  explicit Chance(std::uint64_t seed, std::uint64_t stream = 1) : rng_(seed, stream) {}

  int below(int limit) { return limit < 2 ? 0 : static_cast<int>(rng_.below(static_cast<std::uint64_t>(limit))); }
  bool oneIn(int number) { return below(number) == 0; }
  template <typename List>
  decltype(auto) of(List& list) {  // must not be empty
    return list[static_cast<typename List::size_type>(below(static_cast<int>(list.size())))];
  }

 private:
  Rng rng_;
};

}  // namespace lab::robot
