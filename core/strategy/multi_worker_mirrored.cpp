// SPDX-License-Identifier: GPL-3.0-or-later
// MultiWorkerMirroredStrategy (README.md): Mirrored over several hosts. Every worker runs the same program on its
// own input pipeline; the initial values come from the chief by a collective broadcast; the all-reduce spans all
// devices of all workers, by default as a ring (AUTO is RING in TensorFlow 2.21).
#include "core/strategy/mirrored_step.h"

namespace lab {
namespace {

class MultiWorkerMirroredStrategy final : public ReplicaVariablesStrategy {
 public:
  using ReplicaVariablesStrategy::ReplicaVariablesStrategy;

  void prepare(Cluster& cluster, std::span<const float> initialWeights) override {
    mirror(cluster, config().reducer, cluster.settings().topology.hosts, config().bytesPerPack, initialWeights);
  }
};

}  // namespace

std::unique_ptr<Strategy> makeMultiWorkerMirroredStrategy(const RunConfig& config) {
  return std::make_unique<MultiWorkerMirroredStrategy>(config);
}

}  // namespace lab
