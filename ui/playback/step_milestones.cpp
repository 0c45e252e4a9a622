// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/playback/step_milestones.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "core/base/at.h"
#include "core/replicas/labels.h"
#include "core/strategy/strategy.h"

namespace lab {
namespace {

std::int64_t endOf(const Span& span) {
  return span.startNs + span.durationNs;
}

// How much time these intervals cover together; they may overlap.
std::int64_t covered(std::vector<std::pair<std::int64_t, std::int64_t>> intervals) {
  std::ranges::sort(intervals);
  std::int64_t sum = 0, upTo = std::numeric_limits<std::int64_t>::min();
  for (const auto& [begin, end] : intervals) {
    if (end <= upTo) continue;
    sum += end - std::max(begin, upTo);
    upTo = end;
  }
  return sum;
}

}  // namespace

StepMilestones milestonesOf(const RunInfo& info, const StepRecord& record) {
  const auto replicas = static_cast<std::size_t>(info.replicas);
  StepMilestones course;
  course.lossNs.assign(replicas, kNever);
  course.gradientNs = course.updateNs = course.lossNs;
  std::vector<std::map<std::uint16_t, std::pair<std::int64_t, std::int64_t>>> operations(replicas);
  for (const Span& span : record.spans) {
    if (span.step != record.metric.step) continue;
    const bool sends = span.kind == SpanKind::Transfer || span.kind == SpanKind::Reduce;
    if (sends && isReduction(span.label)) course.firstSentNs = std::min(course.firstSentNs, span.startNs);
    const int endpoint = span.kind == SpanKind::Transfer ? -1 : at(info.legend.tracks, span.track).endpoint;
    if (endpoint < 0 || endpoint >= info.replicas) continue;
    const auto r = static_cast<std::size_t>(endpoint);
    if (span.kind == SpanKind::Update) course.updateNs[r] = endOf(span);
    if (span.kind != SpanKind::Compute) continue;
    const int operation = operationOf(span.label);
    if (operation == info.network->lossOperation()) course.lossNs[r] = endOf(span);
    const bool isLast = operation + 1 == std::ssize(info.network->operations());
    // A cancelled replica computes no more.
    if (isLast || span.label == labelOf(Label::Cancelled)) course.gradientNs[r] = endOf(span);
    operations[r][span.label] = {span.startNs, endOf(span)};
  }
  course.losses.assign(replicas, 0);
  for (std::size_t r = 0; r < replicas; ++r) {
    if (r < record.replicas.size() && !record.replicas[r].losses.empty()) {
      const std::vector<float>& losses = record.replicas[r].losses;
      course.losses[r] = std::accumulate(losses.begin(), losses.end(), 0.0) / static_cast<double>(losses.size());
    }
    const bool isLate = record.metric.leavesOut(static_cast<int>(r));
    if (course.lossNs[r] == kNever && !isLate) course.lossNs[r] = course.gradientNs[r];
    if (r >= record.replicas.size() || !record.replicas[r].losses.empty())
      course.firstLossNs = std::min(course.firstLossNs, course.lossNs[r]);
    course.lockStep = course.lockStep && (isLate || operations[r] == operations[0]);
  }
  return course;
}

bool hasStartupSequence(const StepRecord& record) {
  return std::ranges::any_of(record.spans, [](const Span& span) { return span.kind == SpanKind::Startup; });
}

ServerLoad serverLoadOf(const RunInfo& info, const StepRecord& record) {
  ServerLoad load{.hasTurns = strategyInfo(info.config.strategy).turns != nullptr};
  const std::int64_t length = record.endNs - record.beginNs;
  if (!record.metric.worker || info.clock != TimeSource::Modelled || length <= 0) return load;
  std::map<std::pair<int, bool>, std::vector<std::pair<std::int64_t, std::int64_t>>> uses;  // (server, from it)
  std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> active(static_cast<std::size_t>(info.replicas));
  std::int64_t applied = 0;
  for (const Span& span : record.spans) {
    const std::pair within{std::max(span.startNs, record.beginNs), std::min(endOf(span), record.endNs)};
    if (span.kind == SpanKind::Transfer) {
      const bool pull = span.from >= info.replicas;
      const int worker = pull ? span.to : span.from;
      if (within.first >= within.second) continue;
      uses[{pull ? span.from : span.to, pull}].push_back(within);
      at(active, worker).push_back(within);
      continue;
    }
    const int endpoint = at(info.legend.tracks, span.track).endpoint;
    if (span.kind == SpanKind::Update && span.step == record.metric.step) applied += span.durationNs;
    // A request in transit is not a queue.
    const bool acts = span.kind == SpanKind::Compute || span.kind == SpanKind::Reduce;
    if (!acts || endpoint < 0 || endpoint >= info.replicas || within.first >= within.second) continue;
    at(active, endpoint).push_back(within);
  }
  for (const auto& [link, intervals] : uses)
    load.busy = std::max(load.busy, static_cast<double>(covered(intervals)) / static_cast<double>(length));
  for (int w = 0; w < info.replicas; ++w)
    // The worker whose cycle ends here waits last for its gradients to be applied.
    load.queued = load.queued || covered(at(active, w)) + (w == *record.metric.worker ? applied : 0) < length;
  // The time that the worker waits for its own update is included there.
  const std::int64_t cycle = record.metric.stepNs, queued = record.metric.queueNs - applied;
  if (cycle > 0) load.queueShare = std::clamp(static_cast<double>(queued) / static_cast<double>(cycle), 0.0, 1.0);
  return load;
}

}  // namespace lab
