// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/strategy/mirrored_step.h"

#include <algorithm>

#include "core/base/error.h"

namespace lab {

void createMirroredVariables(Cluster& cluster, std::span<const float> initialWeights) {
  const std::size_t slots = cluster.settings().optimizer.slotNames().size();
  cluster.forEachReplica([&](Replica& replica) {
    replica.variables.create(cluster.layout().size(), cluster.layout().alignmentLead(), slots);
  });
  std::ranges::copy(initialWeights, cluster.replica(0).variables.weights.data());
  cluster.declareBroadcast(Cluster::From::Replica0);
  cluster.broadcast(Cluster::From::Replica0);
}

StepResult mirroredStep(Cluster& cluster, StepInput& input, const ReductionPlan& plan) {
  const Deal deal = input.next();
  cluster.deal(deal);
  cluster.forEachReplica(
      [&](Replica& replica) { replica.forwardBackward(cluster.lossScale(std::ssize(replica.shard()))); });
  cluster.allReduce(plan);
  cluster.forEachReplica([&](Replica& replica) { replica.update(cluster.learningRate(), cluster.step()); });
  StepResult result = collectResult(cluster, deal);
  result.mirrorsIdentical = cluster.mirrorsIdentical();
  return result;
}

StepResult collectResult(Cluster& cluster, const Deal& deal) {
  StepResult result;
  result.shards = deal.shards;
  result.examples = deal.examples();
  for (int r = 0; r < cluster.replicas(); ++r) {
    const Replica& replica = cluster.replica(r);
    result.lossSum += replica.lossSum();
    result.correct += replica.correct();
  }
  return result;
}

void saveVariables(const Cluster& cluster, const Variables& variables, TensorFile& checkpoint) {
  checkpoint.tensors.merge(weightsToTensors(cluster.layout(), variables.weights.span()).tensors);
  const std::vector<std::string> slots = cluster.settings().optimizer.slotNames();
  for (std::size_t i = 0; i < slots.size(); ++i)
    for (auto& [name, tensor] : weightsToTensors(cluster.layout(), variables.slotValues[i].span()).tensors)
      checkpoint.tensors[name + "/" + slots[i]] = tensor;
}

void loadVariables(const Cluster& cluster, const TensorFile& checkpoint, Variables& variables) {
  const auto load = [&](const std::string& suffix, std::span<float> destination) {
    TensorFile part;
    for (const Variable& variable : cluster.layout().variables()) {
      const auto found = checkpoint.tensors.find(variable.name + suffix);
      if (found != checkpoint.tensors.end()) part.tensors[variable.name] = found->second;
    }
    tensorsToWeights(part, cluster.layout(),
                     "the checkpoint" + (suffix.empty() ? "" : " (slot " + suffix.substr(1) + ")"), destination);
  };
  load("", variables.weights.span());
  const std::vector<std::string> slots = cluster.settings().optimizer.slotNames();
  for (std::size_t i = 0; i < slots.size(); ++i) load("/" + slots[i], variables.slotValues[i].span());
}

void ReplicaVariablesStrategy::mirror(Cluster& cluster, Reducer reducer, int hosts, std::int64_t bytesPerPack,
                                      std::span<const float> initialWeights) {
  plan_ = makeReductionPlan(reducer, cluster.replicas(), hosts, cluster.layout(), bytesPerPack);
  cluster.declareLinks(plan_);
  createMirroredVariables(cluster, initialWeights);
}

const float* ReplicaVariablesStrategy::weightsOf(Cluster& cluster, int replica) {
  return cluster.replica(replica).variables.weights.data();
}

void ReplicaVariablesStrategy::save(Cluster& cluster, TensorFile& checkpoint) {
  saveVariables(cluster, cluster.replica(0).variables, checkpoint);
}

void ReplicaVariablesStrategy::load(Cluster& cluster, const TensorFile& checkpoint) {
  for (int r = 0; r < cluster.replicas(); ++r) loadVariables(cluster, checkpoint, cluster.replica(r).variables);
}

}  // namespace lab
