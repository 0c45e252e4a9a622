// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/replicas/process_spans.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <tuple>
#include <vector>

#include "core/base/error.h"

namespace lab {

using process::Content;

void ProcessSpans::alignClocks() {
  constexpr std::int64_t kAlignEveryNs = 1'000'000'000;
  constexpr int kExchanges = 8;
  // The first process decides for all whether it is time.
  std::int32_t align = steadyNs() - alignedNs_ > kAlignEveryNs ? 1 : 0;
  peers_.broadcast(&align, sizeof align);
  if (align != 0) {
    peers_.alignClocks(kExchanges);
    alignedNs_ = steadyNs();
  }
}

// Tracks have the same numbers in all processes, because all declare them in the same order.
void ProcessSpans::gather(ReplicaGroup& group) {
  alignClocks();
  std::vector<Span> spans;
  for (int r = 0; r < group.size(); ++r)
    if (group.isHere(r)) std::ranges::copy(group.replica(r).clock.spans(), std::back_inserter(spans));
  std::ranges::copy(ledger_.transfers(), std::back_inserter(spans));
  const std::int64_t head[2]{ledger_.beganNs(), beganNs_};
  Content mine(sizeof head + spans.size() * sizeof(Span));
  std::memcpy(mine.data(), head, sizeof head);
  if (!spans.empty()) std::memcpy(mine.data() + sizeof head, spans.data(), spans.size() * sizeof(Span));
  const std::vector<Content> all = peers_.gather(mine);
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    std::int64_t began[2];
    std::memcpy(began, all[rank].data(), sizeof began);
    const std::int64_t shift = ledger_.beganNs() - began[0] + (began[1] - peers_.offsets()[rank].ns - beganNs_);
    std::vector<Span> theirs((all[rank].size() - sizeof began) / sizeof(Span));
    if (!theirs.empty()) std::memcpy(theirs.data(), all[rank].data() + sizeof began, theirs.size() * sizeof(Span));
    for (Span& span : theirs) {
      span.startNs = std::max<std::int64_t>(0, span.startNs + shift);
      LAB_CHECK(isValid(span, topology_.legend()));
      if (span.kind == SpanKind::Transfer)
        ledger_.transfers().push_back(span);
      else
        group.replica(span.track).clock.record(span);
    }
  }
  // Sort as carried out, whatever the clocks say: a hop begins when its receive is posted, one round ahead, and clocks
  // of other processes may be wrong. Adding along the sorted transfers gives the sum.
  std::ranges::stable_sort(ledger_.transfers(), {},
                           [](const Span& span) { return std::tuple(span.step, span.pack, span.round, span.startNs); });
}

}  // namespace lab
