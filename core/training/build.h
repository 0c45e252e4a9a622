// SPDX-License-Identifier: GPL-3.0-or-later
// From a resolved configuration to what it builds: cluster and initial weights.
#pragma once

#include <vector>

#include "core/cluster/cluster.h"
#include "core/config/lineage.h"
#include "core/config/resolved_settings.h"

namespace lab {

ClusterSettings clusterSettings(const ResolvedSettings& config, const Lineage& lineage = {});

// Of --init, or Glorot uniform by the seed. Laid out as the network's layout says.
TensorFile readInit(const SettingsBase& config);  // of its file, or of what was handed in its place
std::vector<float> initialWeights(const SettingsBase& config);
// Likewise NeuralNetwork::statistics().
std::vector<float> initialStatistics(const SettingsBase& config);

}  // namespace lab
