// SPDX-License-Identifier: GPL-3.0-or-later
// What the host learns of the replicas on GPUs: what a step gave, with the GPUs' own times between events, and what
// lies in their memory between steps.
#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/cluster/gpu/gpu_device.h"
#include "core/cluster/gpu/gpu_replicas.h"

namespace lab {

// In order: a step begins when the one before is done.
void GpuReplicas::finishUntil(std::int64_t step) {
  Slot& other = slotOf(step + 1);
  if (other.underWay && other.step < step) finish(other);
  if (Slot& slot = slotOf(step); slot.underWay) finish(slot);
}

StepValues GpuReplicas::sumOf(const Slot& slot) {
  StepValues values;
  if (slot.compared) values.mirrorsIdentical = true;
  if (among_ != nullptr) among_->ofReplicas.clear();
  for (int r = 0; r < static_cast<int>(devices_.size()); ++r) {
    values.lossSum += slot.tally(r)->lossSum;
    values.correct += slot.tally(r)->correct;
    if (among_ != nullptr) among_->ofReplicas.push_back({slot.tally(r)->lossSum, slot.tally(r)->correct, {}, {}});
    if (*slot.differs(r) != 0) values.mirrorsIdentical = false;
  }
  if (among_ != nullptr) tellDigests(slot.digests());
  return values;
}

void GpuReplicas::finish(Slot& slot) {
  layer_->waitForEvent(slot.endEvent);
  slot.underWay = false;

  StepValues values = sumOf(slot);
  StepTimes& result = values.times;
  // The GPU began at the step's launch, or after the step before.
  const std::int64_t beginNs = std::max(slot.launchNs, lastEndNs_);
  // What was left out until the first, second … pause was over.
  std::vector<std::int64_t> pausedNs{0};
  for (const Slot::Pause& pause : slot.pauses)
    pausedNs.push_back(pausedNs.back() + layer_->elapsedNs(pause.begin, pause.end));
  result.stepNs = layer_->elapsedNs(slot.beginEvent, slot.endEvent) - pausedNs.back();
  lastEndNs_ = std::max(lastEndNs_, beginNs + result.stepNs);
  result.computeNs = result.stepNs;
  const auto since = [&](int event, int gpu, std::size_t pauses) {
    return layer_->elapsedNs(slot.beginOfGpu[static_cast<std::size_t>(gpu)], event) - pausedNs[pauses];
  };
  if (!slot.communications.empty()) {
    // As the slowest replica sees it: from its gradients being there to everybody's sum being there.
    std::int64_t slowest = 0, summed = 0;
    for (const Slot::Communication& part : slot.communications) {
      slowest = std::max(slowest, since(part.begin, part.gpu, part.pausesBefore));
      summed = std::max(summed, since(part.end, part.gpu, part.pauses));
    }
    result.communicationNs = std::clamp<std::int64_t>(summed - slowest, 0, result.stepNs);
    result.computeNs = result.stepNs - result.communicationNs;
  }
  std::vector<Span> spans;
  for (const TimedSpan& timed : slot.spans) {
    Span span = timed.span;
    span.startNs = beginNs + since(timed.begin, timed.gpu, timed.pauses);
    span.durationNs = layer_->elapsedNs(timed.begin, timed.end);
    spans.push_back(span);
  }
  for (const TakenApart& part : slot.takenApart) {
    const std::int64_t wholeNs = layer_->elapsedNs(part.whole.begin, part.whole.end);
    const std::int64_t startNs = beginNs + since(part.whole.begin, part.whole.gpu, part.whole.pauses);
    const auto layersNs = static_cast<double>(std::max<std::int64_t>(1, layer_->elapsedNs(part.begin, part.end)));
    const auto place = [&](int event) {
      const double share = static_cast<double>(layer_->elapsedNs(part.begin, event)) / layersNs;
      return startNs + static_cast<std::int64_t>(share * static_cast<double>(wholeNs));
    };
    for (const TimedSpan& layer : part.layers) {
      Span span = layer.span;
      span.startNs = place(layer.begin);
      span.durationNs = place(layer.end) - span.startNs;
      spans.push_back(span);
    }
  }
  slot.outcome.know(values);
  if (among_ != nullptr)
    among_->spans = std::move(spans);
  else
    ledger_.publish(spans);
}

// ---- between steps, or after flush(): these wait

void GpuReplicas::upload(Device& d, const Variables& host) {
  waitForAll();
  gpu::CommandList list;
  list.copy(d.stream, d.weights, host.weights.data(), host.weights.bytes());
  for (std::size_t i = 0; i < host.slotValues.size(); ++i)
    list.copy(d.stream, d.slots[i], host.slotValues[i].data(), host.slotValues[i].bytes());
  layer_->submit(list.commands());
  layer_->waitForStream(d.stream);
}

void GpuReplicas::download(Device& d, Variables& host) {
  waitForAll();
  gpu::CommandList list;
  list.copy(d.stream, host.weights.data(), d.weights, host.weights.bytes());
  list.copy(d.stream, host.gradients.data(), d.gradients, host.gradients.bytes());
  for (std::size_t i = 0; i < host.slotValues.size(); ++i)
    list.copy(d.stream, host.slotValues[i].data(), d.slots[i], host.slotValues[i].bytes());
  list.copy(d.stream, host.statistics.data(), d.statistics, host.statistics.bytes());
  layer_->submit(list.commands());
  layer_->waitForStream(d.stream);
}

void GpuReplicas::downloadOutcome(Device& d, Activations& host) {
  waitForAll();
  if (host.losses.size() < d.n) {
    host.losses = AlignedBuffer<float>(d.n);
    host.predictions = AlignedBuffer<std::uint8_t>(d.n);
    host.labels = AlignedBuffer<std::uint8_t>(d.n);
  }
  gpu::CommandList list;
  list.copy(d.stream, host.losses.data(), d.activations.losses, d.n * 4);
  list.copy(d.stream, host.predictions.data(), d.activations.predictions, d.n);
  list.copy(d.stream, host.labels.data(), d.activations.labels, d.n);
  layer_->submit(list.commands());
  layer_->waitForStream(d.stream);
}

void GpuReplicas::fetch(Replica& replica) {
  if (!asynchronous_) download(device(replica), replica.variables);
}

void GpuReplicas::send(Replica& replica) {
  if (!asynchronous_) upload(device(replica), replica.variables);
}

void GpuReplicas::look(const std::function<void()>& body) {
  const auto looking = [&] {
    for (const auto& each : devices_) {
      if (asynchronous_) break;
      fetch(replicaOf(*each));
      downloadOutcome(*each, replicaOf(*each).activations);
    }
    body();
  };
  if (slot_ == nullptr) return ledger_.unmeasured(looking);
  pause([&] { ledger_.unmeasured(looking); });
}

std::int64_t GpuReplicas::activationBytes(std::int64_t examples) const {
  ActivationPointers pointers;
  GpuLayerMemory layers;
  return examples == 0 ? 0 : Device::planActivations(nullptr, examples, members().size(), settings_, pointers, layers);
}

bool GpuReplicas::mirrorsIdentical() {
  LAB_CHECK(slot_ == nullptr);
  waitForAll();
  const gpu::PinnedMemory differs(*layer_, 4);
  *differs.as<std::uint32_t>() = 0;
  list_.erase();
  for (std::size_t r = 1; r < devices_.size(); ++r) compare(*devices_[r], differs.as<std::uint32_t>());
  layer_->submit(list_.commands());
  list_.erase();
  waitForAll();
  return *differs.as<std::uint32_t>() == 0;
}

void GpuReplicas::digest(std::uint64_t* sums) {
  for (const auto& each : devices_)
    list_.launch(each->stream, gpu::KernelId::Digest,
                 gpu::DigestArgs{reinterpret_cast<const std::uint32_t*>(each->weights),
                                 sums + each->index * gpu::kDigestShares, layout().size()},
                 gpu::kDigestShares);
}

void GpuReplicas::tellDigests(const std::uint64_t* sums) {
  among_->digests.assign(devices_.size(), 0);
  for (std::size_t i = 0; i < devices_.size() * gpu::kDigestShares; ++i)
    among_->digests[i / gpu::kDigestShares] += sums[i];
}

void GpuReplicas::digest() {
  if (slot_ != nullptr) return digest(slot_->digests());
  waitForAll();
  const gpu::PinnedMemory sums(*layer_,
                               static_cast<std::int64_t>(devices_.size() * gpu::kDigestShares * sizeof(std::uint64_t)));
  list_.erase();
  digest(sums.as<std::uint64_t>());
  layer_->submit(list_.commands());
  list_.erase();
  waitForAll();
  tellDigests(sums.as<std::uint64_t>());
}

void GpuReplicas::evaluate(Replica& replica, const Examples& examples, std::span<const std::int64_t> indices,
                           const float* weights, float* losses, std::uint8_t* right) {
  const std::lock_guard lock(evaluating_);
  LAB_CHECK(slot_ == nullptr && (&examples == &dataset_.train || &examples == &dataset_.test));
  Device& d = device(replica);
  const auto n = std::ssize(indices);
  reserve(d, n);
  waitForAll();  // its parameters are written next
  d.beginStep(0);
  d.takeIndices(indices, examples.count);
  const DataOfGpu& data = *data_[static_cast<std::size_t>(d.gpu)];
  const bool test = &examples == &dataset_.test;
  d.pixels = test ? data.testPixels : data.trainPixels;
  d.labels = test ? data.testLabels : data.trainLabels;
  std::vector<std::uint8_t> predictions(indices.size());
  list_.erase();
  list_.copy(d.stream, d.evaluated, weights, layout().bytes());
  copyParameters(d, n);
  gather(d, n);
  if (course_)
    forward(*d.backend, settings_.precision, n, d.evaluated, d.activations);
  else
    evaluateNetwork(d, n);
  list_.copy(d.stream, losses, d.activations.losses, n * 4);
  list_.copy(d.stream, predictions.data(), d.activations.predictions, n);
  layer_->submit(list_.commands());
  list_.erase();
  layer_->waitForStream(d.stream);
  for (std::size_t i = 0; i < indices.size(); ++i)
    right[i] = predictions[i] == examples.labels[static_cast<std::size_t>(indices[i])] ? 1 : 0;
}

}  // namespace lab
