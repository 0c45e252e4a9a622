// SPDX-License-Identifier: GPL-3.0-or-later
// From a resolved configuration to what it builds: cluster, reducer, split rules, initial weights.
#pragma once

#include <vector>

#include "core/cluster/cluster.h"
#include "core/run/run_config.h"

namespace lab {

ClusterSettings clusterSettings(const RunConfig& config);

// The default of strategy/README.md where the configuration says auto.
Reducer reducerInForce(const RunConfig& config);

SplitSettings splitOf(const RunConfig& config);            // not for parameter server
SplitSettings evaluationSplitOf(const RunConfig& config);  // parameter server: a share for each worker

// Of --init, or Glorot uniform by the seed. Laid out as the network's layout says.
TensorFile readInit(const RunConfig& config);  // of its file, or of what was handed in its place
std::vector<float> initialWeights(const RunConfig& config);
// Likewise NeuralNetwork::statistics().
std::vector<float> initialStatistics(const RunConfig& config);

}  // namespace lab
