// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prediction/step_timeline.h"

namespace lab {

Timeline timelineOf(const RunInfo& info, const StepRecord& record) {
  Timeline timeline;
  timeline.legend = info.legend;
  timeline.clock = info.clock;
  timeline.beginNs = record.beginNs;
  timeline.endNs = record.endNs;
  timeline.spans = record.spans;
  timeline.memory = record.memoryOverStep;
  for (const Span& span : record.spans) timeline.launchNs.push_back(span.launchNs);
  timeline.arrange();
  return timeline;
}

Timeline timelineFromZero(const RunInfo& info, const StepRecord& record) {
  Timeline timeline = timelineOf(info, record);
  const std::int64_t begin = timeline.beginNs;
  for (Span& span : timeline.spans) span.startNs -= begin;
  for (MemoryTimeline& device : timeline.memory) device.shift(-begin);
  timeline.endNs -= begin;
  timeline.beginNs = 0;
  return timeline;
}

}  // namespace lab
