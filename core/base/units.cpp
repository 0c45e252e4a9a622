// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace lab {
namespace {

// Three significant digits and the largest unit that keeps the number at or above one.
template <std::size_t N>
std::string scaled(double value, const std::array<const char*, N>& units, double step) {
  std::size_t unit = 0;
  while (std::abs(value) >= step * 0.9995 && unit + 1 < N) {
    value /= step;
    ++unit;
  }
  const double size = std::abs(value);
  const int decimals = unit == 0 ? 0 : size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%.*f %s", decimals, value, units[unit]);
  return text.data();
}

}  // namespace

std::string formatBytes(std::int64_t bytes) {
  static constexpr std::array<const char*, 5> kUnits{"B", "kB", "MB", "GB", "TB"};
  return scaled(static_cast<double>(bytes), kUnits, 1000.0);
}

std::string formatDuration(std::int64_t ns) {
  static constexpr std::array<const char*, 4> kUnits{"ns", "µs", "ms", "s"};
  return scaled(static_cast<double>(ns), kUnits, 1000.0);
}

std::string formatCount(std::int64_t count) {
  std::string digits = std::to_string(count);
  for (std::int64_t at = static_cast<std::int64_t>(digits.size()) - 3; at > (count < 0 ? 1 : 0); at -= 3)
    digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

}  // namespace lab
