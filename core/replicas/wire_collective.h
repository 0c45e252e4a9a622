// SPDX-License-Identifier: GPL-3.0-or-later
// Carries out a communication schedule between processes, round by round: each transfer between two processes is one
// message, sent directly from the buffer. It is received directly into the buffer or, if it is to be added, into a
// reused buffer. Additions happen in the schedule's order, so the bits are the same as in one process. A process waits
// for what it adds or passes on. It waits for its own messages to leave only before it overwrites their source, and at
// the end, because on a busy machine each wait costs a time slice of another program.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "core/base/aligned_buffer.h"
#include "core/comm/schedule.h"
#include "core/device/backend.h"
#include "core/device/device_clock.h"
#include "core/process/peers.h"
#include "core/replicas/labels.h"
#include "core/replicas/step_ledger.h"
#include "core/replicas/topology.h"

namespace lab {

class WireCollective {
 public:
  WireCollective(Topology& topology, Backend& backend, StepLedger& ledger, process::Peers& peers)
      : topology_(topology), backend_(backend), ledger_(ledger), peers_(peers) {}

  // `buffers` and `clocks` are indexed by endpoint; those of other processes are null. `base` is the element of each
  // buffer at the schedule's offset 0. Blocks until this process's part is done. The schedule must stay at its address
  // as long as this object lives, because this process's share of it is cached by address.
  void run(const Schedule& schedule, std::int64_t base, std::span<float* const> buffers,
           std::span<DeviceClock* const> clocks, Label label, int pack);

  void setRecording(bool recording) { recording_ = recording; }

 private:
  // This process's share of a round. Messages between two processes are matched by their order, and receives that are
  // added are posted first.
  struct Round {
    std::vector<Transfer> inside, in, out;
    std::size_t additions = 0;         // how many of `in` are additions; these come first
    std::size_t early = 0;             // how many of `in` touch nothing that the previous round touches
    std::vector<std::int64_t> places;  // of the additions, in `arriving_`
  };
  struct Rounds : std::vector<Round> {
    std::int64_t room = 0;  // how many elements of `arriving_` they need
  };
  struct Incoming {
    process::Request request = 0;
    std::int64_t beganNs = 0;
  };
  struct Arrivals {  // of a round
    std::vector<Incoming> messages;
    std::size_t asked = 0;  // how many receives have been posted
  };
  struct Sending {
    process::Request request = 0;
    const Transfer* transfer = nullptr;
    std::int64_t beganNs = 0;
    bool done = false;
  };
  struct Call;

  const Rounds& roundsOf(const Schedule& schedule, std::span<float* const> buffers);
  static void findPlaces(Rounds& rounds);
  void ask(Call& call, const Round& round, Arrivals& arrivals, std::size_t until);
  void askEarly(Call& call, const Round& next, Arrivals& arrivals);
  void carryOut(Call& call, const Round& round, Arrivals& arrivals, const Round* next, Arrivals& nextArrivals);
  void receiveAll(Call& call, const Round& round, Arrivals& arrivals);
  bool isSent(Call& call, Sending& sending);
  void finish(Call& call, Sending& sending);
  void finishSends(Call& call, const Transfer& writes);
  void cancelAll();
  void note(Call& call, const Transfer& transfer, std::int64_t beginNs, std::int64_t endNs, bool arrives);

  Topology& topology_;
  Backend& backend_;
  StepLedger& ledger_;
  process::Peers& peers_;
  bool recording_ = true;
  std::map<const Transfer*, Rounds> rounds_;  // of each schedule carried out so far
  Arrivals arrivals_[2];                      // of this round and the next
  // Received values that are to be added arrive here, for two rounds in turn. The buffer is one piece so that it lies
  // in huge pages; the kernel then copies between processes twice as fast.
  AlignedBuffer<float> arriving_;
  std::vector<Sending> sending_;  // of this round and earlier ones, until what they read is overwritten
};

}  // namespace lab
