// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/modelled_timeline.h"

#include <algorithm>
#include <cmath>

namespace lab {
namespace {

using Kind = ModelledSpan::Kind;

// Labels in this order: what has no layer, then forward and backward of each layer.
constexpr const char* kLabels[] = {"update",           "all-reduce",        "pull weights",
                                   "all-reduce",       "wait for replicas", "wait for weights",
                                   "pulls and pushes", "wait for input",    "wait for server"};
constexpr int kUpdate = 0, kSend = 1, kPull = 2, kTakePart = 3, kWaitForReplicas = 4, kWaitForWeights = 5,
              kExchange = 6, kWaitForInput = 7, kWaitForServers = 8, kFirstLayer = 9;

int labelOf(const ModelledSpan& span) {
  switch (span.kind) {
    case Kind::Forward:
      return kFirstLayer + 2 * span.index;
    case Kind::Backward:
      return kFirstLayer + 2 * span.index + 1;
    case Kind::Update:
      return kUpdate;
    case Kind::Send:
      return kSend;
    case Kind::Pull:
      return kPull;
    case Kind::TakePart:
      return kTakePart;
    case Kind::WaitForReplicas:
      return kWaitForReplicas;
    case Kind::WaitForWeights:
      return kWaitForWeights;
    case Kind::Exchange:
      return kExchange;
    case Kind::WaitForServers:
      return kWaitForServers;
    case Kind::ServerUpdate:
      return kUpdate;
    case Kind::WaitForInput:
      return kWaitForInput;
  }
  return kUpdate;
}

SpanKind kindOf(Kind kind) {
  switch (kind) {
    case Kind::Forward:
    case Kind::Backward:
      return SpanKind::Compute;
    case Kind::Update:
    case Kind::ServerUpdate:
      return SpanKind::Update;
    case Kind::Send:
    case Kind::Pull:
      return SpanKind::Transfer;
    case Kind::TakePart:
    case Kind::WaitForWeights:
    case Kind::Exchange:
      return SpanKind::Reduce;
    case Kind::WaitForServers:
    case Kind::WaitForReplicas:
    case Kind::WaitForInput:
      break;
  }
  return SpanKind::Wait;
}

}  // namespace

Timeline timelineOf(const TimingRun& run, const StepTiming& timing, int mostReplicas) {
  const Network& network = run.network();
  const int shown = std::min(run.replicas(), mostReplicas);
  Timeline timeline;
  timeline.clock = Clock::Modelled;
  timeline.endNs = timing.stepNs;
  for (int r = 0; r < shown; ++r) {
    const std::string name = "replica " + std::to_string(r);
    timeline.legend.parties.push_back({name, network.hostOf(r)});
    timeline.legend.lanes.push_back({name + " · " + network.device(r).name, network.hostOf(r), false, r});
  }
  const int pulls = shown, sends = shown + 1;
  timeline.legend.lanes.push_back({"weights · pulled by all", 0, true, -1});
  timeline.legend.lanes.push_back({"gradients · sent by all", 0, true, -1});
  timeline.legend.labels.assign(std::begin(kLabels), std::end(kLabels));
  const Reducer method = run.request().method;
  if (method == Reducer::CentralHost || method == Reducer::CentralDevice || method == Reducer::ServersSync)
    timeline.legend.labels[kSend] = timeline.legend.labels[kTakePart] = "push gradients";
  for (const LayerProfile& layer : run.model().layers)
    for (const char* pass : {" forward", " backward"}) timeline.legend.labels.push_back(layer.name + pass);
  for (const ModelledSpan& each : timing.spans) {
    if (each.replica >= shown) continue;
    Span span;
    span.startNs = each.beginNs;
    span.durationNs = each.endNs - each.beginNs;
    span.step = 1;
    span.bytes = std::llround(each.bytes);
    span.kind = kindOf(each.kind);
    span.label = static_cast<std::uint16_t>(labelOf(each));
    span.lane = each.replica >= 0 ? each.replica : each.kind == Kind::Pull ? pulls : sends;
    if (each.kind == Kind::Send || each.kind == Kind::Pull) span.pack = each.index;
    timeline.spans.push_back(span);
    timeline.launchNs.push_back(each.launchNs);
  }
  timeline.arrange();
  return timeline;
}

StageBill billOf(const StageNs& stages) {
  StageBill bill{};
  const auto set = [&](StepStage stage, std::int64_t ns) { bill[static_cast<std::size_t>(stage)] = ns; };
  set(StepStage::Compute, stages.compute);
  set(StepStage::Overlapped, stages.overlapped);
  set(StepStage::Exposed, stages.exposed);
  set(StepStage::Straggler, stages.straggler);
  set(StepStage::Input, stages.input);
  set(StepStage::Launch, stages.launch);
  set(StepStage::Queue, stages.queue);
  return bill;
}

}  // namespace lab
