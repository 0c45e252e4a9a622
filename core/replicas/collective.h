// SPDX-License-Identifier: GPL-3.0-or-later
// Carries out a communication schedule: moves and adds the bytes in the endpoints' own buffers. Where time is measured,
// each transfer is timed and recorded; where time is modelled, modelled_clock does this. The schedule's ranks are the
// topology's endpoints.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/comm/schedule.h"
#include "core/device/backend.h"
#include "core/device/device_clock.h"
#include "core/replicas/labels.h"
#include "core/replicas/step_ledger.h"
#include "core/replicas/topology.h"

namespace lab {

class Collective {
 public:
  Collective(Topology& topology, Backend& backend, ThreadPool& pool, StepLedger& ledger)
      : topology_(topology), backend_(backend), pool_(pool), ledger_(ledger) {}

  // `buffers` and `clocks` are indexed by endpoint and may be null for endpoints that the schedule does not name.
  // `base` is the element of each buffer that corresponds to the schedule's offset 0. Blocks until all bytes have
  // arrived.
  void run(const Schedule& schedule, std::int64_t base, std::span<float* const> buffers,
           std::span<DeviceClock* const> clocks, Label label, int pack);

  void setRecording(bool recording) { recording_ = recording; }

 private:
  void runMeasured(const Schedule& schedule, std::int64_t base, std::span<float* const> buffers,
                   std::span<DeviceClock* const> clocks, Label label, int pack);

  Topology& topology_;
  Backend& backend_;
  ThreadPool& pool_;
  StepLedger& ledger_;
  bool recording_ = true;
};

}  // namespace lab
