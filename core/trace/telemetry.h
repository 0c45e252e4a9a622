// SPDX-License-Identifier: GPL-3.0-or-later
// How a run is watched without being delayed: three pipes from the trainer thread to one consumer. Metrics are
// lossless; spans go through a ring that drops and counts when it is full; a snapshot is made only when asked for, and
// only the latest is kept.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/trace/metric.h"
#include "core/trace/span.h"
#include "core/trace/spsc_ring.h"

namespace lab {

// The state behind one step, whole: what the window needs to show the real digits and the real numbers.
struct Snapshot {
  std::int64_t step = 0;
  std::vector<std::vector<std::int64_t>> shards;  // example indices per replica
  std::vector<double> replicaLoss;                // mean over each replica's own shard, 0 for an empty one
  std::vector<float> weights;                     // after the step, laid out as model/layout.h says
};

class Telemetry {
 public:
  explicit Telemetry(std::size_t spanCapacity = std::size_t{1} << 16) : spans_(spanCapacity) {}

  // Trainer thread.
  void metric(Metric metric);
  void span(const Span& span) { spans_.push(span); }
  bool spansWanted() const { return spansWanted_.load(std::memory_order_relaxed); }
  bool snapshotWanted() const { return snapshotWanted_.load(std::memory_order_relaxed); }
  void snapshot(std::shared_ptr<const Snapshot> snapshot);

  // Consumer thread.
  std::vector<Metric> takeMetrics();
  std::size_t drainSpans(std::vector<Span>& out) { return spans_.drain(out); }
  std::uint64_t droppedSpans() const { return spans_.dropped(); }
  // Where nobody draws or writes spans, they need not be made. On by default.
  void setSpansWanted(bool wanted) { spansWanted_.store(wanted, std::memory_order_relaxed); }
  void requestSnapshot() { snapshotWanted_.store(true, std::memory_order_relaxed); }
  std::shared_ptr<const Snapshot> takeSnapshot();  // null until a requested one is there

 private:
  std::mutex mutex_;
  std::vector<Metric> metrics_;               // guarded by mutex_
  std::shared_ptr<const Snapshot> snapshot_;  // guarded by mutex_
  std::atomic<bool> snapshotWanted_{false};
  std::atomic<bool> spansWanted_{true};
  SpscRing<Span> spans_;
};

}  // namespace lab
