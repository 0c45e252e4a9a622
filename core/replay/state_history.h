// SPDX-License-Identifier: GPL-3.0-or-later
// States of a run, so that any of its steps can be computed again from a near state. The size is bounded: when the
// history is full, it drops the state whose neighbours are nearest to each other (the oldest one, if several are) so
// that no stretch is left out. When all gaps are equal, later states should be kept twice as far apart. The first state
// always stays. Any thread may use it.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/replay/state_file.h"

namespace lab {

class StateHistory {
 public:
  // `budgetBytes` limits the file, which also takes at most a share of its disk's free space. Once the disk has no
  // room, the limit is kMemoryBudget.
  explicit StateHistory(std::int64_t budgetBytes = kFileBudget);
  static constexpr std::int64_t kFileBudget = 1'000'000'000, kMemoryBudget = 250'000'000;

  // States must come in the order of their steps.
  void keep(std::shared_ptr<const Checkpoint> state);
  // Returns the newest state of an earlier step, from which `step` can be computed. Null if there is none.
  std::shared_ptr<const Checkpoint> atOrBefore(std::int64_t step) const;
  std::int64_t stepBefore(std::int64_t step) const;  // step of that state; -1: there is none

  std::int64_t spacing() const;  // 1, 2, 4 …: the present spacing of states as a multiple of the initial one
  std::int64_t states() const;
  std::int64_t capacity() const;     // how many states like the first one fit; 0 if none was kept yet
  std::int64_t bytes() const;        // approximate; above the budget only if a single state is
  std::int64_t memoryBytes() const;  // the bytes that are not in the file
  std::int64_t fileBytes() const;    // bytes of all places used so far

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
