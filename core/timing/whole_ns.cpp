// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timing/whole_ns.h"

#include <cmath>

#include "core/timing/messages.h"

namespace lab {

double countableNs(double ns) {
  LAB_CHECK(ns >= 0);  // false for NaN too
  if (ns > static_cast<double>(kLongestStepNs)) throw TakesTooLong(say::stepTakesTooLong);
  return ns;
}

std::int64_t wholeNs(double ns) {
  return std::llround(countableNs(ns));
}

std::int64_t sumNs(std::int64_t a, std::int64_t b, std::int64_t longest) {
  LAB_CHECK(a >= 0 && b >= 0);
  if (a > longest - b) throw TakesTooLong(longest > kLongestStepNs ? say::runTakesTooLong : say::stepTakesTooLong);
  return a + b;
}

}  // namespace lab
