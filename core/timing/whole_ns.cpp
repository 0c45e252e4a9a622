// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timing/whole_ns.h"

#include <cmath>

#include "core/base/error.h"

namespace lab {
namespace {

constexpr double kTrafficPerAddedByte = 3;  // read both, write one: gamma = 3 / memory bandwidth
constexpr double kLongestNs = 4.0e18;       // 127 years, inside int64

}  // namespace

std::int64_t wholeNs(double ns) {
  LAB_CHECK(ns >= 0 && ns <= kLongestNs);  // false for NaN too
  return std::llround(ns);
}

std::int64_t additionNs(const DeviceModel& device, std::int64_t bytes) {
  LAB_CHECK(bytes >= 0);
  return wholeNs(kTrafficPerAddedByte * static_cast<double>(bytes) / device.memoryGbPerSec);
}

}  // namespace lab
