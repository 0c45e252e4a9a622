// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/step_timeline.h"

#include <cmath>

#include "core/cluster/labels.h"
#include "core/cluster/replica.h"
#include "core/model/cnn.h"

namespace lab {
namespace {

// Kernels of an operation, as its device was priced with them.
int launchesOf(const Span& span, const RunInfo& info) {
  const bool once = info.config.strategy == StrategyKind::Tpu;
  if (span.kind == SpanKind::Update) return once ? 0 : updateCost({}, span.count).launches;
  const auto op = static_cast<CnnOp>(span.label);
  if (once) return op == CnnOp::ConvForward ? 1 : 0;
  return cnnOpCost(op, span.count).launches;
}

}  // namespace

std::int64_t launchNsOf(const Span& span, const RunInfo& info) {
  if (span.clock != Clock::Modelled) return 0;
  if (span.kind != SpanKind::Update && (span.kind != SpanKind::Compute || span.label >= kCnnOps)) return 0;
  const int party = info.legend.lanes[static_cast<std::size_t>(span.lane)].party;
  if (party < 0) return 0;
  const DeviceFacts& device = info.devices[static_cast<std::size_t>(party)];
  return std::llround(launchesOf(span, info) * device.launchOverheadUs * 1e3 * device.slowdown);
}

Timeline timelineOf(const RunInfo& info, const StepRecord& record) {
  Timeline timeline;
  timeline.legend = info.legend;
  timeline.clock = info.clock;
  timeline.beginNs = record.beginNs;
  timeline.endNs = record.endNs;
  timeline.spans = record.spans;
  for (const Span& span : record.spans) timeline.launchNs.push_back(launchNsOf(span, info));
  timeline.arrange();
  return timeline;
}

}  // namespace lab
