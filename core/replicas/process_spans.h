// SPDX-License-Identifier: GPL-3.0-or-later
// Gathers the spans of a step from several processes to the first one, on its clock: each process says when its step
// began, and the offset between the clocks is measured.
#pragma once

#include <cstdint>

#include "core/process/peers.h"
#include "core/replicas/replica_group.h"
#include "core/replicas/step_ledger.h"
#include "core/replicas/topology.h"

namespace lab {

class ProcessSpans {
 public:
  ProcessSpans(const Topology& topology, StepLedger& ledger, process::Peers& peers)
      : topology_(topology), ledger_(ledger), peers_(peers) {}

  void beginStep() { beganNs_ = steadyNs(); }
  // Adds all other processes' spans to the group's tracks and the ledger's transfers; all processes call this.
  void gather(ReplicaGroup& group);

 private:
  void alignClocks();

  const Topology& topology_;
  StepLedger& ledger_;
  process::Peers& peers_;
  std::int64_t beganNs_ = 0;    // steady time
  std::int64_t alignedNs_ = 0;  // when the clocks were last compared
};

}  // namespace lab
