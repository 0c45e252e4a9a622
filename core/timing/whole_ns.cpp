// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timing/whole_ns.h"

#include <cmath>

#include "core/base/error.h"

namespace lab {
namespace {

constexpr double kLongestNs = 4.0e18;  // 127 years, inside int64

}  // namespace

std::int64_t wholeNs(double ns) {
  LAB_CHECK(ns >= 0 && ns <= kLongestNs);  // false for NaN too
  return std::llround(ns);
}

}  // namespace lab
