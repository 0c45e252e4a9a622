// SPDX-License-Identifier: GPL-3.0-or-later
// simulateAsync: workers and servers as a closed queueing network, by events.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/error.h"
#include "core/timing/event_queue.h"
#include "core/timing/server_queues.h"

namespace lab {
namespace {

constexpr int kCycles = 8, kWarmUp = 2;
// Of many servers only the busiest can hold anybody up.
constexpr std::size_t kServersSimulated = 8;

struct Message {
  enum class Kind { Pull, Push, Computed } kind = Kind::Pull;
  int worker = 0;
  std::size_t server = 0;
};

// Bytes per server, the largest first.
std::vector<double> sharesOf(const StepRequest& request) {
  std::vector<double> bytes(static_cast<std::size_t>(request.servers), 0.0);
  std::vector<std::int64_t> sizes;
  for (const LayerProfile& layer : request.model->layers)
    sizes.insert(sizes.end(), layer.tensors.begin(), layer.tensors.end());
  const std::vector<int> owner = dealVariables(request);
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (request.placement == StepRequest::Placement::Sliced)
      for (double& share : bytes) share += 4.0 * static_cast<double>(sizes[i]) / request.servers;
    else
      bytes[static_cast<std::size_t>(owner[i])] += 4.0 * static_cast<double>(sizes[i]);
  std::ranges::sort(bytes, std::greater{});
  bytes.resize(std::min(bytes.size(), kServersSimulated));
  return bytes;
}

}  // namespace

AsyncTiming simulateAsync(const StepRequest& request, std::span<const std::int64_t> computeNs) {
  const Network& network = *request.network;
  const TimingConstants& constants = *request.constants;
  const std::vector<double> shares = sharesOf(request);
  const auto workers = computeNs.size();
  const bool slow = overTcp(network.cluster().transport);
  const double nic = network.hosts() > 1 ? network.nicBandwidth() * static_cast<double>(network.group(0).nics)
                                         : network.linkInside(0).effectiveGbPerSec;
  const double rate = network.hosts() > 1 && slow ? std::min(nic, constants["transport.grpc_gb_per_s"]) : nic;
  const auto alphaNs =
      std::llround(network.hosts() > 1 ? network.nicLatencyNs() : network.linkInside(0).latencyUs * 1e3);

  struct Worker {
    int underWay = 0, cycles = 0;
    std::int64_t askedNs = 0, waitedNs = 0, pulledAt = 0;
  };
  std::vector<Worker> state(workers);
  std::vector<std::int64_t> outFree(shares.size(), 0), inFree(shares.size(), 0);
  EventQueue<Message> events;
  std::int64_t updates = 0, counted = 0, staleness = 0, firstNs = 0, lastNs = 0, warm = 0;

  const auto request_ = [&](Message::Kind kind, int worker, std::int64_t nowNs) {
    Worker& w = state[static_cast<std::size_t>(worker)];
    w.askedNs = nowNs;
    if (kind == Message::Kind::Pull) w.pulledAt = updates;  // a server reads when the request reaches it
    w.underWay = static_cast<int>(shares.size());
    std::vector<std::int64_t>& free = kind == Message::Kind::Pull ? outFree : inFree;
    for (std::size_t s = 0; s < shares.size(); ++s) {
      const std::int64_t beginNs = std::max<std::int64_t>(nowNs + alphaNs, free[s]);
      free[s] = beginNs + std::llround(request.commScale * shares[s] / rate);
      events.add(free[s], {kind, worker, s});
    }
  };
  // Workers are started one after the other.
  for (std::size_t w = 0; w < workers; ++w)
    events.add(static_cast<std::int64_t>(w) * computeNs[w] / static_cast<std::int64_t>(workers),
               {Message::Kind::Push, static_cast<int>(w), shares.size()});
  for (Worker& w : state) {
    w.underWay = 1;
    w.cycles = -1;  // the start is no update
  }
  const auto all = static_cast<std::int64_t>(workers) * kCycles;
  while (counted < all && !events.empty()) {
    const auto event = events.pop();
    const Message message = event.payload;
    Worker& w = state[static_cast<std::size_t>(message.worker)];
    if (message.kind == Message::Kind::Computed) {
      request_(Message::Kind::Push, message.worker, event.timeNs);
      continue;
    }
    if (--w.underWay > 0) continue;
    const bool pull = message.kind == Message::Kind::Pull;
    if (w.cycles >= 0) w.waitedNs += event.timeNs - w.askedNs;
    if (pull) {
      events.add(event.timeNs + computeNs[static_cast<std::size_t>(message.worker)],
                 {Message::Kind::Computed, message.worker, 0});
      continue;
    }
    if (++w.cycles > 0) {
      ++warm;
      if (warm > static_cast<std::int64_t>(workers) * kWarmUp) {
        if (counted == 0) firstNs = lastNs;
        ++counted;
        staleness += updates - w.pulledAt;
      }
      ++updates;
      lastNs = event.timeNs;
    }
    request_(Message::Kind::Pull, message.worker, event.timeNs);
  }
  AsyncTiming timing;
  const double ns = static_cast<double>(std::max<std::int64_t>(1, lastNs - firstNs));
  timing.updatesPerSecond = static_cast<double>(counted) * 1e9 / ns;
  timing.meanStaleness = static_cast<double>(staleness) / static_cast<double>(std::max<std::int64_t>(1, counted));
  timing.cycleNs = std::llround(static_cast<double>(workers) * 1e9 / timing.updatesPerSecond);
  for (std::size_t w = 0; w < workers; ++w) timing.waitNs.push_back(state[w].waitedNs / std::max(1, state[w].cycles));
  return timing;
}

}  // namespace lab
