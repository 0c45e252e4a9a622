// SPDX-License-Identifier: GPL-3.0-or-later
// The end of a step on simulated devices: its verbs have been carried out, and took no time; now the step model says
// when each of them was.
#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/cluster/cluster.h"

namespace lab {

const std::vector<Arrival>& Cluster::waitFor(std::int64_t count) {
  LAB_CHECK(modelled_ != nullptr && !asynchronous() && step() > 0 && count >= 1 && count <= replicas());
  if (aborting_) throw TaskLost{};
  waitsFor_ = static_cast<int>(count);
  const StepTiming& timing = modelled_->stepOf({batches_, ModelledClock::Sends::Gradients, waitsFor_, step()}).timing;
  leftOut_ = timing.leftOut;
  for (const int late : leftOut_) replica(late).leftOut = true;
  return timing.arrivals;
}

StepTimes Cluster::endModelledStep() {
  const auto each = [this](const auto& body) {
    for (int r = 0; r < replicas(); ++r) body(replica(r).clock);
  };
  if (step() == 0) {  // start-up: what there was of it is on the clocks
    std::int64_t endNs = 0;
    each([&](const DeviceClock& lane) { endNs = std::max(endNs, lane.nowNs()); });
    each([&](DeviceClock& lane) { lane.waitUntil(endNs, labelOf(Label::WaitForReplicas)); });
    return {.stepNs = endNs - ledger_.beganNs(), .communicationNs = endNs - ledger_.beganNs()};
  }
  using Sends = ModelledClock::Sends;
  const bool reduces = plan_ != nullptr || !parameterDevices_.empty();
  const Sends sends = !reduces ? Sends::Nothing : reduced_ == ReduceTarget::Weights ? Sends::Weights : Sends::Gradients;
  const auto& [timing, inputNs] = modelled_->stepOf({batches_, sends, waitsFor_, step()});
  addInputSpan(inputNs, timing.stages.front().input);
  const std::int64_t beginNs = ledger_.beganNs(), endNs = beginNs + timing.stepNs;
  if (ledger_.spansWanted()) {
    ModelledClock::Lanes lanes = modelled_->lay(timing, beginNs, batches_, plan_);
    for (int r = 0; r < replicas(); ++r)
      replica(r).clock.spans() = std::move(lanes.replicas[static_cast<std::size_t>(r)]);
    if (!parameterDevices_.empty()) parameterDevices_.front()->clock.spans() = std::move(lanes.parameterDevice);
    ledger_.transfers() = std::move(lanes.transfers);
  }
  plan_ = nullptr;
  each([&](DeviceClock& lane) { lane.setModelled(endNs); });
  for (const auto& device : parameterDevices_) device->clock.setModelled(endNs);
  const StageNs stages = timing.meanStages();
  return {.stepNs = timing.stepNs,
          .computeNs = stages.compute + stages.overlapped,
          .communicationNs = stages.exposed,
          .inputNs = stages.input,
          .queueNs = stages.queue,
          .stragglerNs = stages.straggler,
          .launchNs = stages.launch};
}

// Each host prepares its replicas' examples while the step before runs. The first batch is prepared before the first
// step, which begins when it is there.
void Cluster::addInputSpan(std::span<const std::int64_t> needNs, std::int64_t waitNs) {
  const int perHost = replicas() / static_cast<int>(hostClocks_.size());
  if (step() == 1) ledger_.setBegan(std::max(ledger_.beganNs(), std::ranges::max(needNs) - waitNs));
  const std::int64_t thereNs = ledger_.beganNs() + waitNs;
  for (std::size_t h = 0; h < hostClocks_.size(); ++h) {
    std::int64_t examples = 0;
    for (int r = 0; r < perHost; ++r)
      examples += batches_[h * static_cast<std::size_t>(perHost) + static_cast<std::size_t>(r)];
    DeviceClock& host = hostClocks_[h];
    Span span;
    span.startNs = std::max(host.nowNs(), std::min(ledger_.previousBeganNs(), thereNs - needNs[h]));
    span.durationNs = std::clamp<std::int64_t>(needNs[h], 0, std::max<std::int64_t>(0, thereNs - span.startNs));
    span.bytes = examples * (dataset_->train.imageSize() + 1);
    span.count = examples;
    span.lane = host.lane();
    span.label = labelOf(Label::Input);
    span.kind = SpanKind::Input;
    host.setModelled(span.startNs + span.durationNs);
    host.record(span);
  }
}

// The initial values go out over the links, round after round, and nobody does anything else.
void Cluster::startupBroadcast() {
  const std::vector<std::int64_t>& ends = modelled_->roundEnds(initialBroadcast_);
  std::vector<Span>& transfers = ledger_.transfers();
  const std::int64_t stepBeginNs = ledger_.beganNs();
  for (const Transfer& transfer : initialBroadcast_.transfers) {
    const auto round = static_cast<std::size_t>(transfer.round);
    const std::int64_t beginNs = stepBeginNs + (round == 0 ? 0 : ends[round - 1]), endNs = stepBeginNs + ends[round];
    Span span;
    span.startNs = beginNs;
    span.durationNs = endNs - beginNs;
    span.bytes = transfer.count * 4;
    span.offset = transfer.offset;
    span.count = transfer.count;
    span.lane = topology_.linkLane(transfer.from, transfer.to);
    span.from = transfer.from;
    span.to = transfer.to;
    span.round = transfer.round;
    span.label = labelOf(Label::Broadcast);
    span.kind = SpanKind::Transfer;
    transfers.push_back(span);
    for (const int endpoint : {transfer.from, transfer.to}) {
      DeviceClock& lane = replica(endpoint).clock;
      lane.waitUntil(beginNs, labelOf(Label::WaitForReplicas));
      Span part;
      part.startNs = lane.nowNs();
      part.durationNs = endNs - part.startNs;
      part.lane = lane.lane();
      part.label = labelOf(Label::Broadcast);
      part.kind = SpanKind::Reduce;
      lane.record(part);
      lane.setModelled(endNs);
    }
  }
}

}  // namespace lab
