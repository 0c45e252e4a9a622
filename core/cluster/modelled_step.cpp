// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/modelled_step.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/timeline/timeline.h"
#include "core/timing/whole_ns.h"

namespace lab {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

// Returns the transfers of an all-reduce that still happen when some ranks die: a rank that misses a transfer sends no
// more.
std::vector<Span> untilDeath(std::vector<Span> transfers, const std::vector<bool>& isDead, std::int64_t atNs) {
  std::ranges::stable_sort(transfers, {}, &Span::startNs);
  std::vector<std::int64_t> stalledNs(isDead.size(), kNever);
  std::vector<Span> kept;
  for (Span& span : transfers) {
    const auto from = static_cast<std::size_t>(span.from), to = static_cast<std::size_t>(span.to);
    const std::int64_t endNs = span.startNs + span.durationNs;
    const bool sent = span.startNs < (isDead[from] ? atNs : stalledNs[from]);
    const bool arrives = sent && (!isDead[from] || endNs <= atNs) && (!isDead[to] || endNs <= atNs);
    if (!arrives) stalledNs[to] = std::min(stalledNs[to], endNs);
    if (!sent || (!arrives && span.startNs >= atNs)) continue;
    if (!arrives) lose(span, atNs);
    kept.push_back(span);
  }
  return kept;
}

}  // namespace

const std::vector<Arrival>& ModelledStep::waitFor(std::int64_t count) {
  LAB_CHECK(parts_.modelled != nullptr && !parts_.asynchronous() && parts_.ledger.step() > 0 && count >= 1 &&
            count <= parts_.replicas());
  dead_.stopIfAborting();
  parts_.present.waitsFor = static_cast<int>(count);
  const StepTiming& timing =
      parts_.modelled->stepOf({parts_.present.batches, {}, parts_.present.waitsFor, parts_.ledger.step()}).timing;
  parts_.present.leftOut = timing.leftOut;
  for (const int late : parts_.present.leftOut) parts_.replica(late).leftOut = true;
  return timing.arrivals;
}

StepTimes ModelledStep::end() {
  const auto each = [this](const auto& body) {
    for (int r = 0; r < parts_.replicas(); ++r) body(parts_.replica(r).clock);
  };
  if (parts_.ledger.step() == 0) {  // start-up: its time is on the clocks already
    std::int64_t endNs = 0;
    each([&](const DeviceClock& track) { endNs = std::max(endNs, track.nowNs()); });
    each([&](DeviceClock& track) { track.waitUntil(endNs, labelOf(Label::WaitForReplicas)); });
    return {.stepNs = endNs - parts_.ledger.beganNs(), .communicationNs = endNs - parts_.ledger.beganNs()};
  }
  const ModelledClock::Question asked{parts_.present.batches, parts_.present.exchange, parts_.present.waitsFor,
                                      parts_.ledger.step()};
  const auto& [timing, inputNs] = parts_.modelled->stepOf(asked);
  addInputSpan(inputNs, timing.stages.front().input);
  const std::int64_t beginNs = parts_.ledger.beganNs(), endNs = sumNs(beginNs, timing.stepNs, kLongestRunNs);
  if (parts_.ledger.spansWanted()) {
    ModelledClock::Tracks tracks = parts_.modelled->lay(timing, beginNs, parts_.present.batches, parts_.present.plan);
    for (int r = 0; r < parts_.replicas(); ++r) parts_.replica(r).clock.spans() = std::move(at(tracks.replicas, r));
    if (!parts_.parameterDevices.empty())
      parts_.parameterDevices.front()->clock.spans() = std::move(tracks.parameterDevice);
    parts_.ledger.transfers() = std::move(tracks.transfers);
  }
  if (parts_.ledger.recording() != nullptr || parts_.telemetry.memoryWanted()) {
    parts_.present.memory = parts_.modelled->memoryOf(asked);
    for (MemoryTimeline& device : parts_.present.memory) device.shift(beginNs);
  }
  parts_.present.plan = nullptr;
  each([&](DeviceClock& track) { track.setModelled(endNs); });
  for (const auto& device : parts_.parameterDevices) device->clock.setModelled(endNs);
  const StageNs stages = timing.meanStages();
  return {.stepNs = timing.stepNs,
          .computeNs = stages.compute + stages.overlapped,
          .communicationNs = stages.exposed,
          .inputNs = stages.input,
          .queueNs = stages.queue,
          .stragglerNs = stages.straggler,
          .launchNs = stages.launch,
          .overlappedNs = stages.overlapped};
}

// Each host prepares its replicas' examples while the previous step runs. The first batch is prepared before the first
// step, which begins when the batch is ready.
void ModelledStep::addInputSpan(std::span<const std::int64_t> needNs, std::int64_t waitNs) {
  const int perHost = parts_.replicas() / static_cast<int>(parts_.hostClocks.size());
  if (parts_.ledger.step() == 1)
    parts_.ledger.setBegan(std::max(parts_.ledger.beganNs(), std::ranges::max(needNs) - waitNs));
  const std::int64_t thereNs = parts_.ledger.beganNs() + waitNs;
  for (std::size_t h = 0; h < parts_.hostClocks.size(); ++h) {
    std::int64_t examples = 0;
    for (int r = 0; r < perHost; ++r)
      examples += parts_.present.batches[h * static_cast<std::size_t>(perHost) + static_cast<std::size_t>(r)];
    DeviceClock& host = parts_.hostClocks[h];
    Span span;
    span.startNs = std::max(host.nowNs(), std::min(parts_.ledger.previousBeganNs(), thereNs - needNs[h]));
    span.durationNs = std::clamp<std::int64_t>(needNs[h], 0, std::max<std::int64_t>(0, thereNs - span.startNs));
    span.bytes = examples * (parts_.dataset->train.imageSize() + 1);
    span.count = examples;
    span.track = host.track();
    span.label = labelOf(Label::Input);
    span.kind = SpanKind::Input;
    host.setModelled(span.startNs + span.durationNs);
    host.record(span);
  }
}

void ModelledStep::startupBroadcast(const Schedule& schedule) {
  const std::vector<std::int64_t>& ends = parts_.modelled->roundEnds(schedule);
  std::vector<Span>& transfers = parts_.ledger.transfers();
  const std::int64_t stepBeginNs = parts_.ledger.beganNs();
  for (const Transfer& transfer : schedule.transfers) {
    const auto round = static_cast<std::size_t>(transfer.round);
    const std::int64_t beginNs = stepBeginNs + (round == 0 ? 0 : ends[round - 1]), endNs = stepBeginNs + ends[round];
    transfers.push_back(parts_.topology.transferSpan(transfer, 0, Label::Broadcast, -1, beginNs, endNs));
    for (const int endpoint : {transfer.from, transfer.to}) {
      DeviceClock& track = parts_.replica(endpoint).clock;
      track.waitUntil(beginNs, labelOf(Label::WaitForReplicas));
      Span part;
      part.startNs = track.nowNs();
      part.durationNs = endNs - part.startNs;
      part.track = track.track();
      part.label = labelOf(Label::Broadcast);
      part.kind = SpanKind::Reduce;
      track.record(part);
      track.setModelled(endNs);
    }
  }
}

StepEnd ModelledStep::abort() {
  const auto& [timing, inputNs] = parts_.modelled->stepOf(
      {parts_.present.batches, parts_.present.exchange, parts_.present.waitsFor, parts_.ledger.step()});
  addInputSpan(inputNs, timing.stages.front().input);
  const std::int64_t beginNs = parts_.ledger.beganNs();
  ModelledClock::Tracks tracks = parts_.modelled->lay(timing, beginNs, parts_.present.batches, parts_.present.plan);
  std::vector<bool> isDead(static_cast<std::size_t>(parts_.topology.endpoints()));
  for (int r = 0; r < parts_.replicas(); ++r) at(isDead, r) = dead_.isOf(r);
  const auto died = [&](int endpoint) { return at(isDead, endpoint); };
  // The time of death: in the middle of the first transfer to another worker, or, if there is none, after computing.
  std::int64_t atNs = kNever, computedNs = beginNs;
  for (const Span& span : tracks.transfers)
    if (died(span.from) && !died(span.to)) atNs = std::min(atNs, span.startNs + span.durationNs / 2);
  for (int r = 0; r < parts_.replicas(); ++r)
    for (const Span& span : at(tracks.replicas, r))
      if (died(r) && span.kind == SpanKind::Compute) computedNs = std::max(computedNs, span.startNs + span.durationNs);
  if (atNs == kNever) atNs = computedNs;
  const bool frozen = dead_.fault().what == RunFault::What::Freeze;
  const std::int64_t endNs = atNs + faultNs(frozen ? "fault.heartbeat_raise_ms" : "fault.raise_ms");
  dead_.add({.index = dead_.fault().index,
             .sinceNs = atNs,
             .noticedNs = atNs + faultNs(frozen ? "fault.heartbeat_ms" : "fault.reset_ms")});

  parts_.ledger.transfers() = untilDeath(std::move(tracks.transfers), isDead, atNs);
  for (const Span& span : parts_.ledger.transfers()) parts_.ledger.addBytesSent(span.bytes);
  for (int r = 0; r < parts_.replicas(); ++r) {
    std::int64_t busyNs = beginNs;
    for (Span span : at(tracks.replicas, r)) {
      const bool ownWork = span.kind == SpanKind::Compute || span.label == labelOf(Label::WaitForInput);
      if (!ownWork || (died(r) && span.startNs >= atNs)) continue;
      if (died(r)) span.durationNs = std::min(span.durationNs, atNs - span.startNs);
      busyNs = std::max(busyNs, span.startNs + span.durationNs);
      parts_.replica(r).clock.record(span);
    }
    const std::int64_t fromNs = died(r) ? std::max(busyNs, atNs) : busyNs;
    parts_.replica(r).clock.record(waitSpan(r, fromNs, endNs, died(r) ? Label::TaskIsDead : Label::WaitForDeadTask));
    parts_.replica(r).clock.setModelled(endNs);
  }

  StepValues values;
  for (int r = 0; r < parts_.replicas(); ++r) {
    values.lossSum += parts_.replica(r).lossSum();
    values.correct += parts_.replica(r).correct();
  }
  values.times = timesOfAborted(beginNs, endNs);
  return {StepOutcome(values), {}, beginNs, endNs};
}

// Means over the replicas, computed from the spans on their tracks.
StepTimes ModelledStep::timesOfAborted(std::int64_t beginNs, std::int64_t endNs) {
  Timeline timeline;
  timeline.legend = parts_.topology.legend();
  const auto take = [&timeline](const std::vector<Span>& spans) {
    for (const Span& span : spans) {
      timeline.spans.push_back(span);
      timeline.launchNs.push_back(span.launchNs);
    }
  };
  for (int r = 0; r < parts_.replicas(); ++r) take(parts_.replica(r).clock.spans());
  take(parts_.ledger.transfers());
  timeline.arrange();
  StageBreakdown sum{};
  for (int r = 0; r < parts_.replicas(); ++r) {
    const StageBreakdown one = timeline.breakdown(r, beginNs, endNs);
    for (std::size_t s = 0; s < kStages; ++s) sum[s] += one[s];
  }
  const auto mean = [&](StepStage stage) { return at(sum, stage) / parts_.replicas(); };
  StepTimes times{.stepNs = endNs - beginNs,
                  .computeNs = mean(StepStage::Compute) + mean(StepStage::Overlapped),
                  .communicationNs = mean(StepStage::Exposed),
                  .inputNs = mean(StepStage::Input),
                  .stragglerNs = mean(StepStage::Straggler),
                  .launchNs = mean(StepStage::Launch),
                  .overlappedNs = mean(StepStage::Overlapped)};
  times.faultNs =
      times.stepNs - times.computeNs - times.communicationNs - times.inputNs - times.stragglerNs - times.launchNs;
  return times;
}

}  // namespace lab
