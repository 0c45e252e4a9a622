// SPDX-License-Identifier: GPL-3.0-or-later
// Checksums as the publishers of data sets state them, in lower-case hexadecimal.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace lab {

std::string sha256Hex(std::span<const std::uint8_t> bytes);
std::string md5Hex(std::span<const std::uint8_t> bytes);  // for archives whose publisher gives nothing better

}  // namespace lab
