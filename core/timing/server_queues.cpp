// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timing/server_queues.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/timing/whole_ns.h"

namespace lab {
namespace {

constexpr double kChunkBytes = 4.0 * 1024 * 1024;  // size of gRPC's and NCCL's staging buffers

// Queues by number: host memory, PCIe uplinks, NIC, uplinks of network switches, then devices' ports, then servers.
constexpr std::size_t kHostQueue = 0, kUplinkQueue = 1, kNicQueue = 2, kSwitchQueue = 3, kFixedQueues = 4;

}  // namespace

double incastFactor(int workers, NetTransport transport, const TimingConstants& constants) {
  if (!overTcp(transport)) return 1;
  const double waiting = workers * constants["ps.incast_burst_kib"] * 1024;
  const double buffer = constants["ps.incast_buffer_mb"] * 1e6;
  if (waiting <= buffer) return 1;
  return std::min(constants["ps.incast_cap"], 1 + constants["ps.incast_kappa"] * (waiting / buffer - 1));
}

std::vector<int> variableOwners(const StepRequest& request) {
  std::vector<std::int64_t> sizes;
  for (const LayerProfile& layer : request.model->layers)
    sizes.insert(sizes.end(), layer.tensors.begin(), layer.tensors.end());
  std::vector<int> owner(sizes.size(), 0);
  if (request.placement == StepRequest::Placement::RoundRobin)
    for (std::size_t i = 0; i < owner.size(); ++i) owner[i] = static_cast<int>(i) % request.servers;
  if (request.placement != StepRequest::Placement::Balanced) return owner;
  std::vector<std::size_t> bySize(sizes.size());
  std::iota(bySize.begin(), bySize.end(), std::size_t{0});
  std::ranges::stable_sort(bySize, std::greater{}, [&](std::size_t i) { return sizes[i]; });
  std::vector<std::int64_t> held(static_cast<std::size_t>(request.servers), 0);
  for (const std::size_t i : bySize) {
    const auto emptiest = std::ranges::min_element(held);
    *emptiest += sizes[i];
    owner[i] = static_cast<int>(emptiest - held.begin());
  }
  return owner;
}

ServerQueues::ServerQueues(const StepRequest& request) : request_(request) {
  const Network& network = *request.network;
  const TimingConstants& constants = *request.constants;
  hosts_ = network.hostsOf(request.replicas);
  perHost_ = network.ranksOn(0, request.replicas);
  workers_ = request.workerIsHost ? hosts_ : request.replicas;
  const bool servers = request.method == Reducer::ServersSync || request.method == Reducer::ServersAsync;
  LAB_CHECK(!servers || request.servers >= 1);
  if (servers && hosts_ > 1) {
    for (int host = 0; host < hosts_; ++host) {
      const double rate = network.hostBandwidth(host);
      if (host > 0 && workersOn(host) * nicRate_ <= nicWorkers_ * rate) continue;
      nicWorkers_ = workersOn(host);
      nicRate_ = rate;
    }
    for (int server = 0; server < request.servers; ++server) {
      const double rate = network.hostBandwidth(server % hosts_);
      serverRates_.push_back(overTcp(network.cluster().transport) ? std::min(rate, constants["transport.grpc_gb_per_s"])
                                                                  : rate);
    }
    // A byte crosses an uplink if its worker and its server, which may be on any host, are on different sides of it.
    std::map<int, int> below;
    for (int host = 0; host < hosts_; ++host)
      for (const int uplink : network.uplinksAbove(host)) ++below[uplink];
    for (const auto& [uplink, count] : below)
      uplinkShare_[uplink] = static_cast<double>(count) * (hosts_ - count) / hosts_ / hosts_;
  }
  const std::size_t last =
      kFixedQueues + static_cast<std::size_t>(perHost_) + static_cast<std::size_t>(request.servers);
  owner_ = variableOwners(request);
  pushFreeNs_.assign(last, 0.0);
  pullFreeNs_ = pushFreeNs_;
  resourceBytes_.assign(static_cast<std::size_t>(network.resources()), 0.0);
}

ServerQueues::Interval ServerQueues::pass(std::vector<double>& freeNs, std::span<const Stage> stages, double bytes,
                                          std::int64_t readyNs) {
  const double firstChunk = std::min(1.0, kChunkBytes / bytes);
  double head = static_cast<double>(readyNs), tail = head, begin = head;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    double& free = freeNs[stages[i].queue];
    const double start = std::max(head, free);
    if (i == 0) begin = start;
    // Ends only after the last chunk has come in and passed.
    const double ns = request_.commScale * stages[i].ns;
    tail = std::max(start + ns, tail + firstChunk * ns);
    head = start + firstChunk * ns;
    free = start + ns;  // while a transfer waits for the stage before, the queue serves others
  }
  return {wholeNs(begin), std::max(wholeNs(begin), wholeNs(tail))};
}

// Adds the stage between a host's devices and one of them (tensors placed round robin), or the host's memory.
void ServerQueues::inHost(std::vector<Stage>& stages, std::size_t index, double bytes) const {
  if (perHost_ <= 1) return;
  const Network& network = *request_.network;
  const TimingConstants& constants = *request_.constants;
  const double port = network.linkInside(0).effectiveGbPerSec, g = perHost_;
  const double callNs = constants["pcie.copy_call_us"] * 1e3;
  const double perSwitch = std::min(g, std::max(1.0, static_cast<double>(network.devicesPerSwitch(0))));
  if (request_.method == Reducer::CentralHost) {
    // Down or up, bytes cross each device's port, its switch's uplink, and the memory that all share.
    const double uplink = network.pciInside(0) ? perSwitch / port : 1 / port;
    stages.push_back({kHostQueue, callNs + bytes * std::max(uplink, g / constants["memory.host_gb_per_s"])});
    return;
  }
  const std::size_t root = request_.method == Reducer::CentralDevice ? 0 : index % static_cast<std::size_t>(perHost_);
  if (network.pciInside(0) && g > perSwitch)
    stages.push_back({kUplinkQueue, (g - perSwitch) * bytes * constants["pcie.root_port_factor"] /
                                        (port * std::ceil(g / perSwitch))});
  stages.push_back({kFixedQueues + root, callNs + (g - 1) * bytes / port});
}

void ServerQueues::toServers(std::vector<Stage>& stages, std::size_t index, double bytes, bool push) {
  if (serverRates_.empty()) return;
  const TimingConstants& constants = *request_.constants;
  const Network& network = *request_.network;
  const double away = static_cast<double>(hosts_ - 1) / hosts_;  // servers are on the workers' hosts
  const double iota = push ? incastFactor(workers_, network.cluster().transport, constants) : 1;
  const std::size_t first = kFixedQueues + static_cast<std::size_t>(perHost_);
  if (network.sharesTheAir()) return stages.push_back({first, workers_ * bytes / nicRate_});
  stages.push_back({kNicQueue, nicWorkers_ * away * bytes / nicRate_});
  double switchNs = 0;
  for (const auto& [uplink, share] : uplinkShare_)
    switchNs = std::max(switchNs, workers_ * share * bytes / network.bandwidth(uplink));
  if (switchNs > 0) stages.push_back({kSwitchQueue, switchNs});
  // Every server has a part of every cut variable: they act as one, and the slowest ends last.
  if (request_.placement == StepRequest::Placement::Sliced)
    return stages.push_back({first, workers_ * bytes / request_.servers * iota / std::ranges::min(serverRates_)});
  const auto owner = static_cast<std::size_t>(owner_[index]);
  stages.push_back({first + owner, workers_ * bytes * iota / serverRates_[owner]});
}

double ServerQueues::workersOn(int host) const {
  return request_.workerIsHost ? 1 : request_.network->ranksOn(host, request_.replicas);
}

void ServerQueues::count(double bytes, bool push) {
  for (int r = 0; r < request_.replicas; ++r) at(resourceBytes_, 2 * r + (push ? 0 : 1)) += bytes;
  if (serverRates_.empty()) return;
  const Network& network = *request_.network;
  if (network.sharesTheAir()) {
    at(resourceBytes_, network.air()) += workers_ * bytes;
    return;
  }
  for (int host = 0; host < hosts_; ++host) {
    // To and from servers on other hosts, and what this host's servers exchange with workers on others.
    const double byWorkers = workersOn(host) * bytes * (hosts_ - 1) / hosts_;
    const double byServers = (workers_ - workersOn(host)) * bytes / hosts_;
    const auto out = static_cast<std::size_t>(network.nicOut(host));
    resourceBytes_[out] += push ? byWorkers : byServers;
    resourceBytes_[out + 1] += push ? byServers : byWorkers;
  }
  for (const auto& [uplink, share] : uplinkShare_)
    for (int direction = 0; direction < 2; ++direction)
      at(resourceBytes_, uplink + direction) += workers_ * share * bytes;
}

ServerQueues::Interval ServerQueues::push(std::size_t index, double bytes, std::int64_t readyNs) {
  std::vector<Stage> stages;
  if (request_.workerIsHost || hosts_ == 1) inHost(stages, index, bytes);
  if (request_.method == Reducer::CentralHost && !stages.empty())  // the processor adds: it reads both and writes one
    stages.back().ns = std::max(stages.back().ns, 3 * perHost_ * bytes / (*request_.constants)["memory.host_gb_per_s"]);
  toServers(stages, index, bytes, true);
  count(bytes, true);
  return pass(pushFreeNs_, stages, bytes, readyNs);
}

ServerQueues::Interval ServerQueues::pull(std::size_t index, double bytes, std::int64_t readyNs) {
  std::vector<Stage> stages;
  toServers(stages, index, bytes, false);
  std::ranges::reverse(stages);
  if (request_.workerIsHost || hosts_ == 1) inHost(stages, index, bytes);
  count(bytes, false);
  return pass(pullFreeNs_, stages, bytes, readyNs);
}

}  // namespace lab
