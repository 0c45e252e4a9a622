// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/replica.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/cluster/gpu_replicas.h"
#include "core/cluster/labels.h"

namespace lab {
void Variables::create(std::int64_t size, std::int64_t lead, std::size_t slotCount) {
  weights = AlignedBuffer<float>(size, lead);
  gradients = AlignedBuffer<float>(size, lead);
  slotValues.clear();
  for (std::size_t i = 0; i < slotCount; ++i) slotValues.emplace_back(size, lead);
}

std::int64_t Variables::bytes() const {
  std::int64_t total = weights.bytes() + gradients.bytes();
  for (const AlignedBuffer<float>& slot : slotValues) total += slot.bytes();
  return total;
}

OpCost updateCost(const OptimizerSettings& optimizer, std::int64_t parameters) {
  // About 10 operations a parameter for Adam; the bytes decide (timing/README.md, Device).
  return {10.0 * static_cast<double>(parameters),
          static_cast<double>(optimizer.bytesPerParameter()) * static_cast<double>(parameters), 1};
}

Replica::Replica(int index, const ReplicaSettings& settings, DeviceClock deviceClock, double slowdown)
    : clock(std::move(deviceClock)), index_(index), settings_(settings), slowdown_(slowdown) {}

void Replica::gather(const Examples& examples, std::span<const std::int64_t> indices) {
  activations.reserve(std::max<std::int64_t>(1, std::ssize(indices)), settings_.precision);
  gatherExamples(examples, indices, activations.images.data(), activations.labels.data());
}

void Replica::takeShard() {
  activations.reserve(std::max<std::int64_t>(1, std::ssize(shard_)), settings_.precision);
  if (!batchAhead_.take(shard_, activations)) gather(*settings_.train, shard_);
}

void Replica::load(std::vector<std::int64_t> shard) {
  shard_ = std::move(shard);
  if (settings_.gpus != nullptr) {
    settings_.gpus->load(index_, shard_);
    return;
  }
  if (clock.kind() == Clock::Modelled) {
    // On a modelled device the input pipeline works ahead, on a lane of its own (see Cluster::endModelledStep).
    takeShard();
    return;
  }
  clock.begin();
  takeShard();
  clock.end(SpanKind::Input, labelOf(Label::Input), std::ssize(shard_), std::ssize(shard_) * (kImageSize + 1));
}

// The host's copy of the weights is what counts, and that of the gradients is what others read.
void Replica::computeOnGpuAtOnce(float scale) {
  GpuReplicas& gpus = *settings_.gpus;
  const std::int64_t beganNs = steadyNs();
  gpus.sendWeights(index_, variables.weights.data(), {});
  gpus.forwardBackward(index_, scale);
  gpus.fetchGradients(index_, variables.gradients.data(), {});
  gpus.flush(clock.nowNs());
  gpus.downloadOutcome(index_, activations);
  clock.setBusyNs(clock.busyNs() + steadyNs() - beganNs);
}

void Replica::forwardBackward(float scale) {
  if (settings_.gpus != nullptr) {
    if (settings_.gpuResultsAtOnce)
      computeOnGpuAtOnce(scale);
    else
      settings_.gpus->forwardBackward(index_, scale);
    return;
  }
  const std::int64_t n = std::ssize(shard_);
  // What operations take on a modelled device is no affair of theirs: see modelled_clock.
  OpObserver observer;
  if (clock.kind() == Clock::Measured)
    observer = [&](CnnOp op, bool begin) {
      if (begin)
        clock.begin();
      else
        clock.end(SpanKind::Compute, labelOf(op), n);
    };
  lab::forwardBackward(*settings_.backend, settings_.precision, n, scale, variables.weights.data(), activations,
                       variables.gradients.data(), observer);
}

void Replica::restore(std::vector<std::int64_t> shard, float scale) {
  shard_ = std::move(shard);
  if (settings_.gpus != nullptr) {
    settings_.gpus->beginStep(0, GpuReplicas::Watch::None);
    settings_.gpus->load(index_, shard_);
    computeOnGpuAtOnce(scale);
    settings_.gpus->endStep(clock.nowNs());
    (void)settings_.gpus->take(0);
    clock.setBusyNs(0);
    return;
  }
  gather(*settings_.train, shard_);
  lab::forwardBackward(*settings_.backend, settings_.precision, std::ssize(shard_), scale, variables.weights.data(),
                       activations, variables.gradients.data());
}

void Replica::update(double learningRate, std::int64_t iteration) {
  if (settings_.gpus != nullptr) {
    settings_.gpus->update(index_, learningRate, iteration);
    return;
  }
  std::vector<float*> slots;
  for (AlignedBuffer<float>& slot : variables.slotValues) slots.push_back(slot.data());
  const std::int64_t size = variables.weights.size();
  clock.begin();
  applyOptimizer(*settings_.backend, settings_.optimizer, learningRate, iteration, size, variables.gradients.data(),
                 slots, variables.weights.data());
  if (clock.kind() == Clock::Measured) clock.end(SpanKind::Update, labelOf(Label::Update), size);
}

double Replica::lossSum() const {
  if (!resultsAreHere()) return 0;
  double sum = 0;
  for (std::int64_t i = 0; i < std::ssize(shard_); ++i) sum += static_cast<double>(activations.losses[i]);
  return sum;
}

std::int64_t Replica::correct() const {
  if (!resultsAreHere()) return 0;
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < std::ssize(shard_); ++i)
    count += activations.predictions[i] == activations.labels[i] ? 1 : 0;
  return count;
}

void Replica::evaluate(const Examples& examples, std::span<const std::int64_t> indices, const float* weights,
                       float* losses, std::uint8_t* right) {
  if (settings_.gpus != nullptr) {
    settings_.gpus->evaluate(index_, examples, indices, weights, losses, right);
    return;
  }
  // An asynchronous worker may be in the middle of its step.
  const std::size_t kept = hasComputed() ? shard_.size() : 0;
  const std::vector<float> keptLosses(activations.losses.data(), activations.losses.data() + kept);
  const std::vector<std::uint8_t> keptPredictions(activations.predictions.data(),
                                                  activations.predictions.data() + kept);
  const std::vector<std::uint8_t> keptLabels(activations.labels.data(), activations.labels.data() + kept);
  gather(examples, indices);
  const std::int64_t n = std::ssize(indices);
  forward(*settings_.backend, settings_.precision, n, weights, activations);
  for (std::int64_t i = 0; i < n; ++i) {
    losses[i] = activations.losses[i];
    right[i] = activations.predictions[i] == activations.labels[i] ? 1 : 0;
  }
  std::ranges::copy(keptLosses, activations.losses.data());
  std::ranges::copy(keptPredictions, activations.predictions.data());
  std::ranges::copy(keptLabels, activations.labels.data());
}

}  // namespace lab
