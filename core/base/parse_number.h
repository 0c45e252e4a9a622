// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers in the text of options and files.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

namespace lab {

// Returns the number that the whole of `text` forms, as std::from_chars reads it in any locale; a real number may be
// infinite or NaN. Returns nothing if it is not a number or does not fit `Number`.
template <typename Number>
std::optional<Number> parseNumber(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Returns a whole number in the forms that people write, also "1e6". Returns nothing if it is not a whole number, or if
// a double could not hold all of its digits.
inline std::optional<std::int64_t> parseWhole(std::string_view text) {
  if (const std::optional<std::int64_t> value = parseNumber<std::int64_t>(text)) return value;
  constexpr double kMostExact = 9007199254740992;  // 2^53
  const std::optional<double> value = parseNumber<double>(text);
  if (!value || !(std::abs(*value) <= kMostExact) || std::trunc(*value) != *value) return std::nullopt;
  return static_cast<std::int64_t>(*value);
}

}  // namespace lab
