// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/device/memory_tally.h"

#include "core/device/device_clock.h"

namespace lab {

void MemoryTally::count(MemoryKind kind, std::int64_t bytes) {
  const std::lock_guard lock(mutex_);
  of(now_, kind) += bytes;
  if (sumOf(now_) > sumOf(most_)) most_ = now_;
  if (!step_.empty()) step_.changes.push_back({steadyNs() - originNs_, now_, -1});
}

void MemoryTally::begin(std::int64_t originNs) {
  const std::lock_guard lock(mutex_);
  originNs_ = originNs;
  step_.changes.assign(1, {steadyNs() - originNs, now_, -1});
}

void MemoryTally::skip(std::int64_t ns) {
  const std::lock_guard lock(mutex_);
  originNs_ += ns;
}

MemoryTimeline MemoryTally::step() const {
  const std::lock_guard lock(mutex_);
  return step_;
}

MemoryByKind MemoryTally::most() const {
  const std::lock_guard lock(mutex_);
  return most_;
}

}  // namespace lab
