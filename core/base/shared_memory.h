// SPDX-License-Identifier: GPL-3.0-or-later
// Memory that a program and those that it starts have in common. No file stands for it, and it is gone with the last of
// them.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace lab {

class SharedMemory {
 public:
  explicit SharedMemory(std::size_t floats);  // zeros. UserError (kind Run) where there is no more
  // Another program's, which runs: its path().
  SharedMemory(const std::string& path, std::size_t floats);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  std::span<float> floats() const { return floats_; }
  std::string path() const;  // for programs of the same user, while this one lives

 private:
  void map(std::size_t floats, bool isNew);

  int file_ = -1;
  std::span<float> floats_;
};

}  // namespace lab
