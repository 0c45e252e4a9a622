// SPDX-License-Identifier: GPL-3.0-or-later
// What a device's memory holds over a step, by kind: modelled, or measured where the allocations were counted. Plain
// values; any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/memory_kind.h"
#include "core/trace/span.h"

namespace lab {

const char* keyOf(MemoryKind kind);  // in files: "variables"

struct MemoryTimeline {
  static constexpr int kKept = -1, kBatch = -2;  // causes: it is there before the step; the batch comes
  struct Change {
    std::int64_t ns = 0;  // from here on
    MemoryByKind bytes{};
    int cause = kKept;  // modelled: which of StepTiming::spans, or what comes before them
    bool operator==(const Change&) const = default;
  };
  TimeSource clock = TimeSource::Modelled;
  std::vector<Change> changes;  // by time; the first is what the step begins with

  bool empty() const { return changes.empty(); }
  const Change& peak() const;                    // the first of those with the most bytes; not of an empty one
  const Change* firstAbove(double bytes) const;  // that needs more than so many; null where none does
  MemoryByKind at(std::int64_t ns) const;        // before the first change: what that one has
  MemoryByKind most() const;                     // of each kind by itself
  void shift(std::int64_t ns);                   // all moments
  bool operator==(const MemoryTimeline&) const = default;
};

}  // namespace lab
