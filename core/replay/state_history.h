// SPDX-License-Identifier: GPL-3.0-or-later
// States of a run, so that any of its steps can be computed again from a near one. Bounded: when it is full the state
// goes whose neighbours are nearest to each other, of several the oldest, so that no stretch is left out; and when all
// are equally far apart, later ones are to be kept twice as far. The first one always stays. Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/replay/state_file.h"

namespace lab {

class StateHistory {
 public:
  // `budgetBytes` in the file, and at most a part of what is free on its disk; not more than kMemoryBudget once there
  // is no room on it.
  explicit StateHistory(std::int64_t budgetBytes = kFileBudget);
  static constexpr std::int64_t kFileBudget = 1'000'000'000, kMemoryBudget = 250'000'000;

  // States come in the order of their steps.
  void keep(std::shared_ptr<const Checkpoint> state);
  // The newest state from which `step` can still be computed: of an earlier step. Null where there is none.
  std::shared_ptr<const Checkpoint> atOrBefore(std::int64_t step) const;
  std::int64_t stepBefore(std::int64_t step) const;  // of that state; -1: there is none

  std::int64_t spacing() const;  // 1, 2, 4 …: how many times as far apart as at first states should be kept now
  std::int64_t states() const;
  std::int64_t capacity() const;     // how many like the first one fit; 0 before it is there
  std::int64_t bytes() const;        // roughly; above the budget only where a single state is
  std::int64_t memoryBytes() const;  // of these, what is not in the file
  std::int64_t fileBytes() const;    // places in it that have been used

 private:
  void dropOne();
  std::vector<StateFile::Kept>::const_iterator before(std::int64_t step) const;  // end(): none

  mutable std::mutex mutex_;
  StateFile file_;            // guarded by mutex_, as all below
  std::int64_t budgetBytes_;  // after the file
  std::vector<StateFile::Kept> kept_;
  std::int64_t bytes_ = 0;
  std::int64_t spacing_ = 1;
};

}  // namespace lab
