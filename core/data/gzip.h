// SPDX-License-Identifier: GPL-3.0-or-later
// Decompresses one gzip stream piece by piece. The caller knows the expected size and decides how much memory to use,
// so a small file that unpacks to a huge one is stopped at the first excess byte.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace lab {

bool isGzip(std::span<const std::uint8_t> bytes);

class GzipReader {
 public:
  // `bytes` must outlive the reader.
  GzipReader(std::span<const std::uint8_t> bytes, const std::string& name);
  ~GzipReader();
  GzipReader(const GzipReader&) = delete;
  GzipReader& operator=(const GzipReader&) = delete;

  // Fills `out` as far as the content goes, and returns the number of bytes, which is less than requested only at the
  // end. Throws a UserError if the stream is damaged or cut short, its checksum is wrong, or bytes follow its end.
  std::size_t read(std::span<std::uint8_t> out);

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
  std::string name_;
};

// Returns the whole content; throws a UserError if it exceeds maxBytes.
std::vector<std::uint8_t> gunzip(std::span<const std::uint8_t> bytes, std::int64_t maxBytes, const std::string& name);

}  // namespace lab
