// SPDX-License-Identifier: GPL-3.0-or-later
// MultiWorkerMirroredStrategy (reference §4.3): Mirrored over several hosts. Every worker runs the same program on its
// own input pipeline; the initial values come from the chief by a collective broadcast; the all-reduce spans all
// devices of all workers, as a ring unless told otherwise (AUTO is RING in the TensorFlow that was read, §7.2).
#include "core/strategy/mirrored_step.h"
#include "core/strategy/strategies.h"

namespace lab {
namespace {

class MultiWorkerMirroredStrategy final : public ReplicaVariablesStrategy {
 public:
  explicit MultiWorkerMirroredStrategy(const StrategySettings& settings) : settings_(settings) {}

  void prepare(Cluster& cluster, std::span<const float> initialWeights) override {
    plan_ = makeReductionPlan(settings_.reducer, cluster.replicas(), cluster.settings().topology.hosts,
                              cluster.layout(), settings_.bytesPerPack);
    cluster.declareLinks(plan_);
    createMirroredVariables(cluster, initialWeights);
  }

  StepResult step(Cluster& cluster, StepInput& input) override { return mirroredStep(cluster, input, plan_); }

 private:
  StrategySettings settings_;
  ReductionPlan plan_;
};

}  // namespace

std::unique_ptr<Strategy> makeMultiWorkerMirroredStrategy(const StrategySettings& settings) {
  return std::make_unique<MultiWorkerMirroredStrategy>(settings);
}

}  // namespace lab
