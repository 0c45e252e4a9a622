// SPDX-License-Identifier: GPL-3.0-or-later
// Three pipes from the trainer thread to one consumer, which never delay the run. Metrics are lossless; spans go
// through a ring that drops and counts when it is full; a step's record is made only on request, and only the latest is
// kept.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/trace/metric.h"
#include "core/trace/span.h"
#include "core/trace/spsc_ring.h"
#include "core/trace/step_record.h"

namespace lab {

// Progress before a run's first step: what is being prepared, and how much of it, if known.
struct Preparation {
  enum class Part : std::uint8_t {
    Turn,       // waiting until the previous run has given up its memory
    Data,       // bytes of images being read and unpacked
    Replicas,   // number of replicas made, of `total`
    Gpus,       // being opened
    Processes,  // being started by mpirun, here or on other hosts
    Upload,     // copying images to GPUs: `total` images for all GPUs together
    Weights,    // being initialised and given to all
    Step,       // everything is ready
  };

  Part part = Part::Turn;
  std::int64_t done = 0, total = 0;  // total 0: unknown
  bool operator==(const Preparation&) const = default;
};

class Telemetry {
 public:
  explicit Telemetry(std::size_t spanCapacity = std::size_t{1} << 16) : spans_(spanCapacity) {}

  // Trainer thread.
  // Reports progress before the first step; any thread of the run may call this. Throws Stopped once the run must end:
  // preparation may take long, and nobody waits for it then.
  void preparing(const Preparation& preparation);
  void metric(Metric metric);
  void span(const Span& span) { spans_.push(span); }
  // Takes each device's memory over a step, per rank; lossless, if wanted.
  bool memoryWanted() const { return memoryWanted_.load(std::memory_order_relaxed); }
  void memory(std::vector<MemoryTimeline> overStep);
  bool spansWanted() const { return spansWanted_.load(std::memory_order_relaxed); }
  // Returns whether a record was requested since the last step that took the request up.
  bool recordWanted() const { return recordWanted_.load(std::memory_order_relaxed); }
  // Also takes the request up: the step that begins now is recorded. Later requests are for later steps.
  bool takeRecordRequest() { return recordWanted() && recordWanted_.exchange(false, std::memory_order_relaxed); }
  void record(std::shared_ptr<const StepRecord> record);

  // Consumer thread.
  Preparation preparation() const;
  void stopPreparing() { preparingStopped_.store(true, std::memory_order_relaxed); }
  std::vector<Metric> takeMetrics();
  std::vector<std::vector<MemoryTimeline>> takeMemory();
  void setMemoryWanted(bool wanted) { memoryWanted_.store(wanted, std::memory_order_relaxed); }  // off by default
  std::size_t drainSpans(std::vector<Span>& out) { return spans_.drain(out); }
  std::uint64_t droppedSpans() const { return spans_.dropped(); }
  // Must be off if spans are neither drawn nor written. On by default.
  void setSpansWanted(bool wanted) { spansWanted_.store(wanted, std::memory_order_relaxed); }
  // Requests a record of the next step that begins. The record is available before the step's metric.
  void requestRecord() { recordWanted_.store(true, std::memory_order_relaxed); }
  std::shared_ptr<const StepRecord> takeRecord();  // null until a requested one is available

 private:
  mutable std::mutex mutex_;
  Preparation preparation_;                          // guarded by mutex_
  std::vector<Metric> metrics_;                      // guarded by mutex_
  std::vector<std::vector<MemoryTimeline>> memory_;  // guarded by mutex_
  std::shared_ptr<const StepRecord> record_;         // guarded by mutex_
  std::atomic<bool> preparingStopped_{false};
  std::atomic<bool> recordWanted_{false};
  std::atomic<bool> spansWanted_{true}, memoryWanted_{false};
  SpscRing<Span> spans_;
};

}  // namespace lab
