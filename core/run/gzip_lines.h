// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of text in a gzip file: written as they come, and read under ceilings, because a few kilobytes of gzip can
// claim to be gigabytes of text.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace lab {

// The same lines give the same bytes: no time stamp, no name. The file appears only when finish() succeeds.
class GzipLineWriter {
 public:
  explicit GzipLineWriter(const std::filesystem::path& path);
  ~GzipLineWriter();
  void write(std::string_view line);  // without a line break
  void finish();

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
};

struct LineLimits {
  std::int64_t lineBytes = 0;
  std::int64_t textBytes = 0;
  std::int64_t lines = 0;
};

// Calls back with each line and its number, from 1. UserError where the bytes are not one whole gzip stream of lines
// that each end with a line break, or exceed a limit. `name` is what messages call it.
void forEachGzipLine(std::span<const std::uint8_t> bytes, const std::string& name, const LineLimits& limits,
                     const std::function<void(std::string_view line, std::int64_t number)>& line);

}  // namespace lab
