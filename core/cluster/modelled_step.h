// SPDX-License-Identifier: GPL-3.0-or-later
// A synchronous step on simulated devices. The verbs are carried out without taking time; the step model says when each
// of them happened, at the end of the step, or before the sum if somebody must know earlier which replicas arrive.
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
  StepEnd abort();  // ends the step when one of its workers has died
  // Sends the initial values over the links, round after round; meanwhile nobody does anything else.
  void startupBroadcast(const Schedule& schedule);

 private:
  void addInputSpan(std::span<const std::int64_t> needNs, std::int64_t waitNs);
  StepTimes timesOfAborted(std::int64_t beginNs, std::int64_t endNs);

  ClusterParts& parts_;
  DeadTasks& dead_;
};

}  // namespace lab
