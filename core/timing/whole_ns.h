// SPDX-License-Identifier: GPL-3.0-or-later
// Whole nanoseconds: every cost is rounded to them, once.
#pragma once

#include <cstdint>

#include "core/timing/catalogue.h"

namespace lab {

// To the nearest. A broken invariant where it is negative, no number or longer than a century.
std::int64_t wholeNs(double ns);

// Adding `bytes` to a buffer in device memory: 3 bytes of traffic per byte.
std::int64_t additionNs(const DeviceModel& device, std::int64_t bytes);

}  // namespace lab
