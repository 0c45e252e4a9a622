// SPDX-License-Identifier: GPL-3.0-or-later
// MirroredStrategy (README.md): one copy of every variable on each device of one machine; the gradients are summed
// by an all-reduce, and every copy makes the same update, so the copies stay equal and are never sent again.
// The default is CollectiveAllReduce over NCCL between GPUs, over the ring otherwise; on simulated GPUs both run
// the ring.
#include "core/strategy/mirrored_step.h"

namespace lab {
namespace {

class MirroredStrategy final : public ReplicaVariablesStrategy {
 public:
  using ReplicaVariablesStrategy::ReplicaVariablesStrategy;

  void prepare(Cluster& cluster, std::span<const float> initialWeights) override {
    mirror(cluster, config().reducer, 1, config().bytesPerPack, initialWeights);
  }
};

}  // namespace

std::unique_ptr<Strategy> makeMirroredStrategy(const RunConfig& config) {
  return std::make_unique<MirroredStrategy>(config);
}

}  // namespace lab
