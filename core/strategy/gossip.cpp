// SPDX-License-Identifier: GPL-3.0-or-later
// Gossip (README.md): no all-reduce. The replicas form a ring; each computes its gradient, then replaces its weights by
// the mean of its own and its neighbours' weights, and then applies its own gradient with its own optimizer. Beyond
// tf.distribute: D-PSGD, Lian et al. 2017 (arXiv:1705.09056), algorithm 1, lines 3, 4 and 5.
#include <vector>

#include "core/strategy/mirrored_step.h"
#include "core/strategy/program_lines.h"

namespace lab {
namespace {

class GossipStrategy final : public ReplicaVariablesStrategy {
 public:
  using ReplicaVariablesStrategy::ReplicaVariablesStrategy;

  StepResult step(Cluster& cluster, StepInput& input) override {
    mean_ = {};
    const DistributedBatch batch = input.next();
    cluster.distribute(batch);
    cluster.computeGradients(Cluster::GradientOf::OneReplica);
    // By Reducer::Neighbours each replica gets the mean of its weights and its neighbours' weights, as they are now.
    cluster.allReduce(plan(), ReduceTarget::Weights);
    cluster.forEachReplica([&](Replica& replica) { replica.update(cluster.learningRate(), cluster.step()); });
    return resultOf(batch);
  }

  // Returns the mean of all copies, which averaging with neighbours does not change.
  const float* weightsOf(Cluster& cluster, int replica) override {
    if (cluster.replicas() == 1) return ReplicaVariablesStrategy::weightsOf(cluster, replica);
    const std::vector<std::int64_t> alike(static_cast<std::size_t>(cluster.replicas()), 1);
    if (mean_.size() == 0) mean_ = cluster.copies().mean(alike);
    return mean_.data();
  }

  void load(Cluster& cluster, const TensorFile& checkpoint) override {
    mean_ = {};
    ReplicaVariablesStrategy::load(cluster, checkpoint);
  }

 private:
  AlignedBuffer<float> mean_;  // of the copies; empty if not asked for since the last step
};

}  // namespace

std::unique_ptr<Strategy> makeGossipStrategy(const ResolvedSettings& config) {
  return std::make_unique<GossipStrategy>(config);
}

// The closest program that TensorFlow offers, and a note on where PyTorch has the strategy.
StrategyProgram gossipProgram(const ProgramRequest& request) {
  std::string strategy;
  StrategyProgram program = nearestProgram(request, strategy);
  program.notes.insert(program.notes.begin(),
                       "tf.distribute has no gossip: this is " + strategy +
                           ", which sums gradients over all replicas. For PyTorch BlueFog has it: "
                           "bf.set_topology(topology_util.RingGraph(bf.size())), and "
                           "bf.DistributedAdaptWithCombineOptimizer(optimizer, model, "
                           "communication_type=bf.CommunicationType.neighbor_allreduce).");
  return program;
}

}  // namespace lab
