// SPDX-License-Identifier: GPL-3.0-or-later
// What a device's memory holds over a step, by kind: modelled, or measured if the allocations were counted. Plain
// values; any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/memory_kind.h"
#include "core/trace/span.h"

namespace lab {

const char* keyOf(MemoryKind kind);  // in files: "variables"

struct MemoryTimeline {
  static constexpr int kKept = -1, kBatch = -2;  // causes: present before the step; arrival of the batch
  struct Change {
    std::int64_t ns = 0;  // when it begins
    MemoryByKind bytes{};
    int cause = kKept;  // modelled: index in StepTiming::spans, or one of the above
    bool operator==(const Change&) const = default;
  };
  TimeSource clock = TimeSource::Modelled;
  std::vector<Change> changes;  // by time; the first is the state at the step's beginning

  bool empty() const { return changes.empty(); }
  const Change& peak() const;                    // the first change with the most bytes; must not be empty
  const Change* firstAbove(double bytes) const;  // the first change with more than `bytes`; null if there is none
  MemoryByKind at(std::int64_t ns) const;        // before the first change: that change's bytes
  MemoryByKind most() const;                     // the maximum of each kind separately
  void shift(std::int64_t ns);                   // all times
  // Leaves out what lies outside: the state at `beginNs` becomes the first change.
  void clip(std::int64_t beginNs, std::int64_t endNs);
  bool operator==(const MemoryTimeline&) const = default;
};

}  // namespace lab
