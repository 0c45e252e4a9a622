// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timing/pack_cost.h"

#include <algorithm>
#include <cmath>

#include "core/base/at.h"
#include "core/base/ceil_divide.h"
#include "core/base/error.h"
#include "core/base/units.h"
#include "core/timing/messages.h"
#include "core/timing/nccl_model.h"
#include "core/timing/round_cost.h"
#include "core/timing/whole_ns.h"

namespace lab {
namespace {

// Returns the number of hosts of the first `replicas` devices.
int hostsOf(const StepRequest& request) {
  return request.network->hostsOf(request.replicas);
}

// A schedule's rows have one length, so on unequal hosts they would cross from one host to the next.
void checkEqualHosts(const StepRequest& request, Reducer kind) {
  const auto ranksOn = [&](int host) { return request.network->ranksOn(host, request.replicas); };
  for (int host = 1; host < hostsOf(request); ++host)
    if (ranksOn(host) != ranksOn(0))
      throw UserError(say::hostsHoldUnequalRanks, toString(kind), ranksOn(0), ranksOn(host));
}

}  // namespace

std::int64_t PackCost::ns(double bytes) {
  auto found = costs_.find(bytes);
  if (found == costs_.end()) found = costs_.emplace(bytes, cost(bytes)).first;
  const Cost& cost = found->second;
  resourceBytes_.resize(std::max(resourceBytes_.size(), cost.resourceBytes.size()), 0.0);
  for (std::size_t i = 0; i < cost.resourceBytes.size(); ++i) resourceBytes_[i] += cost.resourceBytes[i];
  return wholeNs(request_.commScale * static_cast<double>(cost.ns));
}

PackCost::Cost PackCost::cost(double bytes) const {
  switch (request_.method) {
    case Reducer::Nccl: {
      // NCCL's constants give the time; its ring gives the bytes on each link.
      Cost cost = scheduled(Reducer::Ring, bytes);
      cost.ns = ncclAllReduce(ncclShape(*request_.network, request_.replicas, *request_.constants), bytes,
                              *request_.constants)
                    .ns;
      return cost;
    }
    case Reducer::Torus:
      return request_.network->device(0).standsInTorus() ? torusOfChips(bytes) : scheduled(Reducer::Torus, bytes);
    case Reducer::CpuAllReduce:
      return hostRing(bytes);
    default:
      return scheduled(request_.method, bytes);
  }
}

PackCost::Cost PackCost::scheduled(Reducer kind, double bytes) const {
  if (goesByHosts(kind)) checkEqualHosts(request_, kind);
  const auto elements = static_cast<std::int64_t>(std::ceil(bytes / kBytesPerElement));
  const auto schedule = half_ ? makeRingHalf(*half_, request_.replicas, elements)
                              : makeRoundSchedule(kind, request_.replicas, hostsOf(request_), elements);
  RoundsCost cost = costOfRounds(*schedule, *request_.network);
  return {cost.ns, std::move(cost.resourceBytes)};
}

// The two cores of a chip add first; then the chips form a 2-D torus, and each uses all its links at once (README.md,
// All-reduce; arXiv 1811.06992). All go through the same rounds, so the slowest link and memory decide.
PackCost::Cost PackCost::torusOfChips(double bytes) const {
  const TimingConstants& constants = *request_.constants;
  const int cores = static_cast<int>(constants["tpu.cores_per_chip"]);
  const int chips = ceilDivide(request_.replicas, cores);
  const TorusShape shape = torusShape(chips);
  const Network& network = *request_.network;
  double gbPerSec = network.linkInside(0).effectiveGbPerSec, latencyUs = network.linkInside(0).latencyUs;
  double memoryGbPerSec = network.device(0).memoryGbPerSec;
  for (int r = 1; r < request_.replicas; ++r) {
    const LinkModel& link = network.linkInside(network.hostOf(r));
    gbPerSec = std::min(gbPerSec, link.effectiveGbPerSec);
    latencyUs = std::max(latencyUs, link.latencyUs);
    memoryGbPerSec = std::min(memoryGbPerSec, network.device(r).memoryGbPerSec);
  }
  const double links = constants["tpu.links_per_chip"];
  const double x = shape.x, y = shape.y;
  Cost cost;
  const double onChip = request_.replicas > 1 ? 3 * bytes / memoryGbPerSec : 0;
  const double sent = 2 * (x - 1) / x + 2 * (y - 1) / (x * y);
  const double hops = 2 * (x - 1 + y - 1);
  cost.ns = wholeNs(onChip + hops * latencyUs * 1e3 + sent * bytes / (links * gbPerSec));
  cost.resourceBytes.assign(static_cast<std::size_t>(network.resources()), 0.0);
  for (int r = 0; r < request_.replicas; ++r) {
    const int onThisChip = std::min(cores, request_.replicas - r / cores * cores);  // fewer on the last
    for (int port = 0; port < 2; ++port) at(cost.resourceBytes, 2 * r + port) = sent * bytes / onThisChip;
  }
  return cost;
}

// A ring through the processors, with a process per rank: what a CPU transport reaches on the network, or in memory.
PackCost::Cost PackCost::hostRing(double bytes) const {
  const TimingConstants& constants = *request_.constants;
  const Network& network = *request_.network;
  const double p = request_.replicas;
  const int hosts = hostsOf(request_);
  const bool many = hosts > 1;
  const double rate = many ? std::min({constants["transport.cpu_line_share"] * network.hostLink().gbPerSec,
                                       constants["transport.cpu_tcp_gb_per_s"], network.ringBandwidth(hosts)})
                           : network.linkInside(0).effectiveGbPerSec;
  const double alphaNs = many ? network.nicLatencyNs() : network.linkInside(0).latencyUs * 1e3;
  Cost cost = scheduled(Reducer::Ring, bytes);
  // The call's fixed cost includes the steps of small messages: it was measured on whole calls.
  cost.ns = wholeNs(constants["transport.rpc_us"] * 1e3 + 2 * (p - 1) * alphaNs + 2 * (p - 1) / p * bytes / rate);
  return cost;
}

}  // namespace lab
