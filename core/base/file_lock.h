// SPDX-License-Identifier: GPL-3.0-or-later
// A file that is locked until the object goes or the program ends, however it ends. Only other FileLocks, of any
// program, respect it.
#pragma once

#include <filesystem>

namespace lab {

class FileLock {
 public:
  FileLock() = default;  // locks nothing
  // Makes the file if it is missing. Locks nothing if it cannot be opened, or its file system has no locks: the
  // attempt to write the file then reports why.
  explicit FileLock(const std::filesystem::path& file);
  ~FileLock();
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;

  bool isTaken() const { return taken_; }  // another FileLock has the file

 private:
  int file_ = -1;
  bool taken_ = false;
};

}  // namespace lab
