// SPDX-License-Identifier: GPL-3.0-or-later
// Letters of the Latin alphabet alone. The C library's functions follow the user's language: in Turkish the large
// letter of "i" is not "I", and files would have other keys.
#pragma once

#include <string>

namespace lab {

constexpr char upperAscii(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

constexpr char lowerAscii(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

inline std::string lowerAscii(std::string text) {
  for (char& c : text) c = lowerAscii(c);
  return text;
}

}  // namespace lab
