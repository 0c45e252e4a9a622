// SPDX-License-Identifier: GPL-3.0-or-later
// Moving statistics of batch normalisation in a cluster. Where variables are mirrored each replica has its own, as in
// Keras 3. Central storage has one for all, and parameter servers hold them like other variables, last written, last
// kept: core/strategy/README.md, Batch normalisation.
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
  // Those that are evaluated and saved: replica 0's, or the servers' together. Among processes the first one has them.
  std::vector<float> values() const;
  // One variable for all replicas, whose new values are averaged (VariableAggregation.MEAN): each has it afterwards.
  void average();

  // Into a checkpoint and from one. Among processes all take part, and the first one has them.
  void save(TensorFile& checkpoint) const;
  void load(const TensorFile& checkpoint);

 private:
  ClusterParts& parts_;
};

}  // namespace lab
