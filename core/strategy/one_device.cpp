// SPDX-License-Identifier: GPL-3.0-or-later
// OneDeviceStrategy (reference §4.7): everything is placed on the named device, and the program goes through the whole
// strategy interface, run and reduce included, with one replica; a reduction over one replica is the identity. The
// numbers are the default strategy's.
#include "core/strategy/mirrored_step.h"
#include "core/strategy/strategies.h"

namespace lab {
namespace {

class OneDeviceStrategy final : public ReplicaVariablesStrategy {
 public:
  void prepare(Cluster& cluster, std::span<const float> initialWeights) override {
    plan_ = makeReductionPlan(Reducer::OneDevice, 1, 1, cluster.layout(), 0);
    createMirroredVariables(cluster, initialWeights);
  }

  StepResult step(Cluster& cluster, StepInput& input) override { return mirroredStep(cluster, input, plan_); }

 private:
  ReductionPlan plan_;  // without a transfer
};

}  // namespace

std::unique_ptr<Strategy> makeOneDeviceStrategy(const StrategySettings&) {
  return std::make_unique<OneDeviceStrategy>();
}

}  // namespace lab
