// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <random>
#include <system_error>

#include "core/base/error.h"
#include "core/base/messages.h"
#include "core/base/platform.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

bool takesSpecialFiles = false;  // set before there are threads

[[noreturn]] void failWriting(const fs::path& path, UserError::Kind kind) {
  throw UserError(kind, say::cannotWrite, path, lastSystemError());
}

// Returns where the bytes really go: a symbolic link's target, so that the link itself survives.
fs::path behindLinks(const fs::path& path) {
  std::error_code error;
  const fs::path target = fs::is_symlink(path, error) ? fs::canonical(path, error) : path;
  return error ? path : target;
}

// A random suffix, because two programs may write the same file at once; the last one to finish then wins as a whole.
std::string temporarySuffix() {
  return kTemporaryMark + std::to_string(std::random_device{}());
}

// Returns whether it is a device or a pipe. Such a file is written to directly, because it cannot be replaced by a
// renamed file.
bool isSpecial(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return !error && fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

}  // namespace

std::string lastSystemError() {
  return errno == 0 ? "unknown error" : std::generic_category().message(errno);
}

std::vector<std::uint8_t> readFile(const fs::path& path, std::int64_t maxBytes) {
  return readFile(path, maxBytes, [](std::span<const std::uint8_t>) {});
}

std::vector<std::uint8_t> readFile(const fs::path& path, std::int64_t maxBytes,
                                   const std::function<void(std::span<const std::uint8_t>)>& watch) {
  std::error_code error;
  if (fs::is_directory(path, error)) throw UserError(say::fileIsFolder, path);
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw UserError(say::cannotOpen, path, lastSystemError());
  // Reads in pieces instead of trusting the size, because the file may grow, or be a device without a size. The size is
  // used to reserve memory and to reject a file that is too large before reading: it may claim gigabytes that are not
  // even on the disk.
  std::vector<std::uint8_t> content;
  if (const std::uintmax_t bytes = fs::file_size(path, error); !error) {
    if (bytes > static_cast<std::uintmax_t>(maxBytes)) throw UserError(say::fileTooLarge, path, Bytes{maxBytes});
    content.reserve(static_cast<std::size_t>(bytes));
  }
  std::vector<char> piece(1 << 18);
  while (stream.read(piece.data(), static_cast<std::streamsize>(piece.size())) || stream.gcount() > 0) {
    content.insert(content.end(), piece.data(), piece.data() + stream.gcount());
    if (static_cast<std::int64_t>(content.size()) > maxBytes) throw UserError(say::fileTooLarge, path, Bytes{maxBytes});
    watch(content);
  }
  if (stream.bad()) throw UserError(UserError::Kind::Run, say::readingFailed, path, lastSystemError());
  return content;
}

std::vector<std::uint8_t> readRegularFile(const fs::path& path, std::int64_t maxBytes) {
  if (!takesSpecialFiles && isSpecial(path)) throw UserError(say::fileIsSpecial, path);
  return readFile(path, maxBytes);
}

void allowSpecialFiles() {
  takesSpecialFiles = true;
}

void writeFileAtomically(const fs::path& wanted, std::span<const std::uint8_t> content) {
  const fs::path path = behindLinks(wanted);
  std::error_code error;
  if (fs::is_directory(path, error)) {
    errno = EISDIR;
    failWriting(path, UserError::Kind::Run);
  }
  const bool special = isSpecial(path);
  fs::path temporary = path;
  if (!special) temporary += temporarySuffix();
  errno = 0;
  std::FILE* file = std::fopen(temporary.string().c_str(), "wb");
  if (file == nullptr) failWriting(path, UserError::Kind::Run);
  const bool written = std::fwrite(content.data(), 1, content.size(), file) == content.size() &&
                       std::fflush(file) == 0 && (special || flushToDisk(file));
  const int writeError = errno;
  const bool closed = std::fclose(file) == 0;
  if (written && closed) {
    if (special) return;
    fs::rename(temporary, path, error);
    if (!error) return;
    errno = error.value();
  } else if (!written) {
    errno = writeError;
  }
  const int kept = errno;
  if (!special) fs::remove(temporary, error);
  errno = kept;
  failWriting(path, UserError::Kind::Run);
}

void writeFileAtomically(const fs::path& path, std::string_view content) {
  writeFileAtomically(path, std::span(reinterpret_cast<const std::uint8_t*>(content.data()), content.size()));
}

bool appendToFile(const fs::path& path, std::string_view text) {
  std::error_code ignored;
  const bool wasThere = fs::exists(path, ignored);
  const std::uintmax_t before = wasThere ? fs::file_size(path, ignored) : 0;
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::app);
  const bool opened = file.is_open();
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (file) return true;
  const int why = errno;
  if (opened) wasThere ? fs::resize_file(path, before, ignored) : static_cast<void>(fs::remove(path, ignored));
  errno = why;
  return false;
}

void checkWritable(const fs::path& path) {
  const fs::path target = behindLinks(path);
  fs::path probe = target;
  if (!isSpecial(target)) probe += temporarySuffix();
  std::error_code error;
  errno = EISDIR;
  if (fs::is_directory(target, error)) failWriting(path, UserError::Kind::Request);
  errno = 0;
  std::FILE* file = std::fopen(probe.string().c_str(), "ab");
  if (file == nullptr) failWriting(path, UserError::Kind::Request);
  std::fclose(file);
  if (probe != target) fs::remove(probe, error);
}

fs::path temporaryFolder() {
  std::error_code error;
  const fs::path folder = fs::temp_directory_path(error);
  return error ? fs::path("/tmp") : folder;
}

std::vector<fs::path> keepOlder(const fs::path& path, const std::string& mark) {
  std::vector<fs::path> kept;
  const fs::path whole = behindLinks(path);
  for (const char* end : {"", ".part"}) {
    const fs::path older = whole.string() + end;
    std::error_code error;
    if (!fs::is_regular_file(older, error) || FileLock(older).isTaken()) continue;
    fs::path to;
    for (int i = 1; i == 1 || fs::exists(to, error); ++i)
      to = whole.parent_path() / (whole.stem().string() + "." + mark + (i == 1 ? "" : "-" + std::to_string(i)) +
                                  whole.extension().string() + end);
    fs::rename(older, to, error);
    errno = error.value();
    if (error) failWriting(to, UserError::Kind::Run);
    kept.push_back(to);
  }
  return kept;
}

PartFile::PartFile(const fs::path& path) : path_(behindLinks(path)), partPath_(path_) {
  std::error_code error;
  if (path.empty() || fs::is_directory(path, error)) throw UserError(say::cannotWriteFolder, path);
  if (!isSpecial(path_)) {
    partPath_ += ".part";
    lock_ = FileLock(partPath_);
    if (lock_.isTaken()) (partPath_ = path_) += temporarySuffix() + ".part";
  }
  errno = 0;
  stream_.open(partPath_, std::ios::binary | std::ios::trunc);
  if (!stream_) failWriting(path_, UserError::Kind::Request);
}

PartFile::~PartFile() = default;

void PartFile::write(std::string_view text) {
  errno = 0;
  stream_.write(text.data(), static_cast<std::streamsize>(text.size()));
  if (!stream_) failWriting(path_, UserError::Kind::Run);
}

void PartFile::flush() {
  errno = 0;
  stream_.flush();
  if (!stream_) failWriting(path_, UserError::Kind::Run);
}

void PartFile::finish() {
  if (finished_) return;
  flush();
  stream_.close();
  std::error_code error;
  if (!stream_) failWriting(path_, UserError::Kind::Run);
  if (partPath_ != path_) fs::rename(partPath_, path_, error);
  if (error) {
    errno = error.value();
    failWriting(path_, UserError::Kind::Run);
  }
  finished_ = true;
  lock_ = {};
}

}  // namespace lab
