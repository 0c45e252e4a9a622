// SPDX-License-Identifier: GPL-3.0-or-later
// Sharded (README.md): like Mirrored, but the ring stops halfway. Each replica updates only the chunk of each pack that
// the reduce-scatter leaves on it, and keeps for these chunks alone the optimizer's slots (stage 1), the summed
// gradients (2) and the weights (3). The all-gather then brings the new weights to all replicas, at stage 3 only when
// they are needed. The bits equal Mirrored's. Beyond tf.distribute: ZeRO, Rajbhandari et al. 2020 (arXiv:1910.02054).
#include "core/strategy/mirrored_step.h"
#include "core/strategy/program_lines.h"

namespace lab {
namespace {

class ShardedStrategy final : public ReplicaVariablesStrategy {
 public:
  explicit ShardedStrategy(const ResolvedSettings& config)
      : ReplicaVariablesStrategy(config),
        wholeNowhere_(strategyInfo(config.strategy).shardStage(config) == StrategyInfo::kWholeNowhere) {}

  StepResult step(Cluster& cluster, StepInput& input) override {
    const DistributedBatch batch = input.next();
    cluster.distribute(batch);
    if (wholeNowhere_)
      cluster.computeGathering(plan());
    else
      cluster.computeGradients();
    cluster.allReduce(plan());
    cluster.forEachReplica([&](Replica& replica) { replica.update(cluster.learningRate(), cluster.step()); });
    if (!wholeNowhere_) cluster.gatherWeights(plan());
    cluster.compareMirrors();
    return resultOf(batch);
  }

  const float* weightsOf(Cluster& cluster, int replica) override {
    return cluster.group().wholeWeights(cluster.replica(replica));
  }

  void load(Cluster& cluster, const TensorFile& checkpoint) override {
    for (int r = 0; r < cluster.replicas(); ++r) {
      Replica& replica = cluster.replica(r);
      if (!replica.isHere()) continue;
      widenAll(replica.variables);
      loadVariables(cluster, checkpoint, replica.variables);
      cluster.group().send(replica);
    }
  }

 private:
  bool wholeNowhere_;
};

}  // namespace

std::unique_ptr<Strategy> makeShardedStrategy(const ResolvedSettings& config) {
  return std::make_unique<ShardedStrategy>(config);
}

// The closest program that TensorFlow offers, and a note on where PyTorch has the strategy.
StrategyProgram shardedProgram(const ProgramRequest& request) {
  const ResolvedSettings& config = request.config;
  std::string strategy;
  StrategyProgram program = nearestProgram(request, strategy);
  program.told = {"shard-stage"};
  const int stage = strategyInfo(config.strategy).shardStage(config);
  const std::string torch =
      stage == 1   ? "torch.distributed.optim.ZeroRedundancyOptimizer"
      : stage == 2 ? "FullyShardedDataParallel(model, sharding_strategy=ShardingStrategy.SHARD_GRAD_OP) in "
                     "torch.distributed.fsdp, which also frees weights between backward and the next forward"
                   : "FullyShardedDataParallel(model, sharding_strategy=ShardingStrategy.FULL_SHARD) in "
                     "torch.distributed.fsdp";
  program.notes.insert(
      program.notes.begin(),
      "tf.distribute has no sharded data parallelism: this is " + strategy +
          ", whose numbers are the same and whose devices keep everything whole. PyTorch has it: " + torch + ".");
  return program;
}

}  // namespace lab
