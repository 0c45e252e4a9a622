// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/modelled_clock.h"
#include "core/replicas/channel_sums.h"

#include <algorithm>
#include <cmath>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/base/units.h"
#include "core/replicas/labels.h"
#include "core/timing/device_track.h"
#include "core/timing/input_wait.h"
#include "core/timing/memory_model.h"
#include "core/timing/round_cost.h"
#include "core/timing/whole_ns.h"

namespace lab {
namespace {

using Kind = ModelledSpan::Kind;

constexpr std::size_t kMostRemembered = 256;

Span spanOf(std::int64_t beginNs, std::int64_t endNs, int track, SpanKind kind, std::uint16_t label,
            std::int64_t count = 0) {
  Span span;
  span.startNs = beginNs;
  span.durationNs = endNs - beginNs;
  span.track = track;
  span.kind = kind;
  span.label = label;
  span.count = count;
  return span;
}

Label waitOf(Kind kind) {
  return kind == Kind::WaitForServers ? Label::WaitForServer
         : kind == Kind::WaitForInput ? Label::WaitForInput
                                      : Label::WaitForReplicas;
}

}  // namespace

ModelledClock::ModelledClock(std::shared_ptr<const StepModel> model, const NeuralNetwork& network, Topology& topology)
    : model_(std::move(model)), topology_(topology), loss_(labelOfOperation(network.lossOperation())) {
  for (const NetworkLayer& layer : network.layers())
    if (layer.forward >= 0) {
      forward_.push_back(labelOfOperation(layer.forward));
      backward_.push_back(labelOfOperation(layer.backward));
    }
  LAB_CHECK(model_ != nullptr && model_->model.layers.size() == forward_.size());
}

StepRequest ModelledClock::requestOf(const Question& asked) const {
  StepRequest request = withExchange(model_->asked(), asked.exchange);
  request.batches = asked.batches;
  request.traced = true;
  request.waitsFor = asked.waitsFor;
  request.step = asked.step;
  return request;
}

const ModelledClock::Step& ModelledClock::stepOf(Question asked) {
  if (!model_->request.stragglers.drawsEachStep()) asked.step = 0;
  const auto found = steps_.find(asked);
  if (found != steps_.end()) return found->second;
  if (steps_.size() >= kMostRemembered) steps_.clear();
  const StepRequest request = requestOf(asked);
  Step step{simulateStep(request), {}};
  for (int host = 0; host < topology_.settings().hosts; ++host) step.inputNs.push_back(inputNs(request, host));
  return steps_.emplace(std::move(asked), std::move(step)).first->second;
}

std::vector<MemoryTimeline> ModelledClock::memoryOf(const Question& asked) {
  return memoryOver(requestOf(asked), stepOf(asked).timing);
}

std::vector<MemoryTimeline> ModelledClock::heldMemory() const {
  return lab::heldMemory(model_->asked());
}

const WorkerTiming& ModelledClock::workerOf(int worker, std::int64_t batch) {
  const auto found = workers_.find({worker, batch});
  if (found != workers_.end()) return found->second;
  StepRequest request = model_->asked();
  request.batches.assign(static_cast<std::size_t>(request.replicas), 0);
  at(request.batches, worker) = batch;
  Programs programs(request);
  WorkerTiming timing;
  const lab::Tracks tracks = makeTracks(request);
  DeviceTrack track = tracks.all[at(tracks.ofReplica, worker)];
  track.replica = worker;
  track.trace = &timing.spans;
  track.walk(programs.of(worker), {});
  timing.computeNs = track.nowNs;
  timing.stages = track.stages;
  timing.inputNs = inputNs(request, request.network->hostOf(worker));
  timing.memory = workerMemory(request, worker, timing.spans);
  return workers_.emplace(std::pair(worker, batch), std::move(timing)).first->second;
}

const std::vector<std::int64_t>& ModelledClock::roundEnds(const Schedule& schedule) {
  const auto [found, isNew] = rounds_.try_emplace(&schedule);
  std::vector<std::int64_t>& ends = found->second;
  if (!isNew) return ends;
  std::int64_t now = 0;
  for (std::size_t i = 0; i < schedule.transfers.size();) {
    std::size_t end = i;
    while (end < schedule.transfers.size() && schedule.transfers[end].round == schedule.transfers[i].round) ++end;
    const std::span<const Transfer> round(&schedule.transfers[i], end - i);
    ends.resize(static_cast<std::size_t>(schedule.transfers[i].round), now);  // rounds without transfers
    ends.push_back(now = sumNs(now, wholeNs(roundNs(round, model_->network))));
    i = end;
  }
  return ends;
}

std::int64_t ModelledClock::updatedBy(int replica, const ReductionPlan* plan) const {
  if (plan == nullptr || !plan->inParts) return model_->model.parameters();
  std::int64_t elements = 0;
  for (const Pack& piece : piecesOf(*plan, replica, topology_.replicas())) elements += piece.count;
  return elements;
}

// Lays out one span of a track. The last layer's forward becomes two spans: its product, and the loss that belongs to
// it.
void ModelledClock::addTrackSpans(const ModelledSpan& from, std::int64_t beginNs, std::int64_t batch, Label exchange,
                                  const ReductionPlan* plan, std::vector<Span>& track) const {
  const int number = topology_.deviceTrack(from.replica);
  const auto index = static_cast<std::size_t>(from.index);
  const std::int64_t begin = beginNs + from.beginNs, end = beginNs + from.endNs;
  const auto add = [&](std::int64_t first, std::int64_t last, SpanKind kind, std::uint16_t label, std::int64_t count,
                       std::int64_t launchNs = 0) {
    track.push_back(spanOf(first, last, number, kind, label, count));
    track.back().launchNs = launchNs;
  };
  switch (from.kind) {
    case Kind::Forward:
      if (index + 1 < forward_.size()) {
        add(begin, end, SpanKind::Compute, forward_[index], batch, from.launchNs);
      } else {
        const std::int64_t lossLaunch = from.launchNs / 2;
        const std::int64_t turn = end - lossLaunch - (end - begin - from.launchNs) / 2;
        add(begin, turn, SpanKind::Compute, forward_[index], batch, from.launchNs - lossLaunch);
        add(turn, end, SpanKind::Compute, loss_, batch, lossLaunch);
      }
      break;
    case Kind::Backward:
      add(begin, end, SpanKind::Compute, backward_[index], batch, from.launchNs);
      break;
    case Kind::Cancelled:
      add(begin, end, SpanKind::Compute, labelOf(Label::Cancelled), batch, from.launchNs);
      break;
    case Kind::Update:
      add(begin, end, SpanKind::Update, labelOf(Label::Update), updatedBy(from.replica, plan), from.launchNs);
      break;
    case Kind::TakePart:
      add(begin, end, SpanKind::Reduce, labelOf(exchange), 0);
      if (exchange != Label::PushGradients) track.back().pack = from.index;
      break;
    case Kind::TakeGathered:
      add(begin, end, SpanKind::Reduce, labelOf(Label::GatherWeights), 0);
      track.back().pack = from.index;
      break;
    case Kind::WaitForWeights:
      add(begin, end, SpanKind::Reduce,
          labelOf(exchange == Label::ReduceScatter ? Label::GatherWeights : Label::PullWeights), 0);
      break;
    case Kind::WaitForReplicas:
    case Kind::WaitForServers:
    case Kind::WaitForInput:
      add(begin, end, SpanKind::Wait, labelOf(waitOf(from.kind)), 0);
      break;
    case Kind::ShareSums:
      add(begin, end, SpanKind::Reduce, labelOf(Label::ExchangeSums), 0);
      break;
    case Kind::AddSums:
    case Kind::ReturnSums:
    case Kind::Send:
    case Kind::Gather:
    case Kind::Pull:
    case Kind::Exchange:
    case Kind::ServerUpdate:
      break;
  }
}

void ModelledClock::lay(const WorkerTiming& timing, int worker, std::int64_t beginNs, std::int64_t batch,
                        std::vector<Span>& track) {
  LAB_CHECK(timing.spans.empty() || timing.spans.front().replica == worker);
  for (const ModelledSpan& span : timing.spans)
    addTrackSpans(span, beginNs, batch, Label::PushGradients, nullptr, track);
}

// The model gives the pack's total time. Its rounds follow each other, each with a share proportional to its own cost;
// what NCCL adds is spread over its ring.
void ModelledClock::addPackSpans(const Schedule& schedule, std::int64_t offset, int index, std::int64_t beginNs,
                                 std::int64_t endNs, Label label, std::vector<Span>& transfers) {
  const std::vector<std::int64_t>& ends = roundEnds(schedule);
  const auto at = [&](std::int64_t ns) {
    const double share = static_cast<double>(ns) / static_cast<double>(std::max<std::int64_t>(1, ends.back()));
    return beginNs + std::llround(share * static_cast<double>(endNs - beginNs));
  };
  for (const Transfer& transfer : schedule.transfers) {
    const auto round = static_cast<std::size_t>(transfer.round);
    transfers.push_back(topology_.transferSpan(transfer, offset, label, index,
                                               round == 0 ? beginNs : at(ends[round - 1]), at(ends[round])));
  }
}

// Like addPackSpans(); with a parameter device, the sums are copied to this device and back.
void ModelledClock::addSumSpans(const ModelledSpan& from, std::int64_t beginNs, std::vector<Span>& transfers) {
  const auto elements = static_cast<std::int64_t>(std::llround(from.bytes) / kBytesPerElement);
  if (topology_.settings().parameterDevices > 0) {
    std::size_t next = transfers.size();
    addCopySpans(0, from, beginNs, transfers);
    for (; next < transfers.size(); ++next) transfers[next].label = labelOf(Label::ExchangeSums);
  } else {
    const auto [found, isNew] = sums_.try_emplace(elements);
    if (isNew)
      found->second =
          makeSumsSchedule(model_->request.sums, topology_.replicas(), topology_.settings().hosts, -1, elements);
    addPackSpans(found->second, 0, -1, beginNs + from.beginNs, beginNs + from.endNs, Label::ExchangeSums, transfers);
  }
}

// Lays out copies of a variable between its only place and every replica: all at once, over the bus that they share.
void ModelledClock::addCopySpans(std::int64_t offset, const ModelledSpan& from, std::int64_t beginNs,
                                 std::vector<Span>& transfers) {
  const bool pull = from.kind == Kind::Pull || from.kind == Kind::ReturnSums;
  const int device = topology_.parameterDevice(0);
  for (int r = 0; r < topology_.replicas(); ++r) {
    Span span =
        spanOf(beginNs + from.beginNs, beginNs + from.endNs, 0, SpanKind::Transfer,
               labelOf(pull ? Label::PullWeights : Label::PushGradients), std::llround(from.bytes) / kBytesPerElement);
    span.bytes = std::llround(from.bytes);
    span.offset = offset;
    span.from = pull ? device : r;
    span.to = pull ? r : device;
    span.track = topology_.linkTrack(span.from, span.to);
    span.round = r;
    span.add = !pull;
    transfers.push_back(span);
  }
}

ModelledClock::Tracks ModelledClock::lay(const StepTiming& timing, std::int64_t beginNs,
                                         std::span<const std::int64_t> batches, const ReductionPlan* plan) {
  Tracks tracks;
  tracks.replicas.resize(static_cast<std::size_t>(topology_.replicas()));
  // Packs are in memory order.
  std::vector<std::int64_t> offsets;
  std::int64_t offset = 0;
  for (const PackTiming& pack : timing.packs) {
    offsets.push_back(offset);
    offset += std::llround(pack.bytes) / kBytesPerElement;
  }
  LAB_CHECK(plan == nullptr || plan->packs.size() == timing.packs.size() || timing.packs.empty());
  const bool central = topology_.settings().parameterDevices > 0;
  const Label exchange = central ? Label::PushGradients : plan != nullptr ? plan->label() : Label::AllReduce;
  const int deviceTrack = central ? topology_.deviceTrack(topology_.parameterDevice(0)) : 0;
  // The parameter device takes part from the first of the pulls (or pushes) to the last.
  std::vector<Span> parts;
  for (const ModelledSpan& span : timing.spans) {
    const std::int64_t begin = beginNs + span.beginNs, end = beginNs + span.endNs;
    if (span.replica >= 0) {
      const auto r = static_cast<std::size_t>(span.replica);
      addTrackSpans(span, beginNs, batches[r], exchange, plan, tracks.replicas[r]);
    } else if (span.kind == Kind::AddSums || span.kind == Kind::ReturnSums) {
      addSumSpans(span, beginNs, tracks.transfers);
    } else if (span.kind == Kind::ServerUpdate) {
      tracks.parameterDevice.push_back(
          spanOf(begin, end, deviceTrack, SpanKind::Update, labelOf(Label::Update), model_->model.parameters()));
    } else if (central) {
      addCopySpans(at(offsets, span.index), span, beginNs, tracks.transfers);
      const auto label = labelOf(span.kind == Kind::Pull ? Label::PullWeights : Label::PushGradients);
      if (parts.empty() || parts.back().label != label)
        parts.push_back(spanOf(begin, end, deviceTrack, SpanKind::Reduce, label));
      parts.back().durationNs = std::max(parts.back().durationNs, end - parts.back().startNs);
    } else {
      LAB_CHECK(plan != nullptr);
      const auto pack = static_cast<std::size_t>(span.index);
      const bool gathers = span.kind == Kind::Gather;
      const double perElement = gathers ? Carried().perElement() : plan->carried.perElement();
      LAB_CHECK(std::llround(static_cast<double>(plan->packs[pack].pack.count) * perElement) ==
                std::llround(span.bytes));
      addPackSpans(gathers ? plan->packs[pack].gather : plan->packs[pack].schedule, plan->packs[pack].pack.offset,
                   span.index, begin, end, gathers ? Label::GatherWeights : exchange, tracks.transfers);
    }
  }
  tracks.parameterDevice.insert(tracks.parameterDevice.begin(), parts.begin(), parts.end());
  for (std::vector<Span>& track : tracks.replicas) std::ranges::stable_sort(track, {}, &Span::startNs);
  return tracks;
}

}  // namespace lab
