// SPDX-License-Identifier: GPL-3.0-or-later
// Files, so that nothing is ever half written and every failure is a sentence: what, where, why, what to do.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

// The whole file. UserError if it cannot be read or is larger than maxBytes.
std::vector<std::uint8_t> readFile(const std::filesystem::path& path, std::int64_t maxBytes);
// The same; `watch` sees what is read so far after every piece, and what it throws ends the reading.
std::vector<std::uint8_t> readFile(const std::filesystem::path& path, std::int64_t maxBytes,
                                   const std::function<void(std::span<const std::uint8_t>)>& watch);

// Writes to a temporary file beside `path`, flushes it to the disk and renames it into place: afterwards `path` holds
// either what it held before or all of `content`. UserError (kind Run) if that fails.
void writeFileAtomically(const std::filesystem::path& path, std::span<const std::uint8_t> content);
void writeFileAtomically(const std::filesystem::path& path, std::string_view content);

// Appends to a journal, a file that grows under its name. False, with errno set, where it fails: then the file is what
// it was.
bool appendToFile(const std::filesystem::path& path, std::string_view text);

// Throws what writing `path` later would throw, as a wrong request: for what is written only at the end of a long run.
void checkWritable(const std::filesystem::path& path);

// A file written piece by piece (metrics, trace, run file) that appears under its name only when finish() succeeds;
// until then it is `path` + ".part". Destroyed unfinished, the part stays for whoever wants it and is never mistaken
// for a whole file. Every write is checked: a full disk is a UserError (kind Run).
class PartFile {
 public:
  explicit PartFile(const std::filesystem::path& path);  // UserError (kind Request) where it cannot be created
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  void write(std::string_view text);
  void flush();
  void finish();

 private:
  std::filesystem::path path_, partPath_;
  std::ofstream stream_;
  bool finished_ = false;
};

// "No space left on device" and the like, for the current errno.
std::string lastSystemError();

}  // namespace lab
