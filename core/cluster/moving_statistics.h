// SPDX-License-Identifier: GPL-3.0-or-later
// Moving statistics of batch normalisation in a cluster. If variables are mirrored, each replica has its own, as in
// Keras 3. Central storage has one copy for all. Parameter servers hold them like other variables, and the last value
// written counts: core/strategy/README.md, Batch normalisation.
#pragma once

#include <span>
#include <vector>

#include "core/cluster/cluster_parts.h"
#include "core/model/safetensors.h"

namespace lab {

class MovingStatistics {
 public:
  explicit MovingStatistics(ClusterParts& parts) : parts_(parts) {}

  void set(std::span<const float> values);
  // Returns the statistics that are evaluated and saved: replica 0's, or those of all servers together. If there are
  // several processes, only the first one has them.
  std::vector<float> values() const;
  // Averages the replicas' new values, as for one variable that all replicas share (VariableAggregation.MEAN); each
  // replica has the mean afterwards.
  void average();

  // Save to a checkpoint and load from one. All processes take part, and the first one has the values.
  void save(TensorFile& checkpoint) const;
  void load(const TensorFile& checkpoint);

 private:
  ClusterParts& parts_;
};

}  // namespace lab
