// SPDX-License-Identifier: GPL-3.0-or-later
// MirroredStrategy (README.md): one copy of every variable on each device of one machine; the gradients are summed
// by an all-reduce, and every copy makes the same update, so the copies stay equal and are never sent again.
// The default is CollectiveAllReduce over NCCL between GPUs, over the ring otherwise; on simulated GPUs both run
// the ring.
#include "core/strategy/mirrored_step.h"
#include "core/strategy/strategies.h"

namespace lab {
namespace {

class MirroredStrategy final : public ReplicaVariablesStrategy {
 public:
  using ReplicaVariablesStrategy::ReplicaVariablesStrategy;

  void prepare(Cluster& cluster, std::span<const float> initialWeights) override {
    mirror(cluster, settings().reducer, 1, settings().bytesPerPack, initialWeights);
  }
};

}  // namespace

std::unique_ptr<Strategy> makeMirroredStrategy(const StrategySettings& settings) {
  return std::make_unique<MirroredStrategy>(settings);
}

}  // namespace lab
