// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers in the text of options and files.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace lab {

// The number that `text` is, all of it, in the forms of std::from_chars in every language; a real one may be infinite
// or NaN. Nothing where it is none, or where `Number` has no room for it.
template <typename Number>
std::optional<Number> parseNumber(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace lab
