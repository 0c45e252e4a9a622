// SPDX-License-Identifier: GPL-3.0-or-later
// How much memory a cluster's devices use: counted where this processor computes and time is measured, else modelled.
#pragma once

#include <optional>
#include <vector>

#include "core/cluster/cluster_parts.h"
#include "core/cluster/server_workers.h"

namespace lab {

class ClusterMemory {
 public:
  ClusterMemory(const ClusterParts& parts, const ServerWorkers& workers) : parts_(parts), workers_(workers) {}

  // Returns the largest peak so far among this process's devices; nothing where time is modelled or the buffers are not
  // on this processor.
  std::optional<PeakMemory> peak() const;
  // Returns each device's memory over the step that has just ended, by rank; empty where nothing is known.
  std::vector<MemoryTimeline> overStep() const;

 private:
  bool isCounted() const;

  const ClusterParts& parts_;
  const ServerWorkers& workers_;
};

}  // namespace lab
