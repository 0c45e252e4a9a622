// SPDX-License-Identifier: GPL-3.0-or-later
// OneDeviceStrategy (README.md): everything is placed on the named device, and the program goes through the whole
// strategy interface, run and reduce included, with one replica; a reduction over one replica is the identity. The
// numbers are the default strategy's.
#include "core/strategy/mirrored_step.h"

namespace lab {
namespace {

class OneDeviceStrategy final : public ReplicaVariablesStrategy {
 public:
  using ReplicaVariablesStrategy::ReplicaVariablesStrategy;

  void prepare(Cluster& cluster, std::span<const float> initialWeights) override {
    mirror(cluster, Reducer::OneDevice, 1, 0, initialWeights);  // a plan without a transfer
  }
};

}  // namespace

std::unique_ptr<Strategy> makeOneDeviceStrategy(const RunConfig& config) {
  return std::make_unique<OneDeviceStrategy>(config);
}

}  // namespace lab
