// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/replicas/collective.h"

#include <algorithm>
#include <limits>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/comm/execute.h"

namespace lab {
namespace {

// For each endpoint of a schedule: whether it takes part, and when its first transfer begins.
struct Participation {
  std::vector<bool> takesPart;
  std::vector<std::int64_t> firstNs;

  explicit Participation(std::size_t endpoints)
      : takesPart(endpoints, false), firstNs(endpoints, std::numeric_limits<std::int64_t>::max()) {}

  void note(int endpoint, std::int64_t beginNs) {
    const auto i = static_cast<std::size_t>(endpoint);
    takesPart[i] = true;
    firstNs[i] = std::min(firstNs[i], beginNs);
  }
};

// Records the time from an endpoint's first transfer to its last, on the endpoint's own track.
void recordPart(DeviceClock& clock, std::int64_t beginNs, std::int64_t endNs, Label label, int pack) {
  Span span;
  span.startNs = beginNs;
  span.durationNs = endNs - beginNs;
  span.track = clock.track();
  span.pack = pack;
  span.label = labelOf(label);
  span.kind = SpanKind::Reduce;
  span.clock = clock.kind();
  clock.record(span);
}

}  // namespace

void Collective::run(const Schedule& schedule, std::int64_t base, std::span<float* const> buffers,
                     std::span<DeviceClock* const> clocks, Label label, int pack) {
  if (schedule.transfers.empty()) return;
  if (topology_.settings().measured)
    runMeasured(schedule, base, buffers, clocks, label, pack);
  else
    execute(schedule, base, buffers, backend_, pool_);
}

void Collective::runMeasured(const Schedule& schedule, std::int64_t base, std::span<float* const> buffers,
                             std::span<DeviceClock* const> clocks, Label label, int pack) {
  const auto endpoints = static_cast<std::size_t>(schedule.ranks);
  const std::int64_t originNs = ledger_.originNs();
  Participation part(endpoints);
  std::vector<std::int64_t> doneNs(endpoints, 0);
  executeMeasured(
      schedule, base, buffers, backend_, pool_,
      [&](const Transfer& transfer, std::int64_t beginSteadyNs, std::int64_t endSteadyNs) {
        const std::int64_t beginNs = beginSteadyNs - originNs, endNs = endSteadyNs - originNs;
        for (const int endpoint : {transfer.from, transfer.to}) {
          part.note(endpoint, beginNs);
          at(doneNs, endpoint) = std::max(at(doneNs, endpoint), endNs);
        }
        if (recording_)
          ledger_.transfers().push_back(topology_.transferSpan(transfer, base, label, pack, beginNs, endNs));
      });
  for (std::size_t p = 0; p < endpoints; ++p) {
    if (!part.takesPart[p] || clocks[p] == nullptr) continue;
    recordPart(*clocks[p], part.firstNs[p], doneNs[p], label, pack);
  }
}

}  // namespace lab
