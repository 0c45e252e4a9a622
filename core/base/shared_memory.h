// SPDX-License-Identifier: GPL-3.0-or-later
// Memory shared by a program and the programs that it starts. It has no named file, and disappears with the last of
// them.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace lab {

class SharedMemory {
 public:
  explicit SharedMemory(std::size_t floats);  // zeros; UserError (kind Run) if there is not enough
  // Opens the memory of another running program, by its path().
  SharedMemory(const std::string& path, std::size_t floats);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  std::span<float> floats() const { return floats_; }
  std::string path() const;  // for programs of the same user, while this one runs

 private:
  void map(std::size_t floats, bool isNew);

  int file_ = -1;
  std::span<float> floats_;
};

}  // namespace lab
