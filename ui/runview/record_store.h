// SPDX-License-Identifier: GPL-3.0-or-later
// Recent step records, kept complete within a budget of bytes; the least recently used are dropped first. The last two
// stay whatever their size, so that the step before the newest is always there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/trace/step_record.h"

namespace lab {

class RecordStore {
 public:
  static constexpr std::int64_t kDefaultBudget = 24'000'000;
  static constexpr std::size_t kFewest = 2;

  explicit RecordStore(std::int64_t budget = kDefaultBudget) : budget_(budget) {}

  void add(std::shared_ptr<const StepRecord> record);         // replaces an earlier record of the same step
  std::shared_ptr<const StepRecord> find(std::int64_t step);  // null: not kept. Counts as a use
  std::shared_ptr<const StepRecord> newest() const;           // the record of the highest step; null: none
  void keepWithin(std::int64_t budget);                       // applies once; later additions use the store's own
                                                              // budget
  void clear();

  std::size_t size() const { return kept_.size(); }
  std::int64_t bytes() const { return bytes_; }

 private:
  struct Kept {
    std::shared_ptr<const StepRecord> record;
    std::int64_t bytes = 0;
  };

  std::int64_t budget_ = 0, bytes_ = 0;
  std::vector<Kept> kept_;  // the most recently used last
};

}  // namespace lab
