// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/span.h"

#include <algorithm>

#include "core/base/error.h"

namespace lab {

bool isValid(const TraceLegend& legend) {
  const auto isHost = [](const auto& each) { return each.host >= 0 && each.host < kMaxHosts; };
  const auto endpoints = static_cast<std::int64_t>(legend.endpoints.size());
  return legend.endpoints.size() <= kMaxEndpoints && legend.tracks.size() <= kMaxTracks &&
         legend.labels.size() <= kMaxLabels && std::ranges::all_of(legend.endpoints, isHost) &&
         std::ranges::all_of(legend.tracks, isHost) && std::ranges::all_of(legend.tracks, [&](const auto& track) {
           return track.endpoint >= -1 && track.endpoint < endpoints;
         });
}

bool isValid(const Span& span, const TraceLegend& legend) {
  // 146 years; guarantees that a start and a duration can be added.
  constexpr std::int64_t kLongestNs = std::int64_t{1} << 62;
  const auto within = [](std::int64_t value, std::int64_t from, std::size_t to) {
    return value >= from && value < static_cast<std::int64_t>(to);
  };
  return span.startNs >= 0 && span.startNs < kLongestNs && span.durationNs >= 0 && span.durationNs < kLongestNs &&
         span.step >= 0 && span.bytes >= 0 && span.offset >= 0 && span.count >= 0 && span.round >= -1 &&
         span.pack >= -1 && within(span.track, 0, legend.tracks.size()) &&
         within(span.from, -1, legend.endpoints.size()) && within(span.to, -1, legend.endpoints.size()) &&
         within(span.label, 0, legend.labels.size()) && span.kind <= SpanKind::Startup &&
         span.clock <= TimeSource::Measured;
}

const char* toString(SpanKind kind) {
  switch (kind) {
    case SpanKind::Input:
      return "input";
    case SpanKind::Compute:
      return "compute";
    case SpanKind::Transfer:
      return "transfer";
    case SpanKind::Reduce:
      return "reduce";
    case SpanKind::Update:
      return "update";
    case SpanKind::Wait:
      return "wait";
    case SpanKind::Startup:
      return "startup";
  }
  throwBrokenInvariant("known span kind", __FILE__, __LINE__);
}

const char* toString(TimeSource clock) {
  return clock == TimeSource::Modelled ? "modelled" : "measured";
}

}  // namespace lab
