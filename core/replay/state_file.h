// SPDX-License-Identifier: GPL-3.0-or-later
// States of a run, with their values in a nameless scratch file that disappears with this object, so that memory does
// not grow with hours of use. If there is no such file, or no room on its disk, the values stay in memory. The owner
// ensures that only one thread at a time uses this object.
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
    std::int64_t step = 0;                    // number of steps done
    std::int64_t bytes = 0;                   // approximate
    std::shared_ptr<const Checkpoint> state;  // without its values if they are in the file
    std::vector<std::int64_t> counts;         // number of values of each tensor, in order
    std::int64_t place = -1;                  // in the file; -1: in memory
  };

  Kept keep(std::shared_ptr<const Checkpoint> state);
  std::shared_ptr<const Checkpoint> load(const Kept& kept) const;  // null if the file cannot be read
  void drop(const Kept& kept);                                     // frees its place for another state

  static std::int64_t memoryBytes(const Kept& kept);  // of values that are not in the file
  std::int64_t freeBytes() const;                     // on the file's disk; 0 if there is no file
  std::int64_t bytes() const { return end_; }         // of the file

 private:
  struct Closed {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  bool store(Kept& kept);

  std::unique_ptr<std::FILE, Closed> file_;
  std::int64_t end_ = 0;            // of the file
  std::vector<std::int64_t> free_;  // free places in it, each sized for the first state
  std::int64_t placeBytes_ = 0;
};

}  // namespace lab
