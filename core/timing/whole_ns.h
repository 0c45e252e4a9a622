// SPDX-License-Identifier: GPL-3.0-or-later
// Whole nanoseconds: every cost is rounded to them, once.
#pragma once

#include <cstdint>

namespace lab {

// Rounds to the nearest. A negative value, NaN, or more than a century is a broken invariant.
std::int64_t wholeNs(double ns);

}  // namespace lab
