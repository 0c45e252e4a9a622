// SPDX-License-Identifier: GPL-3.0-or-later
// A synchronous step on simulated devices: its verbs are carried out and take no time; the step model says when each of
// them was, at the end, or before the sum where somebody must know earlier who arrives.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/cluster/cluster_parts.h"
#include "core/cluster/dead_tasks.h"

namespace lab {

class ModelledStep {
 public:
  ModelledStep(ClusterParts& parts, DeadTasks& dead) : parts_(parts), dead_(dead) {}

  const std::vector<Arrival>& waitFor(std::int64_t count);  // Cluster::waitFor
  StepTimes end();
  StepEnd abort();  // one of its workers has died
  // The initial values go out over the links, round after round, and nobody does anything else.
  void startupBroadcast(const Schedule& schedule);

 private:
  void addInputSpan(std::span<const std::int64_t> needNs, std::int64_t waitNs);
  StepTimes timesOfAborted(std::int64_t beginNs, std::int64_t endNs);

  ClusterParts& parts_;
  DeadTasks& dead_;
};

}  // namespace lab
