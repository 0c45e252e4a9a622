// SPDX-License-Identifier: GPL-3.0-or-later
// File operations that never leave half-written files and report every failure as a sentence: what, where, why, what to
// do.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/file_lock.h"

namespace lab {

// Reads the whole file. UserError if it cannot be read or is larger than maxBytes.
std::vector<std::uint8_t> readFile(const std::filesystem::path& path, std::int64_t maxBytes);
// The same, but calls `watch` after every piece with everything read so far; an exception from `watch` ends the
// reading.
std::vector<std::uint8_t> readFile(const std::filesystem::path& path, std::int64_t maxBytes,
                                   const std::function<void(std::span<const std::uint8_t>)>& watch);
// As readFile(), but refuses pipes and devices, because reading one may wait for ever: for settings that a link or an
// opened file may contain. The command line, whose settings a person typed, allows them when it starts: /dev/stdin.
std::vector<std::uint8_t> readRegularFile(const std::filesystem::path& path, std::int64_t maxBytes);
void allowSpecialFiles();

// Writes to a temporary file beside `path`, flushes it to the disk and renames it: afterwards `path` holds either its
// old content or all of `content`. UserError (kind Run) on failure.
void writeFileAtomically(const std::filesystem::path& path, std::span<const std::uint8_t> content);
void writeFileAtomically(const std::filesystem::path& path, std::string_view content);
inline constexpr const char* kTemporaryMark = ".tmp";  // behind the whole name; a number follows

// Appends to a journal, a file that grows under its final name. Returns false, with errno set, on failure; the file is
// then unchanged.
bool appendToFile(const std::filesystem::path& path, std::string_view text);

// Throws now, as a wrong request, what writing `path` later would throw: for files written only at the end of a long
// run.
void checkWritable(const std::filesystem::path& path);

// A file written piece by piece (metrics, trace, run file) that gets its name only when finish() succeeds; until then
// it is `path` + ".part", or has a name of its own that ends so if somebody else writes that one. If the object is
// destroyed before, the part remains and cannot be mistaken for a whole file.
// Every write is checked: a full disk is a UserError (kind Run).
class PartFile {
 public:
  explicit PartFile(const std::filesystem::path& path);  // UserError (kind Request) on failure
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  void write(std::string_view text);
  void flush();
  void finish();

 private:
  std::filesystem::path path_, partPath_;
  FileLock lock_;  // of the part
  std::ofstream stream_;
  bool finished_ = false;
};

// Renames the file of this name, and its part, before a PartFile replaces them: "m.jsonl" to "m.MARK.jsonl", a part to
// "m.MARK.jsonl.part", with a number behind the mark if these exist. Leaves alone what another program writes. Returns
// the new names; UserError (kind Run) on failure.
std::vector<std::filesystem::path> keepOlder(const std::filesystem::path& path, const std::string& mark);

// Returns the system's folder for temporary files; /tmp where the environment (TMPDIR) names one that is not there.
std::filesystem::path temporaryFolder();

// Returns a text such as "No space left on device" for the current errno.
std::string lastSystemError();

}  // namespace lab
