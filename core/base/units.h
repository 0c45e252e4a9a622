// SPDX-License-Identifier: GPL-3.0-or-later
// Formats quantities for people, and numbers for files. Inside the program time is always in whole nanoseconds and size
// in whole bytes.
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

// A share in percent as it is to be written: only what is nothing reads 0, and only what is all reads 100. What rounds
// to one of them has a digit more (99.98), or, where that does not help, stands beside the bound ("> " 99.9).
struct RoundedPercent {
  const char* sign = "";
  double percent = 0;
  int digits = 1;
};
RoundedPercent roundedPercent(double share, int digits = 1);
std::string formatFixed(double value, int decimals);

// For files: returns the fewest digits that read back as the same number.
std::string shortest(double value);

}  // namespace lab
