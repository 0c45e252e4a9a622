// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace lab {
namespace {

// Formats with three significant digits, in the largest unit that keeps the number at or above one.
template <std::size_t N>
std::string scaled(double value, const std::array<const char*, N>& units, double step) {
  std::size_t unit = 0;
  while (std::abs(value) >= step * 0.9995 && unit + 1 < N) {
    value /= step;
    ++unit;
  }
  const double size = std::abs(value);
  const int decimals = unit == 0 ? 0 : size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
  return formatFixed(value, decimals) + " " + units[unit];
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

RoundedPercent roundedPercent(double share, int digits) {
  constexpr double kNoise = 1e-9;  // what arithmetic leaves of a share that is nothing or all
  const double percent = 100 * share;
  const auto seemsAnEnd = [&](int to) {
    const std::string text = formatFixed(percent, to);
    return (share > kNoise && text == formatFixed(0, to)) || (share < 1 - kNoise && text == formatFixed(100, to));
  };
  if (!seemsAnEnd(digits)) return {"", percent, digits};
  if (!seemsAnEnd(digits + 1)) return {"", percent, digits + 1};
  digits = std::max(digits, 1);
  const double bound = std::pow(10.0, -digits);
  return share < 0.5 ? RoundedPercent{"< ", bound, digits} : RoundedPercent{"> ", 100 - bound, digits};
}

std::string formatPercent(double share) {
  const auto [sign, percent, digits] = roundedPercent(share);
  const std::string text = sign + formatFixed(percent, digits) + " %";
  if (text.front() != '-') return text;
  return (text == "-0.0 %" ? "" : "−") + text.substr(1);  // for display, with the window's minus sign
}

std::string formatFixed(double value, int decimals) {
  std::array<char, 400> text{};  // the largest double has 309 digits
  return {text.data(),
          std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals).ptr};
}

std::string shortest(double value) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

}  // namespace lab
