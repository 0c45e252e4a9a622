// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timeline/counters.h"

#include <algorithm>
#include <iterator>

#include "core/base/at.h"

namespace lab {
namespace {

// `before`: the value at the beginning, if nothing changes before.
template <typename Change, typename ValueOf>
Counter counterOf(std::span<const Change> changes, std::int64_t before, std::int64_t beginNs, std::int64_t endNs,
                  ValueOf valueOf) {
  const auto first = std::ranges::upper_bound(changes, beginNs, {}, &Change::ns);
  Counter counter{beginNs, endNs, {{beginNs, first == changes.begin() ? before : valueOf(*std::prev(first))}}};
  for (auto change = first; change != changes.end() && change->ns < endNs; ++change)
    if (valueOf(*change) != counter.steps.back().value) counter.steps.push_back({change->ns, valueOf(*change)});
  return counter;
}

}  // namespace

void LinkUseCounter::take(const Span& span, const TraceLegend& legend) {
  if (span.kind != SpanKind::Transfer || !at(legend.tracks, span.track).isLink) return;
  const std::int64_t beginNs = std::max(countedNs_, span.startNs);
  const std::int64_t endNs = std::max(countedNs_, span.startNs + span.durationNs);
  if (beginNs == endNs) return;
  changes_.push_back({beginNs, span.bytes, 1});
  changes_.push_back({endNs, -span.bytes, -1});
}

std::vector<LinkUse> LinkUseCounter::before(std::int64_t ns) {
  std::ranges::sort(changes_, {}, &LinkUse::ns);
  std::vector<LinkUse> steps;
  auto next = changes_.begin();
  while (next != changes_.end() && next->ns < ns) {
    const LinkUse last = now_;
    now_.ns = next->ns;
    for (; next != changes_.end() && next->ns == now_.ns; ++next) {
      now_.bytes += next->bytes;
      now_.links += next->links;
    }
    if (now_.bytes != last.bytes || now_.links != last.links) steps.push_back(now_);
  }
  changes_.erase(changes_.begin(), next);
  countedNs_ = std::max(countedNs_, ns);
  return steps;
}

LinkUse mostUse(std::span<const LinkUse> changes, std::int64_t fromNs, std::int64_t toNs) {
  LinkUse most{fromNs};
  auto change = std::ranges::upper_bound(changes, fromNs, {}, &LinkUse::ns);
  if (change != changes.begin()) --change;
  for (; fromNs < toNs && change != changes.end() && change->ns < toNs; ++change) {
    most.bytes = std::max(most.bytes, change->bytes);
    most.links = std::max(most.links, change->links);
  }
  return most;
}

Counter::Stretch Counter::stretch(std::size_t step) const {
  return {steps[step].ns, step + 1 < steps.size() ? steps[step + 1].ns : endNs, steps[step].value};
}

std::size_t Counter::indexAt(std::int64_t ns) const {
  const auto after = std::ranges::upper_bound(steps, ns, {}, &Step::ns);
  return after == steps.begin() ? 0 : static_cast<std::size_t>(after - steps.begin()) - 1;
}

std::int64_t Counter::highest() const {
  return std::ranges::max_element(steps, {}, &Step::value)->value;
}

Counter bytesInFlight(std::span<const LinkUse> changes, std::int64_t beginNs, std::int64_t endNs) {
  return counterOf(changes, 0, beginNs, endNs, [](const LinkUse& use) { return use.bytes; });
}

Counter linksInUse(std::span<const LinkUse> changes, std::int64_t beginNs, std::int64_t endNs) {
  return counterOf(changes, 0, beginNs, endNs, [](const LinkUse& use) { return use.links; });
}

Counter memoryOf(const MemoryTimeline& memory, std::int64_t beginNs, std::int64_t endNs) {
  const auto all = [](const MemoryTimeline::Change& change) { return sumOf(change.bytes); };
  return counterOf(std::span<const MemoryTimeline::Change>(memory.changes), all(memory.changes.front()), beginNs, endNs,
                   all);
}

}  // namespace lab
