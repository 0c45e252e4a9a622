// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/cluster_memory.h"

#include <algorithm>

#include "core/base/at.h"

namespace lab {

bool ClusterMemory::isCounted() const {
  return parts_.clock() == TimeSource::Measured && parts_.settings.topology.gpuOfReplica.empty();
}

std::optional<PeakMemory> ClusterMemory::peak() const {
  PeakMemory peak;
  const auto take = [&](const MemoryTally& memory, int endpoint) {
    if (sumOf(memory.most()) > sumOf(peak.bytes))
      peak = {TimeSource::Measured, format(at(parts_.topology.legend().endpoints, endpoint).name), memory.most()};
  };
  for (int r = 0; r < parts_.replicas() && isCounted(); ++r) take(parts_.replica(r).memory, r);
  for (int i = 0; i < parts_.settings.topology.parameterDevices && isCounted(); ++i)
    take(parts_.parameterDevice(i).memory, parts_.topology.parameterDevice(i));
  return sumOf(peak.bytes) > 0 ? std::optional(peak) : std::nullopt;
}

std::vector<MemoryTimeline> ClusterMemory::overStep() const {
  std::vector<MemoryTimeline> all = parts_.present.memory;
  all.resize(static_cast<std::size_t>(parts_.topology.endpoints()));
  if (parts_.modelled && parts_.asynchronous()) {
    std::ranges::copy(workers_.memory(), all.begin());
    std::ranges::copy(parts_.modelled->heldMemory(), all.begin() + parts_.topology.parameterDevice(0));
  }
  for (int r = 0; r < parts_.replicas() && isCounted(); ++r)
    if (parts_.replica(r).isHere()) at(all, r) = parts_.replica(r).memory.step();
  for (int i = 0; i < parts_.settings.topology.parameterDevices && isCounted(); ++i)
    at(all, parts_.topology.parameterDevice(i)) = parts_.parameterDevice(i).memory.step();
  return all;
}

}  // namespace lab
