// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/memory_timeline.h"

#include <algorithm>

#include "core/base/at.h"
#include "core/base/error.h"

namespace lab {

const char* keyOf(MemoryKind kind) {
  constexpr const char* kKeys[kMemoryKinds] = {"variables",   "gradients", "optimizer",
                                               "activations", "packs",     "buffers"};
  return at(kKeys, kind);
}

const MemoryTimeline::Change& MemoryTimeline::peak() const {
  LAB_CHECK(!changes.empty());
  return *std::ranges::max_element(changes, {}, [](const Change& change) { return sumOf(change.bytes); });
}

const MemoryTimeline::Change* MemoryTimeline::firstAbove(double bytes) const {
  const auto found = std::ranges::find_if(
      changes, [bytes](const Change& change) { return static_cast<double>(sumOf(change.bytes)) > bytes; });
  return found == changes.end() ? nullptr : &*found;
}

MemoryByKind MemoryTimeline::at(std::int64_t ns) const {
  if (changes.empty()) return {};
  const auto after = std::ranges::upper_bound(changes, ns, {}, &Change::ns);
  return after == changes.begin() ? changes.front().bytes : std::prev(after)->bytes;
}

MemoryByKind MemoryTimeline::most() const {
  MemoryByKind most{};
  for (const Change& change : changes)
    for (std::size_t kind = 0; kind < kMemoryKinds; ++kind) most[kind] = std::max(most[kind], change.bytes[kind]);
  return most;
}

void MemoryTimeline::shift(std::int64_t ns) {
  for (Change& change : changes) change.ns += ns;
}

void MemoryTimeline::clip(std::int64_t beginNs, std::int64_t endNs) {
  if (changes.empty()) return;
  const Change first{beginNs, at(beginNs), kKept};
  std::erase_if(changes, [&](const Change& change) { return change.ns <= beginNs || change.ns > endNs; });
  changes.insert(changes.begin(), first);
}

}  // namespace lab
