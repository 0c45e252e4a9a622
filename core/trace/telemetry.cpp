// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/telemetry.h"

#include <utility>

namespace lab {

void Telemetry::metric(Metric metric) {
  const std::lock_guard lock(mutex_);
  metrics_.push_back(std::move(metric));
}

void Telemetry::snapshot(std::shared_ptr<const Snapshot> snapshot) {
  snapshotWanted_.store(false, std::memory_order_relaxed);
  const std::lock_guard lock(mutex_);
  snapshot_ = std::move(snapshot);
}

std::vector<Metric> Telemetry::takeMetrics() {
  const std::lock_guard lock(mutex_);
  return std::exchange(metrics_, {});
}

std::shared_ptr<const Snapshot> Telemetry::takeSnapshot() {
  const std::lock_guard lock(mutex_);
  return std::exchange(snapshot_, nullptr);
}

}  // namespace lab
