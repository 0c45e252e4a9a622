// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/codegen/python.h"

#include <array>
#include <cstdio>

#include "core/base/units.h"

namespace lab {
namespace {

// Returns the length of the UTF-8 sequence at `at`; 0 if there is none.
std::size_t sequenceAt(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  std::size_t length = 0;
  if (lead < 0x80)
    length = 1;
  else if (lead >= 0xC2 && lead < 0xF5)
    length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (length == 0 || at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((static_cast<unsigned char>(text[at + i]) & 0xC0U) != 0x80) return 0;
  if (length < 3) return length;
  // Refuses overlong forms, surrogates, and what is beyond U+10FFFF.
  const auto second = static_cast<unsigned char>(text[at + 1]);
  if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second >= 0xA0)) return 0;
  if ((lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second >= 0x90)) return 0;
  return length;
}

std::string hexadecimal(unsigned char byte) {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "\\x%02x", byte);
  return text.data();
}

}  // namespace

std::string pythonText(std::string_view text) {
  std::string plain, bytes;
  bool valid = true;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequenceAt(text, at);
    const auto byte = static_cast<unsigned char>(text[at]);
    valid = valid && length > 0;
    if (length == 1 && (byte < 0x20 || byte == 0x7F)) {
      plain += hexadecimal(byte);
    } else {
      if (byte == '"' || byte == '\\') plain += '\\';
      plain += text.substr(at, length);
    }
    const std::size_t taken = length == 0 ? 1 : length;
    for (std::size_t i = 0; i < taken; ++i) {
      const auto each = static_cast<unsigned char>(text[at + i]);
      if (each < 0x20 || each >= 0x7F || each == '"' || each == '\\')
        bytes += hexadecimal(each);
      else
        bytes += static_cast<char>(each);
    }
    at += taken;
  }
  return valid ? '"' + plain + '"' : "os.fsdecode(b\"" + bytes + "\")";
}

std::string pythonComment(std::string_view text) {
  std::string shown;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequenceAt(text, at);
    const auto byte = static_cast<unsigned char>(text[at]);
    if (length == 0 || (length == 1 && (byte < 0x20 || byte == 0x7F)))
      shown += '?';
    else
      shown += text.substr(at, length);
    at += length == 0 ? 1 : length;
  }
  return shown;
}

std::string pythonNumber(double value) {
  return shortest(value);
}

std::string pythonFloat(double value) {
  const std::string text = pythonNumber(value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

}  // namespace lab
