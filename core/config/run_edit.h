// SPDX-License-Identifier: GPL-3.0-or-later
// One value of one replica, changed by hand in one step of a run, to see the consequences.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>

namespace lab {

struct RunEdit {
  // Weight: in the replica's own copy, just as the replica computes its gradients with it: before the step if there are
  // copies of the variables, else after the pull. Gradient: in the replica's own gradient, before anything is added.
  enum class What { Weight, Gradient };

  // Synchronous strategies: the step. Asynchronous workers: their first computation from this step on.
  std::int64_t step = 1;
  What what = What::Weight;
  int replica = 0;
  std::int64_t index = 0;      // in the flat buffer of all variables
  std::optional<float> value;  // the new value, finite; if unset, a bit is flipped:
  int bit = 30;                // 0 the lowest of the mantissa, 30 the highest of the exponent, 31 the sign

  bool operator==(const RunEdit&) const = default;
  float applied(float was) const {
    return value ? *value : std::bit_cast<float>(std::bit_cast<std::uint32_t>(was) ^ std::uint32_t{1} << bit);
  }
};

}  // namespace lab
