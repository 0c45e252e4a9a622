// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of text in a gzip file: written as they arrive, and read with limits, because a few kilobytes of gzip can claim
// to be gigabytes of text.
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
  std::int64_t fileBytes = 0;  // compressed, as on the disk
};

// The same lines give the same bytes: no time stamp, no name. The file only appears when finish() succeeds.
class GzipLineWriter {
 public:
  GzipLineWriter(const std::filesystem::path& path, const LineLimits& limits);
  ~GzipLineWriter();
  // Returns whether the line fits into `share` of a reader's limits (1: all of them).
  bool hasRoom(std::int64_t lineBytes, double share = 1) const;
  void write(std::string_view line);  // without a line break; there must be room for it
  void finish();

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
};

// Is called after every piece with the number of bytes read so far; an exception from it ends the reading.
using ReadWatch = std::function<void(std::int64_t bytesRead)>;

// Calls `line` with each line and its number, from 1. Throws a UserError if the bytes are not one whole gzip stream of
// lines that each end with a line break, or if they exceed a limit; messages call the stream `name`. Sets `cutOff`
// before an error if the lines so far are intact: the stream only ends too early or continues too long.
void forEachGzipLine(std::span<const std::uint8_t> bytes, const std::string& name, const LineLimits& limits,
                     const std::function<void(std::string_view line, std::int64_t number)>& line,
                     bool* cutOff = nullptr, const ReadWatch& watch = {});

}  // namespace lab
