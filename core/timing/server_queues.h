// SPDX-License-Identifier: GPL-3.0-or-later
// Variables with one copy (in host memory, on a device, on parameter servers), and every worker's traffic to and from
// that copy. Each variable's gradient passes a line of queues (in-host reduction, NIC, server), first come, first
// served; a transfer moves in chunks, so its stages overlap (cut-through).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "core/timing/step_model.h"

namespace lab {

// Returns how much longer synchronised pushes of `workers` take on a switch with shallow buffers (README.md,
// illustrative); 1 if the transport is lossless.
double incastFactor(int workers, NetTransport transport, const TimingConstants& constants);

// Returns the server of each variable, in creation order; all 0 for a sliced placement.
std::vector<int> variableOwners(const StepRequest& request);

class ServerQueues {
 public:
  explicit ServerQueues(const StepRequest& request);

  struct Interval {
    std::int64_t beginNs = 0, endNs = 0;
  };
  // Sends variable `index` (creation order) of `bytes` from all workers at once. readyNs: when the last worker has it.
  Interval push(std::size_t index, double bytes, std::int64_t readyNs);
  // Sends the same variable to all workers, from readyNs on.
  Interval pull(std::size_t index, double bytes, std::int64_t readyNs);
  const std::vector<double>& resourceBytes() const { return resourceBytes_; }

 private:
  struct Stage {
    std::size_t queue = 0;
    double ns = 0;
  };
  Interval pass(std::vector<double>& freeNs, std::span<const Stage> stages, double bytes, std::int64_t readyNs);
  void inHost(std::vector<Stage>& stages, std::size_t index, double bytes) const;
  void toServers(std::vector<Stage>& stages, std::size_t index, double bytes, bool push);
  void count(double bytes, bool push);
  double workersOn(int host) const;

  const StepRequest& request_;
  int hosts_ = 1, perHost_ = 1, workers_ = 1;
  double nicRate_ = 0, nicWorkers_ = 0;  // of the host that takes longest to send what its workers send
  std::vector<double> serverRates_;      // of each server, at its host's NICs; empty: no servers on other hosts
  std::map<int, double> uplinkShare_;    // by uplink, up: the share of all workers' bytes that crosses it each way
  std::vector<int> owner_;               // of each variable
  // Ports are full duplex: pushes and pulls do not share bandwidth.
  std::vector<double> pushFreeNs_, pullFreeNs_;
  std::vector<double> resourceBytes_;
};

}  // namespace lab
