// SPDX-License-Identifier: GPL-3.0-or-later
// A strategy whose variables are on the cluster, as before a run's first step.
#pragma once

#include <memory>

#include "core/cluster/cluster.h"
#include "core/strategy/strategy.h"
#include "core/training/build.h"

namespace lab::test {

inline std::unique_ptr<Strategy> preparedStrategy(Cluster& cluster, const ResolvedSettings& config) {
  std::unique_ptr<Strategy> strategy = strategyInfo(config.strategy).make(config);
  cluster.beginStep(0, 0);
  strategy->prepare(cluster, initialWeights(config));
  (void)cluster.endStep();
  return strategy;
}

}  // namespace lab::test
