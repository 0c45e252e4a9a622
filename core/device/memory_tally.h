// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes of one device's buffers, by kind, counted as they are allocated and freed (MemoryScope): the present bytes,
// the most so far, and each change since a step began. Most steps allocate nothing, so counting costs nothing.
#pragma once

#include <cstdint>
#include <mutex>

#include "core/trace/memory_timeline.h"

namespace lab {

class MemoryTally final : public MemoryCounter {
 public:
  void count(MemoryKind kind, std::int64_t bytes) override;

  // Begins a step; later allocations belong to it. `originNs` is the origin of the step's clock (StepLedger).
  void begin(std::int64_t originNs);
  void skip(std::int64_t ns);  // the clock stood still for this time
  MemoryTimeline step() const;
  MemoryByKind most() const;  // at the moment with the most bytes so far

 private:
  mutable std::mutex mutex_;  // needed because another thread prefetches batches
  std::int64_t originNs_ = 0;
  MemoryByKind now_{}, most_{};
  MemoryTimeline step_{TimeSource::Measured, {}};
};

}  // namespace lab
