// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timeline/trace_flows.h"

#include <algorithm>

#include "core/base/at.h"

namespace lab {
namespace {

constexpr std::size_t kMostKept = 256;  // per endpoint: the latest ones

std::int64_t endOf(const Span& span) {
  return span.startNs + span.durationNs;
}

void keep(std::vector<Span>& all, const Span& span) {
  if (all.size() == kMostKept) all.erase(all.begin());
  all.push_back(span);
}

TraceFlow flow(const Span& from, const Span& to) {
  return {{from.track, endOf(from) - 1}, {to.track, to.startNs}};
}

// Returns whether a received transfer may be what `span` needs. A pack of an all-reduce continues with the same pack,
// or into the use of the sum; the backward pass beside it does not wait for the pack.
bool leadsTo(const Span& received, const Span& span) {
  if (endOf(received) > span.startNs) return false;
  if (received.pack < 0) return true;
  if (span.kind == SpanKind::Transfer) return span.pack == received.pack && span.step == received.step;
  return span.kind != SpanKind::Compute || span.step > received.step;
}

}  // namespace

TraceFlows::TraceFlows(const TraceLegend& legend) : endpoints_(legend.endpoints.size()) {
  for (const TraceLegend::Track& track : legend.tracks) endpointOf_.push_back(track.isLink ? -1 : track.endpoint);
}

std::vector<TraceFlow> TraceFlows::take(const Span& span) {
  std::vector<TraceFlow> flows;
  // A slice of zero length has no inside for an arrow to end at, and waiting needs no arrow.
  if (span.durationNs == 0 || span.kind == SpanKind::Wait) return flows;
  const bool sends = span.kind == SpanKind::Transfer && span.from >= 0;
  const int sender = sends ? span.from : at(endpointOf_, span.track);
  if (sender < 0) return flows;
  Endpoint& from = at(endpoints_, sender);
  std::erase_if(from.received, [&](const Span& transfer) {
    const bool leads = leadsTo(transfer, span);
    if (leads) flows.push_back(flow(transfer, span));
    return leads;
  });
  if (!sends) {
    keep(from.done, span);
    return flows;
  }
  if (flows.empty()) {  // no hop continues: start at the sender's latest span
    const Span* latest = nullptr;
    for (const Span& each : from.done)
      if (endOf(each) <= span.startNs && (latest == nullptr || endOf(each) > endOf(*latest))) latest = &each;
    if (latest != nullptr) flows.push_back(flow(*latest, span));
  }
  if (span.to >= 0) keep(at(endpoints_, span.to).received, span);
  return flows;
}

}  // namespace lab
