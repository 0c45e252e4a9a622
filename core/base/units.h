// SPDX-License-Identifier: GPL-3.0-or-later
// Quantities as people read them, and numbers as files have them. Inside the program time is whole nanoseconds and size
// is whole bytes, always.
#pragma once

#include <cstdint>
#include <string>

namespace lab {

inline constexpr std::int64_t kNsPerSecond = 1'000'000'000;
inline constexpr std::int64_t kBytesPerElement = 4;  // of weights and gradients, float32

std::string formatBytes(std::int64_t bytes);  // "1.39 MB", decimal units
std::string formatDuration(std::int64_t ns);  // "2.31 ms"
std::string formatCount(std::int64_t count);  // "347,146"
std::string formatPercent(double share);      // 0.931: "93.1 %"
std::string formatFixed(double value, int decimals);

// For files: the fewest digits that read back as the same number.
std::string shortest(double value);

}  // namespace lab
