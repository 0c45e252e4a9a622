// SPDX-License-Identifier: GPL-3.0-or-later
// Whole nanoseconds: every cost is rounded to them, once.
#pragma once

#include <cstdint>

namespace lab {

// To the nearest. A broken invariant where it is negative, no number or longer than a century.
std::int64_t wholeNs(double ns);

}  // namespace lab
