// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timing/device_memory.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/timing/memory_model.h"
#include "core/trace/messages.h"

namespace lab {
namespace {

double fullness(const MemoryTimeline& timeline, const DeviceModel& device) {
  return static_cast<double>(sumOf(timeline.peak().bytes)) / (1e9 * device.memoryGb);
}

double bytesWithoutExchange(const MemoryTimeline& timeline) {
  std::int64_t most = 0;
  for (const MemoryTimeline::Change& change : timeline.changes)
    most = std::max(most,
                    sumOf(change.bytes) - of(change.bytes, MemoryKind::Packs) - of(change.bytes, MemoryKind::Buffers));
  return static_cast<double>(most);
}

// Returns one replica of each kind, that is, of each device and batch, if there are many replicas: shards differ only
// by some bytes.
std::vector<int> oneOfEachKind(const StepRequest& request) {
  constexpr int kFew = 64;
  std::vector<int> replicas;
  std::set<std::pair<std::string_view, std::int64_t>> kinds;
  for (int r = 0; r < request.replicas && request.replicas > kFew; ++r)
    if (kinds.emplace(request.network->device(r).name, request.batchOf(r)).second) replicas.push_back(r);
  return replicas;
}

Message endpointAt(const StepRequest& request, std::size_t index) {
  const auto replicas = static_cast<std::size_t>(request.replicas);
  if (index < replicas)
    return {request.serversApart ? say::workerEndpoint : say::replicaEndpoint, static_cast<std::int64_t>(index)};
  if (request.serversApart) return {say::serverEndpoint, static_cast<std::int64_t>(index - replicas)};
  return say::parameterDevice;
}

}  // namespace

DeviceMemory deviceMemory(const StepRequest& asked) {
  StepRequest request = asked;
  request.traced = true;
  request.tracedAlone = oneOfEachKind(request);
  // An asynchronous worker's memory does not depend on the number of workers.
  if (request.method == Reducer::ServersAsync && !request.tracedAlone.empty()) {
    request.replicas = std::max(2, request.tracedAlone.back() + 1);
    if (!request.batches.empty()) request.batches.resize(static_cast<std::size_t>(request.replicas));
    std::erase_if(request.slowLinks, [&](const auto& slow) { return slow.first >= request.replicas; });
    std::erase_if(request.stragglers.persistent, [&](const auto& slow) { return slow.first >= request.replicas; });
  }
  const StepTiming timing = simulateStep(request);
  const std::vector<MemoryTimeline> all = memoryOver(request, timing);
  std::size_t tightest = 0;
  for (std::size_t i = 1; i < all.size(); ++i) {
    const DeviceModel* device = deviceOf(request, i);
    if (device != nullptr && !all[i].empty() &&
        fullness(all[i], *device) > fullness(all[tightest], *deviceOf(request, tightest)))
      tightest = i;
  }
  const MemoryTimeline& timeline = all[tightest];
  const DeviceModel& device = *deviceOf(request, tightest);
  DeviceMemory memory{.neededBytes = bytesWithoutExchange(timeline),
                      .deviceBytes = 1e9 * device.memoryGb,
                      .most = timeline.peak().bytes,
                      .mostIn = operationOf(request, timing, timeline.peak()),
                      .endpoint = endpointAt(request, tightest),
                      .device = device.name,
                      .firstTooMuchIn = {}};
  if (const auto* tooMuch = timeline.firstAbove(memory.deviceBytes))
    memory.firstTooMuchIn = operationOf(request, timing, *tooMuch);
  return memory;
}

}  // namespace lab
