// SPDX-License-Identifier: GPL-3.0-or-later
// MirroredStrategy (reference §4.1): one copy of every variable on each device of one machine; the gradients are summed
// by an all-reduce, and every copy makes the same update, so the copies stay equal without ever being sent again.
// The default is CollectiveAllReduce over NCCL between GPUs, over the ring otherwise (§7.2); both run the ring here.
#include "core/strategy/mirrored_step.h"
#include "core/strategy/strategies.h"

namespace lab {
namespace {

class MirroredStrategy final : public ReplicaVariablesStrategy {
 public:
  explicit MirroredStrategy(const StrategySettings& settings) : settings_(settings) {}

  void prepare(Cluster& cluster, std::span<const float> initialWeights) override {
    plan_ = makeReductionPlan(settings_.reducer, cluster.replicas(), 1, cluster.layout(), settings_.bytesPerPack);
    cluster.declareLinks(plan_);
    createMirroredVariables(cluster, initialWeights);
  }

  StepResult step(Cluster& cluster, StepInput& input) override { return mirroredStep(cluster, input, plan_); }

 private:
  StrategySettings settings_;
  ReductionPlan plan_;
};

}  // namespace

std::unique_ptr<Strategy> makeMirroredStrategy(const StrategySettings& settings) {
  return std::make_unique<MirroredStrategy>(settings);
}

}  // namespace lab
