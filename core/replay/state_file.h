// SPDX-License-Identifier: GPL-3.0-or-later
// States of a run whose values lie in a scratch file without a name, which goes with this object: an hour of use must
// not be an hour of memory. Where there is no such file, or no room on its disk, they stay in memory. Its owner sees to
// it that one thread at a time is here.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <vector>

#include "core/training/checkpoint.h"

namespace lab {

class StateFile {
 public:
  StateFile();

  struct Kept {
    std::int64_t step = 0;                    // steps done in it
    std::int64_t bytes = 0;                   // roughly
    std::shared_ptr<const Checkpoint> state;  // without its values where `place` has them
    std::vector<std::int64_t> counts;         // of the values of each tensor, in its order
    std::int64_t place = -1;                  // in the file; -1: in memory
  };

  Kept keep(std::shared_ptr<const Checkpoint> state);
  std::shared_ptr<const Checkpoint> load(const Kept& kept) const;  // null where the file cannot be read
  void drop(const Kept& kept);                                     // another may have its place

  static std::int64_t memoryBytes(const Kept& kept);  // of what is not in the file
  std::int64_t freeBytes() const;                     // on the file's disk; 0 where there is no file
  std::int64_t bytes() const { return end_; }         // of the file

 private:
  struct Closed {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  bool store(Kept& kept);

  std::unique_ptr<std::FILE, Closed> file_;
  std::int64_t end_ = 0;            // of the file
  std::vector<std::int64_t> free_;  // places in it, each for a state like the first
  std::int64_t placeBytes_ = 0;
};

}  // namespace lab
