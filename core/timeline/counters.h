// SPDX-License-Identifier: GPL-3.0-or-later
// How the counters of a trace change over time: bytes in flight and links in use, counted in one place for a timeline's
// totals, its Chrome trace and the counter tracks below it; and a device's memory. Plain values; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/trace/memory_timeline.h"
#include "core/trace/span.h"

namespace lab {

// What transfers have on links, from a moment until the next change.
struct LinkUse {
  std::int64_t ns = 0;
  std::int64_t bytes = 0, links = 0;
  bool operator==(const LinkUse&) const = default;
};

// Counts transfers as they come. What ends at a moment is gone before another transfer begins.
class LinkUseCounter {
 public:
  void take(const Span& span, const TraceLegend& legend);  // ignores what is no transfer on a link
  // Returns the changes before `ns`, by time, each once. What is taken later and began before counts from `ns` on.
  std::vector<LinkUse> before(std::int64_t ns);

 private:
  std::vector<LinkUse> changes_;  // differences, not returned yet
  std::int64_t countedNs_ = std::numeric_limits<std::int64_t>::min();
  LinkUse now_;
};

// Returns the most bytes and the most links within [fromNs, toNs); `ns` is `fromNs`.
LinkUse mostUse(std::span<const LinkUse> changes, std::int64_t fromNs, std::int64_t toNs);

// A counter over a step.
struct Counter {
  struct Step {
    std::int64_t ns = 0, value = 0;
  };
  struct Stretch {
    std::int64_t beginNs = 0, endNs = 0, value = 0;
  };
  std::int64_t beginNs = 0, endNs = 0;
  std::vector<Step> steps;  // by time, the first at `beginNs`; a value holds until the next step

  Stretch stretch(std::size_t step) const;
  std::size_t indexAt(std::int64_t ns) const;  // of the step that holds then; outside: of the first or the last
  Stretch at(std::int64_t ns) const { return stretch(indexAt(ns)); }
  std::int64_t highest() const;
};

Counter bytesInFlight(std::span<const LinkUse> changes, std::int64_t beginNs, std::int64_t endNs);
Counter linksInUse(std::span<const LinkUse> changes, std::int64_t beginNs, std::int64_t endNs);
Counter memoryOf(const MemoryTimeline& memory, std::int64_t beginNs, std::int64_t endNs);  // must not be empty

}  // namespace lab
