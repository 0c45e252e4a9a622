// SPDX-License-Identifier: GPL-3.0-or-later
// The reader of tar archives. Whatever the bytes are: a UserError, or files of the size that was asked about.
#include <cstddef>
#include <cstdint>

#include "core/base/error.h"
#include "core/data/tar.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::int64_t kMost = 1 << 20;
  std::int64_t asked = 0;
  try {
    lab::readTarGz(
        {data, size}, "input",
        [&asked](const std::string& file, std::int64_t bytes) {
          if (bytes < 0 || file.find('/') != std::string::npos) __builtin_trap();
          asked = bytes;
          return bytes < kMost;
        },
        [&asked](const std::string&, const std::vector<std::uint8_t>& content) {
          if (static_cast<std::int64_t>(content.size()) != asked) __builtin_trap();
        });
  } catch (const lab::UserError&) {
  }
  return 0;
}
