// SPDX-License-Identifier: GPL-3.0-or-later
// This file may use conditional compilation, because each system locks files in its own way.
#include "core/base/file_lock.h"

#include <cerrno>
#include <utility>

#if defined(__linux__)
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#endif

namespace lab {

#if defined(__linux__)

FileLock::FileLock(const std::filesystem::path& file) : file_(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (file_ < 0 || flock(file_, LOCK_EX | LOCK_NB) == 0) return;
  taken_ = errno == EWOULDBLOCK;
  close(std::exchange(file_, -1));
}

FileLock::~FileLock() {
  if (file_ >= 0) close(file_);
}

#else

FileLock::FileLock(const std::filesystem::path&) {}
FileLock::~FileLock() = default;

#endif

FileLock::FileLock(FileLock&& other) noexcept
    : file_(std::exchange(other.file_, -1)), taken_(std::exchange(other.taken_, false)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(taken_, other.taken_);
  return *this;
}

}  // namespace lab
