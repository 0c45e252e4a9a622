// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/strategy/mirrored_step.h"

#include <algorithm>

#include "core/base/error.h"

namespace lab {

void createMirroredVariables(Cluster& cluster, std::span<const float> initialWeights) {
  const bool inParts = cluster.settings().sharding != Sharding::None;  // the slots are then created with the parts
  const std::size_t slots = inParts ? 0 : cluster.settings().slotNames().size();
  const std::int64_t size = cluster.layout().size(), lead = cluster.layout().alignmentLead();
  Variables& first = cluster.replica(0).variables;
  if (cluster.settings().sharesCopies) first.create(size, lead, slots);
  cluster.forEachReplica([&](Replica& replica) {
    if (!replica.isHere()) return;
    if (!cluster.settings().sharesCopies)
      replica.variables.create(size, lead, slots);
    else if (replica.index() > 0)
      replica.variables.createBeside(first, lead);
  });
  if (cluster.replica(0).isHere()) std::ranges::copy(initialWeights, cluster.replica(0).variables.weights.data());
  cluster.declareBroadcast(Cluster::From::Replica0);
  cluster.broadcast(Cluster::From::Replica0);
}

StepResult mirroredStep(Cluster& cluster, StepInput& input, const ReductionPlan& plan, std::int64_t waitsFor) {
  const DistributedBatch batch = input.next();
  cluster.distribute(batch);
  if (waitsFor > 0) cluster.waitFor(waitsFor);
  cluster.computeGradients();
  cluster.reduceAndUpdate(plan);
  return resultOf(batch);
}

StepResult resultOf(const DistributedBatch& batch) {
  return {.shards = batch.shards, .examples = batch.examples()};
}

namespace {

// Calls body(suffix, buffer) for the weights and each slot; a tensor's name is its variable's name and the suffix.
template <typename AnyVariables, typename Body>
void forEachBuffer(const Cluster& cluster, AnyVariables& variables, const Body& body) {
  body(std::string(), variables.weights);
  const std::vector<std::string> slots = cluster.settings().slotNames();
  for (std::size_t i = 0; i < slots.size(); ++i) body("/" + slots[i], variables.slotValues[i]);
}

// Returns whether the slot is the strategy's own: the checkpoint of another strategy, from which a branch continues,
// lacks it.
bool isOfStrategy(const Cluster& cluster, const std::string& suffix) {
  return std::ranges::any_of(cluster.settings().besideSlots,
                             [&](const std::string& slot) { return suffix == "/" + slot; });
}

}  // namespace

void saveVariables(const Cluster& cluster, const Variables& variables, TensorFile& checkpoint) {
  forEachBuffer(cluster, variables, [&](const std::string& suffix, const AlignedBuffer<float>& buffer) {
    for (const Variable& variable : cluster.layout().variables()) {
      const float* first = buffer.data() + variable.offset;
      checkpoint.tensors[variable.name + suffix] = {variable.shape, {first, first + variable.size}};
    }
  });
}

void loadVariables(const Cluster& cluster, const TensorFile& checkpoint, Variables& variables) {
  forEachBuffer(cluster, variables, [&](const std::string& suffix, AlignedBuffer<float>& buffer) {
    for (const Variable& variable : cluster.layout().variables()) {
      const auto found = checkpoint.tensors.find(variable.name + suffix);
      if (found == checkpoint.tensors.end() && isOfStrategy(cluster, suffix)) continue;
      LAB_CHECK(found != checkpoint.tensors.end());
      const TensorFile::Tensor& tensor = found->second;
      LAB_CHECK(tensor.shape == variable.shape && std::ssize(tensor.values) == variable.size);
      std::ranges::copy(tensor.values, buffer.data() + variable.offset);
    }
  });
}

void ReplicaVariablesStrategy::prepare(Cluster& cluster, std::span<const float> initialWeights) {
  const bool inParts = cluster.settings().sharding != Sharding::None;
  const std::int64_t bytesPerPack = strategyInfo(config_.strategy).packsGradients() ? config_.bytesPerPack : 0;
  plan_ = inParts ? makeShardedPlan(cluster.replicas(), cluster.layout(), bytesPerPack)
                  : makeReductionPlan(config_.reducer, cluster.replicas(), cluster.settings().topology.hosts,
                                      cluster.layout(), bytesPerPack);
  plan_.carry(exchangeAfter(config_, nextExchange(config_, 1)).carried);
  cluster.declareLinks(plan_);
  createMirroredVariables(cluster, initialWeights);
  if (inParts) cluster.group().shard(plan_);
}

const float* ReplicaVariablesStrategy::weightsOf(Cluster& cluster, int replica) {
  return cluster.copies().of(replica).weights.data();
}

void ReplicaVariablesStrategy::save(Cluster& cluster, TensorFile& checkpoint) {
  saveVariables(cluster, cluster.copies().of(0), checkpoint);
}

void ReplicaVariablesStrategy::load(Cluster& cluster, const TensorFile& checkpoint) {
  cluster.pool().forEach(cluster.settings().sharesCopies ? 1 : cluster.replicas(), [&](std::int64_t r) {
    Replica& replica = cluster.replica(static_cast<int>(r));
    if (replica.isHere()) loadVariables(cluster, checkpoint, replica.variables);
  });
  cluster.copies().haveChanged();
}

}  // namespace lab
