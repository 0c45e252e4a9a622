// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prediction/modelled_timeline.h"
#include "core/base/at.h"
#include "core/trace/messages.h"

#include <algorithm>
#include <cmath>

namespace lab {
namespace {

using ModelledKind = ModelledSpan::Kind;

// Labels in the order that timelineOf() makes: those without a layer, then forward and backward of each layer.
constexpr int kUpdate = 0, kSend = 1, kPull = 2, kTakePart = 3, kWaitForReplicas = 4, kWaitForWeights = 5,
              kExchange = 6, kWaitForInput = 7, kWaitForServers = 8, kSums = 9, kCancelled = 10, kFirstLayer = 11;

int labelOf(const ModelledSpan& span) {
  switch (span.kind) {
    case ModelledKind::Forward:
      return kFirstLayer + 2 * span.index;
    case ModelledKind::Backward:
      return kFirstLayer + 2 * span.index + 1;
    case ModelledKind::Cancelled:
      return kCancelled;
    case ModelledKind::Update:
      return kUpdate;
    case ModelledKind::Send:
      return kSend;
    case ModelledKind::Pull:
    case ModelledKind::Gather:
    case ModelledKind::TakeGathered:
      return kPull;
    case ModelledKind::TakePart:
      return kTakePart;
    case ModelledKind::WaitForReplicas:
      return kWaitForReplicas;
    case ModelledKind::WaitForWeights:
      return kWaitForWeights;
    case ModelledKind::Exchange:
      return kExchange;
    case ModelledKind::WaitForServers:
      return kWaitForServers;
    case ModelledKind::ServerUpdate:
      return kUpdate;
    case ModelledKind::WaitForInput:
      return kWaitForInput;
    case ModelledKind::ShareSums:
    case ModelledKind::AddSums:
    case ModelledKind::ReturnSums:
      return kSums;
  }
  return kUpdate;
}

SpanKind kindOf(ModelledKind kind) {
  switch (kind) {
    case ModelledKind::Forward:
    case ModelledKind::Backward:
    case ModelledKind::Cancelled:
      return SpanKind::Compute;
    case ModelledKind::Update:
    case ModelledKind::ServerUpdate:
      return SpanKind::Update;
    case ModelledKind::Send:
    case ModelledKind::Gather:
    case ModelledKind::Pull:
    case ModelledKind::AddSums:
    case ModelledKind::ReturnSums:
      return SpanKind::Transfer;
    case ModelledKind::ShareSums:
    case ModelledKind::TakePart:
    case ModelledKind::TakeGathered:
    case ModelledKind::WaitForWeights:
    case ModelledKind::Exchange:
      return SpanKind::Reduce;
    case ModelledKind::WaitForServers:
    case ModelledKind::WaitForReplicas:
    case ModelledKind::WaitForInput:
      break;
  }
  return SpanKind::Wait;
}

}  // namespace

Timeline timelineOf(const TimingRun& run, const StepTiming& timing, int mostReplicas) {
  const Network& network = run.network();
  const int shown = std::min(run.replicas(), mostReplicas);
  Timeline timeline;
  timeline.clock = TimeSource::Modelled;
  timeline.endNs = timing.stepNs;
  for (int r = 0; r < shown; ++r) {
    const Message name(say::replicaEndpoint, r);
    timeline.legend.endpoints.push_back({name, network.hostOf(r)});
    timeline.legend.tracks.push_back({{say::deviceTrack, name, network.device(r).name}, network.hostOf(r), false, r});
  }
  const int pulls = shown, sends = shown + 1;
  timeline.legend.tracks.push_back({say::pulledByAll, 0, true, -1});
  timeline.legend.tracks.push_back({say::sentByAll, 0, true, -1});
  timeline.legend.labels = {say::update,          say::allReduce,      say::pullWeights,    say::allReduce,
                            say::waitForReplicas, say::waitForWeights, say::pullsAndPushes, say::waitForInput,
                            say::waitForServer,   say::exchangeSums,   say::cancelled};
  const Reducer method = run.request().method;
  if (method == Reducer::CentralHost || method == Reducer::CentralDevice || method == Reducer::ServersSync)
    timeline.legend.labels[kSend] = timeline.legend.labels[kTakePart] = say::pushGradients;
  if (run.request().shardStage > 0) {
    timeline.legend.labels[kSend] = timeline.legend.labels[kTakePart] = say::reduceScatter;
    timeline.legend.labels[kPull] = say::gatherWeights;
  }
  for (const LayerProfile& layer : run.model().layers)
    for (const Text* pass : {&say::forwardOf, &say::backwardOf}) timeline.legend.labels.emplace_back(*pass, layer.name);
  for (const ModelledSpan& each : timing.spans) {
    if (each.replica >= shown) continue;
    Span span;
    span.startNs = each.beginNs;
    span.durationNs = each.endNs - each.beginNs;
    span.step = 1;
    span.bytes = std::llround(each.bytes);
    span.kind = kindOf(each.kind);
    span.label = static_cast<std::uint16_t>(labelOf(each));
    const bool isPull = each.kind == ModelledKind::Pull || each.kind == ModelledKind::Gather;
    span.track = each.replica >= 0 ? each.replica : isPull ? pulls : sends;
    if (each.kind == ModelledKind::Send || isPull) span.pack = each.index;
    timeline.spans.push_back(span);
    timeline.launchNs.push_back(each.launchNs);
  }
  timeline.arrange();
  return timeline;
}

StageBreakdown breakdownOf(const StageNs& stages) {
  StageBreakdown breakdown{};
  const auto set = [&](StepStage stage, std::int64_t ns) { at(breakdown, stage) = ns; };
  set(StepStage::Compute, stages.compute);
  set(StepStage::Overlapped, stages.overlapped);
  set(StepStage::Exposed, stages.exposed);
  set(StepStage::Straggler, stages.straggler);
  set(StepStage::Input, stages.input);
  set(StepStage::Launch, stages.launch);
  set(StepStage::Queue, stages.queue);
  set(StepStage::Idle, stages.nextCycle);
  return breakdown;
}

}  // namespace lab
