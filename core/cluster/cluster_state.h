// SPDX-License-Identifier: GPL-3.0-or-later
// What a checkpoint keeps of a cluster: all clocks, the moving statistics, and what asynchronous workers have under
// way. The strategy saves the variables.
#pragma once

#include <cstdint>

#include <nlohmann/json_fwd.hpp>

#include "core/cluster/cluster_parts.h"
#include "core/cluster/dead_tasks.h"
#include "core/cluster/moving_statistics.h"
#include "core/cluster/server_workers.h"

namespace lab {

class ClusterState {
 public:
  ClusterState(ClusterParts& parts, MovingStatistics& statistics, DeadTasks& dead, ServerWorkers& workers)
      : parts_(parts), statistics_(statistics), dead_(dead), workers_(workers) {}

  nlohmann::json save(TensorFile& checkpoint) const;
  void load(const nlohmann::json& state, const TensorFile& checkpoint);
  // Returns this synchronous cluster's clocks after `steps` steps, taken from another synchronous cluster's state
  // `others`. All clocks agree, because all devices wait for each other at the end of a step.
  nlohmann::json clocksAt(const nlohmann::json& others, std::int64_t steps) const;

 private:
  void loadEdits(const nlohmann::json& made);

  ClusterParts& parts_;
  MovingStatistics& statistics_;
  DeadTasks& dead_;
  ServerWorkers& workers_;
};

}  // namespace lab
