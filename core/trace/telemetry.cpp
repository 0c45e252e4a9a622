// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/telemetry.h"

#include <algorithm>
#include <utility>

#include "core/base/stopped.h"

namespace lab {

void Telemetry::preparing(const Preparation& preparation) {
  if (preparingStopped_.load(std::memory_order_relaxed)) throw Stopped();
  const std::lock_guard lock(mutex_);
  const std::int64_t before = preparation_.part == preparation.part ? preparation_.done : 0;
  preparation_ = preparation;
  preparation_.done = std::max(before, preparation.done);  // several threads report, and may overtake each other
}

Preparation Telemetry::preparation() const {
  const std::lock_guard lock(mutex_);
  return preparation_;
}

void Telemetry::metric(Metric metric) {
  const std::lock_guard lock(mutex_);
  metrics_.push_back(std::move(metric));
}

void Telemetry::record(std::shared_ptr<const StepRecord> record) {
  const std::lock_guard lock(mutex_);
  record_.swap(record);  // an earlier one is freed after the lock
}

void Telemetry::memory(std::vector<MemoryTimeline> overStep) {
  const std::lock_guard lock(mutex_);
  memory_.push_back(std::move(overStep));
}

std::vector<std::vector<MemoryTimeline>> Telemetry::takeMemory() {
  const std::lock_guard lock(mutex_);
  return std::exchange(memory_, {});
}

std::vector<Metric> Telemetry::takeMetrics() {
  const std::lock_guard lock(mutex_);
  return std::exchange(metrics_, {});
}

std::shared_ptr<const StepRecord> Telemetry::takeRecord() {
  const std::lock_guard lock(mutex_);
  return std::exchange(record_, nullptr);
}

}  // namespace lab
