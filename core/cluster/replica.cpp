// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/replica.h"

#include "core/cluster/replica_group.h"

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

void Replica::load(std::vector<std::int64_t> shard) {
  shard_ = std::move(shard);
  group_.load(*this);
}

void Replica::forwardBackward(float scale) {
  group_.forwardBackward(*this, scale);
}

void Replica::restore(std::vector<std::int64_t> shard, float scale) {
  shard_ = std::move(shard);
  group_.restore(*this, scale);
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
