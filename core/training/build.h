// SPDX-License-Identifier: GPL-3.0-or-later
// From a resolved configuration to what it needs: cluster and initial weights.
#pragma once

#include <vector>

#include "core/cluster/cluster.h"
#include "core/config/lineage.h"
#include "core/config/resolved_settings.h"

namespace lab {

ClusterSettings clusterSettings(const ResolvedSettings& config, const Lineage& lineage = {});

// From --init, or Glorot uniform by the seed; laid out like the network's layout.
TensorFile readInit(const SettingsBase& config);  // from its file, or from the content that replaces it
std::vector<float> initialWeights(const SettingsBase& config);
// The same for NeuralNetwork::statistics().
std::vector<float> initialStatistics(const SettingsBase& config);

}  // namespace lab
