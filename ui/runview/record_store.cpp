// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runview/record_store.h"

#include <algorithm>
#include <utility>

namespace lab {

void RecordStore::add(std::shared_ptr<const StepRecord> record) {
  const std::int64_t step = record->metric.step;
  const auto same =
      std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) { return kept.record->metric.step == step; });
  if (same != kept_.end()) {
    bytes_ -= same->bytes;
    kept_.erase(same);
  }
  const std::int64_t bytes = record->bytes();
  kept_.push_back({std::move(record), bytes});
  bytes_ += bytes;
  keepWithin(budget_);
}

void RecordStore::keepWithin(std::int64_t budget) {
  while (bytes_ > budget && kept_.size() > kFewest) {
    bytes_ -= kept_.front().bytes;
    kept_.erase(kept_.begin());
  }
}

std::shared_ptr<const StepRecord> RecordStore::find(std::int64_t step) {
  const auto it =
      std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) { return kept.record->metric.step == step; });
  if (it == kept_.end()) return nullptr;
  std::rotate(it, it + 1, kept_.end());
  return kept_.back().record;
}

std::shared_ptr<const StepRecord> RecordStore::newest() const {
  const auto it = std::max_element(kept_.begin(), kept_.end(), [](const Kept& a, const Kept& b) {
    return a.record->metric.step < b.record->metric.step;
  });
  return it == kept_.end() ? nullptr : it->record;
}

void RecordStore::clear() {
  kept_.clear();
  bytes_ = 0;
}

}  // namespace lab
