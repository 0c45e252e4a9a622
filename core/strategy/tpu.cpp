// SPDX-License-Identifier: GPL-3.0-or-later
// TPUStrategy (README.md): one XLA program runs on all cores in lock-step; variables are mirrored on the cores and
// gradients summed by the interconnect's cross-replica sum, on a torus; operands of matrix products are bfloat16.
// Packing does not apply. The system is initialised in a fixed order, recorded before the first step.
#include "core/strategy/mirrored_step.h"

namespace lab {
namespace {

class TpuStrategy final : public ReplicaVariablesStrategy {
 public:
  using ReplicaVariablesStrategy::ReplicaVariablesStrategy;

  void prepare(Cluster& cluster, std::span<const float> initialWeights) override {
    for (const Label label : {Label::ResolveCluster, Label::ConnectToCluster, Label::InitializeTpu,
                              Label::ConstructStrategy, Label::CreateVariables})
      cluster.startup(label);
    mirror(cluster, config().reducer, 1, 0, initialWeights);
  }
};

}  // namespace

std::unique_ptr<Strategy> makeTpuStrategy(const RunConfig& config) {
  return std::make_unique<TpuStrategy>(config);
}

}  // namespace lab
