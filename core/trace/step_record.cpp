// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/step_record.h"

namespace lab {
namespace {

template <typename T>
std::int64_t heapBytes(const std::vector<T>& values) {
  return static_cast<std::int64_t>(values.capacity() * sizeof(T));
}

}  // namespace

std::int64_t StepRecord::bytes() const {
  std::int64_t total = static_cast<std::int64_t>(sizeof *this) + heapBytes(metric.shards) + heapBytes(metric.leftOut) +
                       heapBytes(spans) + heapBytes(replicas) + heapBytes(previous) + heapBytes(gradients) +
                       heapBytes(weightsBefore) + heapBytes(weightsAfter) + heapBytes(statistics) + heapBytes(memory) +
                       heapBytes(absent) + heapBytes(memoryOverStep);
  for (const MemoryTimeline& device : memoryOverStep) total += heapBytes(device.changes);
  for (const auto* each : {&replicas, &previous})
    for (const ReplicaStep& replica : *each)
      total += heapBytes(replica.shard) + heapBytes(replica.losses) + heapBytes(replica.predictions) +
               heapBytes(replica.gradients) + heapBytes(replica.ownWeights) + heapBytes(replica.weightsAfter) +
               heapBytes(replica.statistics);
  return total;
}

}  // namespace lab
