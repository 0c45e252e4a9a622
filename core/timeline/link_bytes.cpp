// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timeline/link_bytes.h"

#include <algorithm>
#include <map>

#include "core/base/at.h"

namespace lab {

std::vector<LinkBytes> linkBytes(const TraceLegend& legend, const StepRecord& record, std::int64_t ns) {
  std::map<int, std::int64_t> carried;
  for (const Span& span : record.spans) {
    const std::int64_t arrivedNs = span.startNs + span.durationNs;
    if (span.kind != SpanKind::Transfer || span.bytes <= 0 || arrivedNs <= record.beginNs || arrivedNs > record.endNs)
      continue;
    if (!at(legend.tracks, span.track).isLink) continue;
    carried[span.track] += arrivedNs <= ns ? span.bytes : 0;
  }
  std::vector<LinkBytes> links;
  for (const auto& [track, bytes] : carried) links.push_back({track, bytes});
  return links;
}

std::optional<LinkBytes> busiestLink(const TraceLegend& legend, const StepRecord& record) {
  const std::vector<LinkBytes> links = linkBytes(legend, record);
  const auto most = std::ranges::max_element(links, {}, &LinkBytes::bytes);
  if (most == links.end()) return std::nullopt;
  return *most;
}

}  // namespace lab
