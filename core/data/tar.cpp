// SPDX-License-Identifier: GPL-3.0-or-later
// The format: POSIX.1-1988 ustar, https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html
#include "core/data/tar.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "core/base/ceil_divide.h"
#include "core/base/error.h"
#include "core/data/gzip.h"
#include "core/data/messages.h"

namespace lab {
namespace {

constexpr std::size_t kTarBlock = 512;
using TarBlock = std::array<std::uint8_t, kTarBlock>;

std::string_view tarField(const TarBlock& block, std::size_t at, std::size_t length) {
  const std::string_view text(reinterpret_cast<const char*>(block.data()) + at, length);
  return text.substr(0, text.find('\0'));
}

std::optional<std::int64_t> octalOf(std::string_view text) {
  std::int64_t value = 0;
  bool any = false;
  for (const char c : text) {
    if (c == ' ') continue;
    if (c < '0' || c > '7' || value > (std::int64_t{1} << 40)) return std::nullopt;
    value = value * 8 + (c - '0');
    any = true;
  }
  return any ? std::optional(value) : std::nullopt;
}

bool hasItsChecksum(const TarBlock& block) {
  constexpr std::size_t kAt = 148, kLength = 8;
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < kTarBlock; ++i) sum += i >= kAt && i < kAt + kLength ? ' ' : block[i];
  return octalOf(tarField(block, kAt, kLength)) == sum;
}

}  // namespace

void readTarGz(std::span<const std::uint8_t> archive, const std::string& name,
               const std::function<bool(const std::string&, std::int64_t)>& wanted,
               const std::function<void(const std::string&, std::vector<std::uint8_t>)>& take) {
  GzipReader reader(archive, name);
  const auto damaged = [&name] { return UserError(say::tarDamaged, File{name}); };
  TarBlock block{};
  while (reader.read(block) == kTarBlock) {
    if (std::ranges::all_of(block, [](std::uint8_t byte) { return byte == 0; })) return;
    const std::optional<std::int64_t> size = octalOf(tarField(block, 124, 12));
    if (!hasItsChecksum(block) || !size) throw damaged();
    const std::string path(tarField(block, 0, 100));
    const std::string file = path.substr(path.rfind('/') + 1);
    const bool regular = block[156] == '0' || block[156] == 0;
    const std::int64_t blocks = ceilDivide(*size, static_cast<std::int64_t>(kTarBlock));
    if (!regular || !wanted(file, *size)) {
      for (std::int64_t i = 0; i < blocks; ++i)
        if (reader.read(block) != kTarBlock) throw damaged();
      continue;
    }
    std::vector<std::uint8_t> content(static_cast<std::size_t>(*size));
    const std::size_t padding = static_cast<std::size_t>(blocks) * kTarBlock - content.size();
    if (reader.read(content) != content.size() || reader.read(std::span(block).first(padding)) != padding)
      throw damaged();
    take(file, std::move(content));
  }
  throw damaged();
}

}  // namespace lab
