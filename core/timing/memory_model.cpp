// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timing/memory_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/at.h"
#include "core/base/ceil_divide.h"
#include "core/base/units.h"
#include "core/timing/device_program.h"
#include "core/timing/step_packs.h"
#include "core/trace/messages.h"

namespace lab {
namespace {

using Kind = ModelledSpan::Kind;

// Returns whether others hold and update the one copy of the variables.
bool variablesElsewhere(const StepRequest& request) {
  return (request.replicas > 1 || request.serversApart) && usesServers(request.method) &&
         request.method != Reducer::ReduceBroadcast;
}

// An update reads weights, gradients and slots, and writes weights and slots.
double slotBytes(const StepRequest& request) {
  return (request.updateBytesPerParameter - 3 * kBytesPerElement) / 2;
}

std::int64_t wholeBytes(double bytes) {
  return std::llround(bytes);
}

class ReplicaMemory {
 public:
  ReplicaMemory(const StepRequest& request, const StepTiming& timing, const std::vector<StepPack>& packs, int replica)
      : request_(request), packs_(packs), replica_(replica) {
    const Precision precision = precisionOn(request.network->device(replica), request.precision);
    perElement_ = (precision == Precision::Float32 ? kBytesPerElement : kBytesPerElement / 2) *
                  static_cast<double>(request.batchOf(replica));
    now_ = kept(precision);
    leftOut_ = std::ranges::binary_search(timing.leftOut, replica);
    averages_ = request.sendsUpdated || (!request.round.empty() && request.round.back().afterUpdate);
    // If gradients are sharded, all of them exist only until they are summed.
    packsGradients_ = !averages_ && !leftOut_ &&
                      (copiesPacks(request) || (request.replicas > 1 && request.shardStage >= kGradientsInParts));
  }

  // Takes a span of this replica, or of all replicas together. `cause`: the span's index in the step.
  void take(const ModelledSpan& span, int cause) {
    if (span.replica >= 0)
      compute(span, cause);
    else
      communicate(span, cause);
  }

  MemoryTimeline timeline() {
    // The replica was cancelled: its activations are discarded.
    if (leftOut_) add(endNs_, MemoryKind::Activations, -activations_, MemoryTimeline::kKept);
    for (const Gather& gather : gathers_)
      add(gather.isBackward ? backwardNs_[packs_[gather.pack].forwardLayer] : forwardNs_[packs_[gather.pack].lastLayer],
          MemoryKind::Packs, -gather.bytes, gather.cause);
    return changes();
  }

 private:
  struct Event {
    std::int64_t ns = 0;
    MemoryKind kind{};
    std::int64_t bytes = 0;
    int cause = -1;
  };
  struct Gather {
    std::size_t pack = 0;
    bool isBackward = false;
    std::int64_t bytes = 0;
    int cause = -1;
  };

  // Returns the memory kept between steps. Mixed precision computes with a copy of half the size.
  MemoryByKind kept(Precision precision) const {
    const std::int64_t whole = request_.model->parameters();
    std::int64_t part = 0;
    for (const StepPack& pack : packs_)
      if (request_.shardStage > 0)
        part += ringChunk(replica_, request_.replicas, wholeBytes(pack.bytes) / kBytesPerElement).count;
    const auto from = [&](int stage) { return static_cast<double>(request_.shardStage >= stage ? part : whole); };
    const double half = precision == Precision::Mixed ? kBytesPerElement / 2.0 : 0;
    const double slots = variablesElsewhere(request_) ? 0 : slotBytes(request_);
    MemoryByKind bytes{};
    of(bytes, MemoryKind::Variables) =
        wholeBytes(kBytesPerElement * (from(kWeightsInParts) + static_cast<double>(request_.model->statistics())) +
                   half * static_cast<double>(whole));
    of(bytes, MemoryKind::Gradients) = wholeBytes(kBytesPerElement * from(kGradientsInParts));
    of(bytes, MemoryKind::Optimizer) =
        wholeBytes(slots * from(1) + request_.keptBytesPerParameter * static_cast<double>(whole));
    return bytes;
  }

  std::int64_t inputBytes() const { return wholeBytes(perElement_ * request_.model->inputElements); }
  std::int64_t outputBytes(std::size_t layer) const {
    return wholeBytes(perElement_ * request_.model->layers[layer].activations);
  }
  std::int64_t gradientBytes(std::size_t layer) const {
    return kBytesPerElement * request_.model->layers[layer].parameters();
  }

  void add(std::int64_t ns, MemoryKind kind, std::int64_t bytes, int cause) {
    if (bytes != 0) events_.push_back({ns, kind, bytes, cause});
  }

  void compute(const ModelledSpan& span, int cause) {
    const auto layer = static_cast<std::size_t>(span.index);
    if (span.kind == Kind::Forward) {
      activations_ += outputBytes(layer);
      add(span.beginNs, MemoryKind::Activations, outputBytes(layer), cause);
      forwardNs_[layer] = endNs_ = span.endNs;
    } else if (span.kind == Kind::Backward) {
      if (packsGradients_) add(span.beginNs, MemoryKind::Packs, gradientBytes(layer), cause);
      const std::int64_t freed = outputBytes(layer) + (layer == 0 ? inputBytes() : 0);
      activations_ -= freed;
      add(span.endNs, MemoryKind::Activations, -freed, cause);
      backwardNs_[layer] = endNs_ = span.endNs;
    } else if (span.kind == Kind::Cancelled) {
      endNs_ = span.endNs;
    }
  }

  void communicate(const ModelledSpan& span, int cause) {
    if (span.kind == Kind::Gather && request_.shardStage >= kWeightsInParts) {
      const auto pack = static_cast<std::size_t>(span.index);
      const bool again = std::ranges::find(gathers_, pack, &Gather::pack) != gathers_.end();
      gathers_.push_back({pack, again, wholeBytes(span.bytes), cause});
      add(span.beginNs, MemoryKind::Packs, gathers_.back().bytes, cause);
    }
    if (span.kind != Kind::Send) return;
    // What is chosen from a pack for its message is chosen from a whole one.
    const std::int64_t pack = wholeBytes(at(packs_, span.index).bytes);
    if (averages_ && copiesPacks(request_)) add(span.beginNs, MemoryKind::Packs, pack, cause);
    if (packsGradients_ || (averages_ && copiesPacks(request_))) add(span.endNs, MemoryKind::Packs, -pack, cause);
    const std::int64_t bytes = wholeBytes(span.bytes);
    // Neighbours: one sender on each side, which may be the same; OneDevice: the others send to the first, one at a
    // time.
    const std::int64_t senders = request_.method == Reducer::Neighbours ? std::min(2, request_.replicas - 1)
                                 : request_.method == Reducer::OneDevice && replica_ == 0 ? 1
                                                                                          : 0;
    add(span.beginNs, MemoryKind::Buffers, senders * bytes, cause);
    add(span.endNs, MemoryKind::Buffers, -senders * bytes, cause);
  }

  // All changes at one moment count as one change, caused by what is allocated then.
  MemoryTimeline changes() {
    std::ranges::stable_sort(events_, {}, &Event::ns);
    MemoryTimeline timeline;
    timeline.changes.push_back({0, now_, MemoryTimeline::kKept});
    of(now_, MemoryKind::Activations) += inputBytes();
    timeline.changes.push_back({0, now_, MemoryTimeline::kBatch});
    for (std::size_t i = 0; i < events_.size();) {
      const std::int64_t ns = events_[i].ns;
      int cause = events_[i].cause;
      for (; i < events_.size() && events_[i].ns == ns; ++i) {
        of(now_, events_[i].kind) += events_[i].bytes;
        if (events_[i].bytes > 0) cause = events_[i].cause;
      }
      if (now_ != timeline.changes.back().bytes) timeline.changes.push_back({ns, now_, cause});
    }
    return timeline;
  }

  const StepRequest& request_;
  const std::vector<StepPack>& packs_;
  int replica_;
  double perElement_ = 0;  // of the whole batch
  bool leftOut_ = false, averages_ = false, packsGradients_ = false;
  MemoryByKind now_{};
  std::int64_t activations_ = inputBytes(), endNs_ = 0;
  std::vector<std::int64_t> forwardNs_ = std::vector<std::int64_t>(request_.model->layers.size(), 0),
                            backwardNs_ = forwardNs_;  // when each layer's pass is over
  std::vector<Gather> gathers_;
  std::vector<Event> events_;
};

// Returns the elements that each device holds for the others.
std::vector<StepRequest::Held> heldElsewhere(const StepRequest& request) {
  const StepRequest::Held all{request.model->parameters(), request.model->statistics()};
  if (!variablesElsewhere(request) || request.method == Reducer::CentralDevice) return {};
  if (request.method == Reducer::CentralHost) return {all};
  if (!request.held.empty()) return request.held;
  return std::vector<StepRequest::Held>(static_cast<std::size_t>(request.servers),
                                        {ceilDivide(all.weights, request.servers), 0});
}

MemoryTimeline memoryOf(const StepRequest& request, const StepRequest::Held& held) {
  MemoryByKind bytes{};
  of(bytes, MemoryKind::Variables) = kBytesPerElement * (held.weights + held.statistics);
  of(bytes, MemoryKind::Gradients) = kBytesPerElement * held.weights;
  of(bytes, MemoryKind::Optimizer) = wholeBytes(slotBytes(request) * static_cast<double>(held.weights));
  return {TimeSource::Modelled, {{0, bytes, MemoryTimeline::kKept}}};
}

}  // namespace

std::vector<MemoryTimeline> memoryOver(const StepRequest& request, const StepTiming& timing) {
  const std::vector<StepPack> packs = makePacks(request);
  std::vector<int> traced;  // in rising order
  for (int r = 0; r < request.replicas; ++r)
    if (request.traces(r)) traced.push_back(r);
  std::vector<ReplicaMemory> memories;
  memories.reserve(traced.size());
  for (const int r : traced) memories.emplace_back(request, timing, packs, r);
  for (std::size_t i = 0; i < timing.spans.size(); ++i) {
    const ModelledSpan& span = timing.spans[i];
    const auto cause = static_cast<int>(i);
    if (span.replica < 0)
      for (ReplicaMemory& each : memories) each.take(span, cause);
    else
      at(memories, std::ranges::lower_bound(traced, span.replica) - traced.begin()).take(span, cause);
  }
  std::vector<MemoryTimeline> all(static_cast<std::size_t>(request.replicas));
  for (std::size_t i = 0; i < traced.size(); ++i) at(all, traced[i]) = memories[i].timeline();
  for (MemoryTimeline& held : heldMemory(request)) all.push_back(std::move(held));
  return all;
}

MemoryTimeline workerMemory(const StepRequest& request, int worker, const std::vector<ModelledSpan>& spans) {
  const std::vector<StepPack> packs = makePacks(request);
  ReplicaMemory memory(request, {}, packs, worker);
  for (std::size_t i = 0; i < spans.size(); ++i) memory.take(spans[i], static_cast<int>(i));
  return memory.timeline();
}

std::vector<MemoryTimeline> heldMemory(const StepRequest& request) {
  std::vector<MemoryTimeline> all;
  for (const StepRequest::Held& held : heldElsewhere(request)) all.push_back(memoryOf(request, held));
  return all;
}

const DeviceModel* deviceOf(const StepRequest& request, std::size_t index) {
  if (index < static_cast<std::size_t>(request.replicas)) return &request.network->device(static_cast<int>(index));
  return request.server ? &*request.server : nullptr;
}

Message operationOf(const StepRequest& request, const StepTiming& timing, const MemoryTimeline::Change& change) {
  if (change.cause < 0) return change.cause == MemoryTimeline::kBatch ? say::input : say::createVariables;
  const ModelledSpan& span = at(timing.spans, change.cause);
  const auto name = [&] { return at(request.model->layers, span.index).name; };
  if (span.kind == Kind::Forward) return {say::forwardOf, name()};
  if (span.kind == Kind::Backward) return {say::backwardOf, name()};
  if (span.kind == Kind::Gather) return say::gatherWeights;
  return request.method == Reducer::Neighbours ? say::shareWeights
         : request.shardStage > 0              ? say::reduceScatter
                                               : say::allReduce;
}

}  // namespace lab
