// SPDX-License-Identifier: GPL-3.0-or-later
// Carries a communication schedule out between processes, round by round: each transfer whose two ranks are in
// different processes is one message, sent from the buffer itself and received into it or, where it is added, into a
// buffer that is reused. Additions are those of the schedule, in its order: the same bits as in one process. A process
// waits for what it adds or passes on, not for its own messages to leave: these are waited for before their place is
// written, and at the end. On a busy machine each wait costs the time slice of another program.
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
  // What of a round concerns this process. Messages of two processes are matched in their order, and additions are
  // asked for first.
  struct Round {
    std::vector<Transfer> inside, in, out;
    std::size_t additions = 0;         // the first of `in`
    std::size_t early = 0;             // so many of `in` touch nothing that the round before does
    std::vector<std::int64_t> places;  // of the additions, in `arriving_`
  };
  struct Rounds : std::vector<Round> {
    std::int64_t room = 0;  // elements of `arriving_` that they take
  };
  struct Incoming {
    process::Request request = 0;
    std::int64_t beganNs = 0;
  };
  struct Arrivals {  // of a round
    std::vector<Incoming> messages;
    std::size_t asked = 0;  // so many have been asked for
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
  std::map<const Transfer*, Rounds> rounds_;  // of each schedule that was carried out
  Arrivals arrivals_[2];                      // of this round and the next
  // What is added arrives here: two rounds, in turn. In one piece, so that it lies in huge pages: the kernel copies
  // between processes twice as fast then.
  AlignedBuffer<float> arriving_;
  std::vector<Sending> sending_;  // of this round and of earlier ones, until what they read is written
};

}  // namespace lab
