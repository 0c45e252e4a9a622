// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/replicas/replica_group.h"

#include <algorithm>
#include <vector>

namespace lab {

// Adds in the replicas' order. A replica without examples has kept its old values, which count as well.
void ReplicaGroup::averageStatistics() {
  std::vector<float> means;
  for (std::int64_t i = 0; i < replica(0).variables.statistics.size(); ++i) {
    double sum = 0;
    for (int r = 0; r < size(); ++r) sum += static_cast<double>(replica(r).variables.statistics[i]);
    means.push_back(static_cast<float>(sum / size()));
  }
  for (int r = 0; r < size(); ++r) std::ranges::copy(means, replica(r).variables.statistics.data());
}

}  // namespace lab
