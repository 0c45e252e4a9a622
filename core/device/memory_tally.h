// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes of one device's buffers, by kind, counted as they are allocated and freed (MemoryScope): what they are now,
// what they were at most, and each change since a step began. Nothing is allocated in most steps, so counting is free.
#pragma once

#include <cstdint>
#include <mutex>

#include "core/trace/memory_timeline.h"

namespace lab {

class MemoryTally final : public MemoryCounter {
 public:
  void count(MemoryKind kind, std::int64_t bytes) override;

  // A step begins; what is allocated from now on is of it. `originNs`: of its clock (StepLedger).
  void begin(std::int64_t originNs);
  void skip(std::int64_t ns);  // the clock stood still for so long
  MemoryTimeline step() const;
  MemoryByKind most() const;  // of all moments so far the one with the most bytes

 private:
  mutable std::mutex mutex_;  // a batch is prefetched on another thread
  std::int64_t originNs_ = 0;
  MemoryByKind now_{}, most_{};
  MemoryTimeline step_{TimeSource::Measured, {}};
};

}  // namespace lab
