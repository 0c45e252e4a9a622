// SPDX-License-Identifier: GPL-3.0-or-later
// The default strategy (README.md): what a program without a strategy uses. run() calls the function directly, the data
// set is returned unchanged, nothing is placed and nothing is reduced.
#include "core/strategy/mirrored_step.h"
#include "core/strategy/program_lines.h"

namespace lab {
namespace {

class DefaultStrategy final : public ReplicaVariablesStrategy {
 public:
  using ReplicaVariablesStrategy::ReplicaVariablesStrategy;

  void prepare(Cluster& cluster, std::span<const float> initialWeights) override {
    createMirroredVariables(cluster, initialWeights);
  }

  StepResult step(Cluster& cluster, StepInput& input) override {
    const DistributedBatch batch = input.next();
    cluster.distribute(batch);
    cluster.forEachReplica([&](Replica& replica) {
      replica.forwardBackward(cluster.lossScale(std::ssize(replica.shard())));
      replica.update(cluster.learningRate(), cluster.step());
    });
    return resultOf(batch);
  }
};

}  // namespace

std::unique_ptr<Strategy> makeDefaultStrategy(const ResolvedSettings& config) {
  return std::make_unique<DefaultStrategy>(config);
}

StrategyProgram defaultProgram(const ProgramRequest&) {
  StrategyProgram program;
  add(program.startUp, {ProgramBeat::Startup},
      "strategy = tf.distribute.get_strategy()  # what a program has that names no strategy: nothing is distributed");
  return program;
}

}  // namespace lab
