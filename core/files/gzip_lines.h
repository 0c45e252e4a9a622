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

struct LineLimits {
  std::int64_t lineBytes = 0;
  std::int64_t textBytes = 0;
  std::int64_t lines = 0;
  std::int64_t fileBytes = 0;  // as they lie on the disk
};

// The same lines give the same bytes: no time stamp, no name. The file appears only when finish() succeeds.
class GzipLineWriter {
 public:
  GzipLineWriter(const std::filesystem::path& path, const LineLimits& limits);
  ~GzipLineWriter();
  // Whether this much of what a reader takes is still free after such a line; `share` 1 is all of it.
  bool hasRoom(std::int64_t lineBytes, double share = 1) const;
  void write(std::string_view line);  // without a line break; there must be room
  void finish();

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
};

// Calls back with each line and its number, from 1. UserError where the bytes are not one whole gzip stream of lines
// that each end with a line break, or exceed a limit. `name` is what messages call it. `cutOff` is set before an error
// where the lines until then are whole all the same: the stream only ends too early or goes on too long.
void forEachGzipLine(std::span<const std::uint8_t> bytes, const std::string& name, const LineLimits& limits,
                     const std::function<void(std::string_view line, std::int64_t number)>& line,
                     bool* cutOff = nullptr);

}  // namespace lab
