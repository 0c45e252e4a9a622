// SPDX-License-Identifier: GPL-3.0-or-later
// States of a run, so that any of its steps can be computed again from a near one. Bounded: when it is full every
// second state is dropped, and later ones are to be kept twice as far apart. The first one always stays. Their values
// lie in a scratch file without a name, which goes with the run: an hour of use must not be an hour of memory. Where
// there is no such file, or no room on it, they stay in memory. Any thread.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <vector>

#include "core/run/checkpoint.h"

namespace lab {

class StateHistory {
 public:
  // `budgetBytes` in the file; not more than kMemoryBudget of it once there is no room.
  explicit StateHistory(std::int64_t budgetBytes = kFileBudget);
  static constexpr std::int64_t kFileBudget = 500'000'000, kMemoryBudget = 250'000'000;

  // States come in the order of their steps.
  void keep(std::shared_ptr<const Checkpoint> state);
  // The newest state from which `step` can still be computed: of an earlier step. Null where there is none.
  std::shared_ptr<const Checkpoint> atOrBefore(std::int64_t step) const;

  std::int64_t spacing() const;  // 1, 2, 4 …: how many times as far apart as at first states should be kept now
  std::int64_t states() const;
  std::int64_t capacity() const;     // how many like the first one fit; 0 before it is there
  std::int64_t bytes() const;        // roughly; above the budget only where a single state is
  std::int64_t memoryBytes() const;  // of these, what is not in the file

 private:
  struct Kept {
    std::int64_t step = 0;
    std::int64_t bytes = 0;
    std::shared_ptr<const Checkpoint> state;  // without its values where `place` has them
    std::vector<std::int64_t> counts;         // of the values of each tensor, in its order
    std::int64_t place = -1;                  // in the file; -1: in memory
  };
  struct Closed {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  bool store(Kept& state);
  std::shared_ptr<const Checkpoint> load(const Kept& state) const;

  mutable std::mutex mutex_;
  std::int64_t budgetBytes_;  // guarded by mutex_, as all below
  std::vector<Kept> kept_;
  std::int64_t bytes_ = 0;
  std::int64_t spacing_ = 1;
  std::unique_ptr<std::FILE, Closed> file_;
  std::int64_t end_ = 0;            // of the file
  std::vector<std::int64_t> free_;  // places in it, each for a state like the first
  std::int64_t placeBytes_ = 0;
};

std::int64_t stepOf(const Checkpoint& state);  // steps done in it

}  // namespace lab
