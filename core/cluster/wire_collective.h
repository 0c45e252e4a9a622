// SPDX-License-Identifier: GPL-3.0-or-later
// Carries a communication schedule out between processes, round by round: each transfer whose two ranks are in
// different processes is one message, sent from the buffer itself and received into it or, where it is added, into a
// buffer that is reused. Additions are those of the schedule, in its order: the same bits as in one process.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "core/base/aligned_buffer.h"
#include "core/cluster/labels.h"
#include "core/cluster/step_ledger.h"
#include "core/cluster/topology.h"
#include "core/comm/schedule.h"
#include "core/device/backend.h"
#include "core/device/device_clock.h"
#include "core/process/peers.h"

namespace lab {

class WireCollective {
 public:
  WireCollective(Topology& topology, Backend& backend, StepLedger& ledger, process::Peers& peers)
      : topology_(topology), backend_(backend), ledger_(ledger), peers_(peers) {}

  // buffers[endpoint] and clocks[endpoint] of those in this process; the others are null. `base`: the element of each
  // buffer that the schedule's offset 0 stands for. Blocks until this process's part is done. The schedule stays
  // where it is as long as this lives: what of it concerns this process is kept by its place.
  void run(const Schedule& schedule, std::int64_t base, std::span<float* const> buffers,
           std::span<DeviceClock* const> clocks, Label label, int pack);

  void setRecording(bool recording) { recording_ = recording; }

 private:
  // What of a round concerns this process.
  struct Round {
    std::vector<Transfer> inside, in, out;
  };
  using Rounds = std::vector<Round>;
  struct Incoming {
    process::Request request = 0;
    std::int64_t beganNs = 0;
    AlignedBuffer<float> values;  // of what is added; it only grows
  };
  struct Call;

  const Rounds& roundsOf(const Schedule& schedule, std::span<float* const> buffers);
  void post(const Call& call, const Round& round, std::vector<Incoming>& incoming, bool additions);
  void carryOut(Call& call, const Round& round, std::vector<Incoming>& incoming, const Round* next,
                std::vector<Incoming>& nextIncoming);
  void cancelAll();
  void receiveAll(Call& call, const Round& round, std::vector<Incoming>& incoming);
  void note(Call& call, const Transfer& transfer, std::int64_t beginNs, std::int64_t endNs, bool arrives);

  Topology& topology_;
  Backend& backend_;
  StepLedger& ledger_;
  process::Peers& peers_;
  bool recording_ = true;
  std::map<const Transfer*, Rounds> rounds_;  // of each schedule that was carried out
  std::vector<Incoming> incoming_[2];         // of this round and the next
  std::vector<std::pair<process::Request, int>> sending_;
};

}  // namespace lab
