// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/replicas/gpu/gpu_replicas.h"

#include <algorithm>
#include <utility>

#include "core/base/at.h"
#include "core/base/ceil_divide.h"
#include "core/base/error.h"
#include "core/comm/execute.h"
#include "core/replicas/parameter_device.h"

namespace lab {

GpuReplicas::GpuReplicas(std::shared_ptr<gpu::Layer> layer, const ReplicaSettings& settings, const Dataset& dataset,
                         Topology& topology, StepLedger& ledger, ThreadPool& pool, std::int64_t examples,
                         bool ncclForOne, const ReadProgress& uploaded, GpusAmong* among)
    : parts_(std::move(layer), settings, dataset, topology, ledger, pool, examples, ncclForOne, uploaded, *this, among),
      list_(parts_.list),
      step_(parts_),
      transfers_(parts_, step_),
      compute_(parts_, step_) {}

GpuReplicas::~GpuReplicas() {
  step_.giveUp();
}

void GpuReplicas::beginStep(std::int64_t step, Watch watch) {
  hasWhole_ = false;
  for (int r = 0; isSharded() && r < size(); ++r) {
    Variables& host = replica(r).variables;
    host.shard.summed = false;
    if (host.shard.what != Sharding::None) dropWhole(host);
  }
  compute_.begin();
  step_.begin(step, watch);
}

// One thread is enough, since `body` only enqueues.
void GpuReplicas::forEach(const std::function<void(Replica&)>& body, bool) {
  for (int r = 0; r < parts_.members().size(); ++r) body(parts_.members().replica(r));
  takeApart();
}

void GpuReplicas::takeApart() {
  if (compute_.hasToTakeApart()) step_.pause([this] { parts_.ledger.unmeasured([this] { compute_.takeApart(); }); });
}

void GpuReplicas::forwardBackwardGathering(const std::function<float(const Replica&)>& scaleOf, const SumsSchedule&,
                                           const std::function<void()>& gather) {
  compute_.computeGathering(scaleOf, gather);
  takeApart();
}

void GpuReplicas::forwardBackward(Replica& replica, float scale) {
  GpuDevice& d = parts_.device(replica);
  if (!parts_.asynchronous) return compute_.compute(replica, scale, restoring_);
  // For an asynchronous worker the host's copy of the weights is the valid one, and others read the host's copy of its
  // gradients.
  transfers_.sendWeights(d, replica.variables.weights.data(), {});
  std::ranges::copy(replica.variables.statistics.span(), transfers_.passedStatistics(d).begin());
  transfers_.passStatistics(d, false);
  compute_.compute(replica, scale, restoring_);
  transfers_.fetchGradients(d, replica.variables.gradients.data(), {});
  transfers_.passStatistics(d, true);
  step_.flush();
  std::ranges::copy(transfers_.passedStatistics(d), replica.variables.statistics.data());
  transfers_.downloadOutcome(d, replica.activations);
  if (compute_.hasToTakeApart()) parts_.ledger.unmeasured([this] { step_.pause([this] { compute_.takeApart(); }); });
}

void GpuReplicas::restore(Replica& replica, float scale) {
  beginStep(0, Watch::None);
  load(replica);
  restoring_ = true;
  forwardBackward(replica, scale);
  restoring_ = false;
  (void)endStep();
}

void GpuReplicas::update(Replica& replica, double learningRate, std::int64_t iteration) {
  GpuDevice& d = parts_.device(replica);
  const std::size_t slots = parts_.settings.optimizer.slotNames().size();
  const std::vector<Piece> pieces = piecesOf(replica.variables.shard, parts_.layout().size(), d.values());
  // If the step was interrupted, its numbers are sent separately; otherwise they travel with the other parameters.
  step_.sendNumbers(d);
  Span span = step_.spanOn(d.index, SpanKind::Update, labelOf(Label::Update));
  for (const Piece& piece : pieces) span.count += piece.size;
  step_.timed(d, span, [&] {
    for (const Piece& piece : pieces)
      applyOptimizer(*d.backend, parts_.settings.optimizer, learningRate, iteration, piece.size, piece.gradients,
                     std::span(piece.slotValues).first(slots), piece.weights);
  });
}

void GpuReplicas::broadcast(const Schedule& schedule) {
  send(replica(0));
  transfers_.broadcast(schedule);
}

void GpuReplicas::pullFrom(ParameterDevice& parameters, const Schedule&) {
  for (const auto& each : parts_.devices)
    transfers_.sendWeights(*each, parameters.variables.weights.data(), parts_.topology.parameterDevice(0));
}

// The variables are in the host's memory, so the gradients are copied to the host, which adds them in the schedule's
// order.
void GpuReplicas::reduceTo(ParameterDevice& parameters, const Schedule& schedule) {
  const auto endpoint = static_cast<std::size_t>(parts_.topology.parameterDevice(0));
  std::vector<float*> buffers(static_cast<std::size_t>(parts_.topology.endpoints()), nullptr);
  buffers[endpoint] = parameters.variables.gradients.data();
  for (const auto& each : parts_.devices) {
    float* host = replica(each->index).variables.gradients.data();
    at(buffers, each->index) = host;
    transfers_.fetchGradients(*each, host, static_cast<int>(endpoint));
    if (averages_) transfers_.passStatistics(*each, true);
  }
  step_.flush();
  if (std::exchange(averages_, false)) {
    for (const auto& each : parts_.devices)
      std::ranges::copy(transfers_.passedStatistics(*each), replica(each->index).variables.statistics.data());
    ReplicaGroup::averageStatistics();
    for (const auto& each : parts_.devices) {
      std::ranges::copy(replica(each->index).variables.statistics.span(), transfers_.passedStatistics(*each).begin());
      transfers_.passStatistics(*each, false);
    }
  }
  parameters.clock.begin();
  std::ranges::fill(parameters.variables.gradients.span(), 0.0F);
  execute(schedule, 0, buffers, *parts_.settings.backend, parts_.pool);
  parameters.clock.end(SpanKind::Reduce, labelOf(Label::AddGradients), parameters.size());
}

void GpuReplicas::compare(GpuDevice& d, std::uint32_t* differs) {
  const std::int64_t size = parts_.layout().size();
  const float* other = parts_.device(0).weights;
  if (d.gpu != parts_.device(0).gpu) {
    list_.copy(d.stream, d.evaluated, other, size * 4);
    other = d.evaluated;
  }
  list_.launch(d.stream, gpu::KernelId::Compare,
               gpu::CompareArgs{reinterpret_cast<const std::uint32_t*>(other),
                                reinterpret_cast<const std::uint32_t*>(d.weights), differs, size},
               ceilDivide(size, gpu::kElementThreads));
}

void GpuReplicas::compareMirrors() {
  step_.compareCopies();
  const int updated = step_.dependency(parts_.device(0));
  list_.record(parts_.device(0).stream, updated);
  for (std::size_t r = 1; r < parts_.devices.size(); ++r) {
    list_.wait(parts_.devices[r]->stream, updated);
    compare(*parts_.devices[r], step_.differs(static_cast<int>(r)));
  }
}

void GpuReplicas::runAlone(const std::function<void()>& enqueue) {
  LAB_CHECK(!step_.isUnderWay());
  parts_.waitForAll();
  list_.erase();
  enqueue();
  parts_.layer->submit(list_.commands());
  list_.erase();
  parts_.waitForAll();
}

bool GpuReplicas::mirrorsIdentical() {
  const gpu::PinnedMemory differs(*parts_.layer, 4);
  *differs.as<std::uint32_t>() = 0;
  runAlone([&] {
    for (std::size_t r = 1; r < parts_.devices.size(); ++r) compare(*parts_.devices[r], differs.as<std::uint32_t>());
  });
  return *differs.as<std::uint32_t>() == 0;
}

void GpuReplicas::digest(std::uint64_t* sums) {
  for (const auto& each : parts_.devices)
    list_.launch(each->stream, gpu::KernelId::Digest,
                 gpu::DigestArgs{reinterpret_cast<const std::uint32_t*>(each->weights),
                                 sums + each->index * gpu::kDigestShares, parts_.layout().size()},
                 gpu::kDigestShares);
}

void GpuReplicas::digest() {
  if (step_.isUnderWay()) return digest(step_.digests());
  const std::size_t replicas = parts_.devices.size();
  const gpu::PinnedMemory sums(*parts_.layer,
                               static_cast<std::int64_t>(replicas * gpu::kDigestShares * sizeof(std::uint64_t)));
  runAlone([&] { digest(sums.as<std::uint64_t>()); });
  parts_.among->tellDigests(sums.as<std::uint64_t>(), replicas);
}

void GpuReplicas::fetch(Replica& replica) {
  if (parts_.asynchronous) return;
  if (!isSharded()) return transfers_.download(parts_.device(replica), replica.variables);
  for (const auto& each : parts_.devices) transfers_.download(*each, parts_.replicaOf(*each).variables);
  join(variablesOfAll(), replica.variables);
}

void GpuReplicas::send(Replica& replica) {
  if (parts_.asynchronous) return;
  hasWhole_ = false;
  const bool inParts = replica.variables.shard.what != Sharding::None;
  if (inParts) takePart(replica.variables);
  transfers_.upload(parts_.device(replica), replica.variables);
  if (inParts) dropWhole(replica.variables);
}

std::vector<Variables*> GpuReplicas::variablesOfAll() const {
  std::vector<Variables*> all;
  for (const auto& each : parts_.devices) all.push_back(&parts_.replicaOf(*each).variables);
  return all;
}

void GpuReplicas::shard(const ReductionPlan& plan) {
  const std::size_t slots = parts_.settings.optimizer.slotNames().size();
  for (const auto& each : parts_.devices) {
    Variables& host = parts_.replicaOf(*each).variables;
    shardBy(host, parts_.settings.sharding, lab::piecesOf(plan, each->index, size()), slots,
            parts_.layout().alignmentLead());
    each->reservePart(*parts_.layer, parts_.settings, host.shard.size());
  }
  transfers_.takeParts();
}

const float* GpuReplicas::wholeWeights(Replica& replica) {
  if (parts_.settings.sharding != Sharding::Weights) {
    transfers_.downloadWeights(parts_.device(replica), replica.variables);
    return replica.variables.weights.data();
  }
  Replica& first = this->replica(0);
  if (!std::exchange(hasWhole_, true)) fetch(first);
  return first.variables.weights.data();
}

void GpuReplicas::look(const std::function<void()>& body) {
  const auto looking = [&] {
    for (const auto& each : parts_.devices) {
      if (parts_.asynchronous) break;
      transfers_.download(*each, parts_.replicaOf(*each).variables);
      transfers_.downloadOutcome(*each, parts_.replicaOf(*each).activations);
    }
    if (!isSharded() || parts_.replicaOf(*parts_.devices.front()).variables.shard.what == Sharding::None) return body();
    hasWhole_ = false;
    const std::vector<Variables*> all = variablesOfAll();
    for (Variables* each : all) join(all, *each);
    body();
    for (Variables* each : all) dropWhole(*each);
  };
  if (!step_.isUnderWay()) return parts_.ledger.unmeasured(looking);
  step_.pause([&] { parts_.ledger.unmeasured(looking); });
}

std::int64_t GpuReplicas::activationBytes(std::int64_t examples) const {
  ActivationPointers pointers;
  GpuLayerMemory layers;
  return examples == 0 ? 0
                       : GpuDevice::planActivations(nullptr, examples, parts_.members().size(), parts_.settings,
                                                    pointers, layers);
}

}  // namespace lab
