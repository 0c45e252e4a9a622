// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/replicas/replica.h"

#include "core/base/error.h"
#include "core/replicas/replica_group.h"

namespace lab {

void Variables::create(std::int64_t size, std::int64_t lead, std::size_t slotCount) {
  const auto made = [&](MemoryKind kind) {
    const MemoryScope scope(counter, kind);
    return AlignedBuffer<float>(size, lead);
  };
  weights = made(MemoryKind::Variables);
  gradients = made(MemoryKind::Gradients);
  slotValues.clear();
  for (std::size_t i = 0; i < slotCount; ++i) slotValues.push_back(made(MemoryKind::Optimizer));
}

void Variables::createBeside(Variables& first, std::int64_t lead) {
  const MemoryScope scope(counter, MemoryKind::Gradients);
  gradients = AlignedBuffer<float>(first.weights.size(), lead);
  weights = AlignedBuffer<float>::viewOf(first.weights);
  slotValues.clear();
  for (AlignedBuffer<float>& slot : first.slotValues) slotValues.push_back(AlignedBuffer<float>::viewOf(slot));
}

OpCost updateCost(const OptimizerSettings& optimizer, std::int64_t parameters) {
  // Adam needs about 10 operations per parameter; the bytes dominate (timing/README.md, Device).
  return {10.0 * static_cast<double>(parameters),
          static_cast<double>(optimizer.bytesPerParameter()) * static_cast<double>(parameters), 1};
}

bool Replica::isHere() const {
  return group_.isHere(index_);
}

void Replica::load(std::vector<std::int64_t> shard) {
  shard_ = std::move(shard);
  group_.load(*this);
}

void Replica::forwardBackward(float scale) {
  const std::int64_t step = version + 1;
  editWeights(step);
  group_.forwardBackward(*this, scale);
  editGradients(step, false);
}

void Replica::editWeights(std::int64_t step) {
  for (auto& [edit, id, past, appliedIn] : edits) {
    if (edit.what != RunEdit::What::Weight || past || appliedIn != 0 || step < edit.step) continue;
    LAB_CHECK(!variables.weights.empty());
    variables.weights[edit.index] = edit.applied(variables.weights[edit.index]);
    appliedIn = step;
  }
}

void Replica::editGradients(std::int64_t step, bool again) {
  for (auto& [edit, id, past, appliedIn] : edits) {
    if (edit.what != RunEdit::What::Gradient || step < edit.step) continue;
    if (again ? appliedIn != step : past || appliedIn != 0) continue;
    variables.gradients[edit.index] = edit.applied(variables.gradients[edit.index]);
    appliedIn = step;
  }
}

void Replica::restore(std::vector<std::int64_t> shard, float scale) {
  shard_ = std::move(shard);
  group_.restore(*this, scale);
  editGradients(version + 1, true);
}

void Replica::update(double learningRate, std::int64_t iteration) {
  group_.update(*this, learningRate, iteration);
}

double Replica::lossSum() const {
  double sum = 0;
  for (std::int64_t i = 0; i < std::ssize(shard_); ++i) sum += static_cast<double>(activations.losses[i]);
  return sum;
}

std::int64_t Replica::correct() const {
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < std::ssize(shard_); ++i)
    count += activations.predictions[i] == activations.labels[i] ? 1 : 0;
  return count;
}

void Replica::evaluate(const Examples& examples, std::span<const std::int64_t> indices, const float* weights,
                       float* losses, std::uint8_t* right) {
  group_.evaluate(*this, examples, indices, weights, losses, right);
}

}  // namespace lab
