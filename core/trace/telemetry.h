// SPDX-License-Identifier: GPL-3.0-or-later
// Three pipes from the trainer thread to one consumer, which never delay the run. Metrics are
// lossless; spans go through a ring that drops and counts when it is full; a step's record is made only on request,
// and only the latest is kept.
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

// Progress before a run's first step: what is being prepared, and how much of it, where that is known.
struct Preparation {
  enum class Part : std::uint8_t {
    Turn,       // the run before has yet to give up its memory
    Data,       // images are read and unpacked: bytes of them
    Replicas,   // of `total`
    Gpus,       // opened
    Processes,  // started by mpirun, here or on other hosts
    Upload,     // the images, to GPUs: `total` of them, all GPUs together
    Weights,    // initialised and given to all
    Step,       // everything is ready
  };

  Part part = Part::Turn;
  std::int64_t done = 0, total = 0;  // total 0: not known
  bool operator==(const Preparation&) const = default;
};

class Telemetry {
 public:
  explicit Telemetry(std::size_t spanCapacity = std::size_t{1} << 16) : spans_(spanCapacity) {}

  // Trainer thread.
  // Before the first step, from any thread of the run. Throws Stopped once it is to end: what is made ready may take
  // long, and nobody waits for it then.
  void preparing(const Preparation& preparation);
  void metric(Metric metric);
  void span(const Span& span) { spans_.push(span); }
  // Each device's memory over a step, per rank; lossless, where it is wanted.
  bool memoryWanted() const { return memoryWanted_.load(std::memory_order_relaxed); }
  void memory(std::vector<MemoryTimeline> overStep);
  bool spansWanted() const { return spansWanted_.load(std::memory_order_relaxed); }
  // Whether a record was requested since the last step that took the request up.
  bool recordWanted() const { return recordWanted_.load(std::memory_order_relaxed); }
  // The same, taking the request up: the step that begins now is recorded. Later requests are for later steps.
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
  // Off where spans are neither drawn nor written. On by default.
  void setSpansWanted(bool wanted) { spansWanted_.store(wanted, std::memory_order_relaxed); }
  // The next step that begins is recorded. Its record is there before its metric is.
  void requestRecord() { recordWanted_.store(true, std::memory_order_relaxed); }
  std::shared_ptr<const StepRecord> takeRecord();  // null until a requested one is there

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
