// SPDX-License-Identifier: GPL-3.0-or-later
// simulateWorkers: runs AsyncServers without arithmetic to get a cycle's figures.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/base/units.h"
#include "core/hardware/messages.h"
#include "core/timing/async_servers.h"
#include "core/timing/device_track.h"
#include "core/timing/input_wait.h"
#include "core/timing/messages.h"
#include "core/timing/server_queues.h"
#include "core/timing/whole_ns.h"

namespace lab {
namespace {

constexpr int kCycles = 8, kWarmUp = 2, kBoundedWarmUp = 8;
constexpr std::size_t kServersSimulated = 8;

struct Share {
  double weights = 0, statistics = 0;
  double rate = 0;  // of its server's port, bytes/ns
  double elements() const { return weights + statistics; }
  double bytes(Wire wire) const { return bytesOnWire(wire) * weights + kBytesPerElement * statistics; }
};

// Returns what each server holds.
std::vector<Share> sharesOf(const StepRequest& request) {
  std::vector<Share> shares;
  for (const StepRequest::Held& held : request.held)
    shares.push_back({static_cast<double>(held.weights), static_cast<double>(held.statistics)});
  if (!shares.empty()) return shares;
  shares.resize(static_cast<std::size_t>(request.servers));
  std::vector<std::int64_t> sizes;
  for (const LayerProfile& layer : request.model->layers)
    sizes.insert(sizes.end(), layer.tensors.begin(), layer.tensors.end());
  const std::vector<int> owner = variableOwners(request);
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (request.placement == StepRequest::Placement::Sliced)
      for (Share& share : shares) share.weights += static_cast<double>(sizes[i]) / request.servers;
    else
      at(shares, owner[i]).weights += static_cast<double>(sizes[i]);
  return shares;
}

// Returns whether servers have hosts of their own, so that transfers cross the network between hosts.
bool serversAreApart(const StepRequest& request) {
  return request.network->hosts() > 1 || request.serversApart;
}

// Sums over the counted cycles and updates of one worker.
struct Total {
  bool hasStarted = false;  // true after its first cycle, when all workers have asked at once
  std::int64_t cycles = 0, stepNs = 0, inputNs = 0, sendingNs = 0;
  std::int64_t updates = 0, staleness = 0;

  void add(const WorkerCycle& cycle) {
    ++cycles;
    stepNs += cycle.stepNs();
    inputNs += cycle.inputNs();
    sendingNs += cycle.sendingNs;
  }
  void addUpdate(std::int64_t stale) {
    ++updates;
    staleness += stale;
  }
  std::int64_t mean(std::int64_t sum) const { return sum / cycles; }
};

class WorkersSimulation {
 public:
  explicit WorkersSimulation(const StepRequest& request) : request_(request), totals_(workers()) {
    StepRequest own = request;
    own.stragglers.expected = false;
    own.step = 0;
    Programs programs(own);
    tracks_ = makeTracks(own);
    for (DeviceTrack& track : tracks_.all) {
      if (request.traces(track.replica)) track.trace = &spans_;
      track.walk(programs.of(track.replica), {});
    }
    const std::vector<std::int64_t> ofHost = inputNsOfHosts(request);
    for (int w = 0; w < request.replicas; ++w) preparingNs_.push_back(at(ofHost, request.network->hostOf(w)));
    for (const Share& share : sharesOf(request)) bytes_ += share.bytes(request.wire);
  }

  StepTiming run() {
    AsyncServers servers;
    servers.start(settings());
    for (int w = 0; w < request_.replicas; ++w) servers.ask(w, workerStartNs(w, servers.latencyNs()));
    const std::int64_t first =
        static_cast<std::int64_t>(workers()) * (request_.turns.clocksAhead ? kBoundedWarmUp : kWarmUp);
    const std::int64_t all = request_.step > 0 ? request_.step : first + static_cast<std::int64_t>(workers()) * kCycles;
    std::vector<std::int64_t> updatesAtPull(workers(), 0);
    std::int64_t updates = 0, firstNs = 0, lastNs = 0, examples = 0;
    double rate = 0;
    while (true) {
      const ServerTransfer transfer = servers.next();
      const auto w = static_cast<std::size_t>(transfer.worker);
      if (transfer.what == ServerTransfer::What::Pull) {
        updatesAtPull[w] = updates;
        if (transfer.last) servers.compute(transfer.worker, track(w).nowNs, preparingNs_[w], request_.input.prefetch);
        continue;
      }
      if (!transfer.last) continue;
      const WorkerCycle cycle = servers.cycle(transfer.worker);
      const std::int64_t stale = updates - updatesAtPull[w];
      lastNs = std::max(lastNs, cycle.doneNs);
      examples += request_.batchOf(transfer.worker);
      if (++updates == all && request_.step > 0) {
        StepTiming timing = one(transfer.worker, cycle, stale);
        // The rate of all workers since the start, as their cycles overlap.
        timing.imagesPerSecond = perSecond(examples, lastNs);
        return timing;
      }
      if (updates == first && request_.step == 0) {
        firstNs = lastNs;
        examples = 0;
      }
      Total& total = totals_[w];
      const auto counts = [&](std::int64_t before) { return updates > first && (updates <= all || before == 0); };
      if (counts(total.updates)) total.addUpdate(stale);
      if (total.hasStarted && counts(total.cycles)) total.add(cycle);
      total.hasStarted = true;
      if (updates == all) rate = perSecond(examples, lastNs - firstNs);
      // A worker much slower than the others ends the cycle after its first while they rest.
      if (updates < all || total.cycles == 0)
        servers.ask(transfer.worker, cycle.doneNs);
      else if (std::ranges::all_of(totals_, [](const Total& each) { return each.cycles > 0; }))
        return mean(rate);
    }
  }

 private:
  ServerSettings settings() const {
    if (request_.step > 0) return serverSettingsOf(request_, SIZE_MAX);
    ServerSettings settings = serverSettingsOf(request_, kServersSimulated);
    // A mean is of the time when the fast wait for the slow. Workers keep their speeds, so every bound above 0 comes to
    // the same in the end, a small one soon.
    if (std::optional<std::int64_t>& ahead = settings.turns.clocksAhead) ahead = std::min<std::int64_t>(*ahead, 1);
    return settings;
  }
  static double perSecond(std::int64_t examples, std::int64_t ns) {
    return static_cast<double>(examples) * 1e9 / static_cast<double>(std::max<std::int64_t>(1, ns));
  }
  std::size_t workers() const { return static_cast<std::size_t>(request_.replicas); }
  const DeviceTrack& track(std::size_t worker) const { return tracks_.all[tracks_.ofReplica[worker]]; }

  StepTiming one(int worker, const WorkerCycle& cycle, std::int64_t stale) {
    StepTiming timing;
    timing.worker = worker;
    timing.stepNs = cycle.stepNs();
    timing.meanStaleness = static_cast<double>(stale);
    StageNs stages = track(static_cast<std::size_t>(worker)).stages;
    stages.input = cycle.inputNs();
    stages.queue = cycle.queueNs();
    stages.exposed = cycle.sendingNs;
    timing.stages = {stages};
    std::erase_if(spans_, [worker](const ModelledSpan& span) { return span.replica != worker; });
    close(timing, stages, worker);
    return timing;
  }

  // Each worker has its own cycle, and the step is the longest cycle.
  StepTiming mean(double imagesPerSecond) {
    StepTiming timing;
    std::int64_t updates = 0, staleness = 0;
    for (std::size_t w = 0; w < workers(); ++w) {
      const Total& total = totals_[w];
      updates += total.updates;
      staleness += total.staleness;
      StageNs stages = track(w).stages;
      stages.input = total.mean(total.inputNs);
      stages.exposed = total.mean(total.sendingNs);
      stages.queue = total.mean(total.stepNs) - stages.sum();
      timing.stages.push_back(stages);
      timing.stepNs = std::max(timing.stepNs, stages.sum());
    }
    timing.meanStaleness = static_cast<double>(staleness) / static_cast<double>(updates);
    timing.imagesPerSecond = imagesPerSecond;
    for (std::size_t w = 0; w < workers(); ++w) close(timing, timing.stages[w], static_cast<int>(w));
    return timing;
  }

  // Completes the worker's spans, which end with its cycle, and books what is left of the step.
  void close(StepTiming& timing, StageNs& stages, int worker) {
    const std::int64_t cycle = stages.sum(), sent = cycle - stages.queue;
    // clang 14 cannot take std::ranges::equal_range.
    for (auto span = std::ranges::lower_bound(spans_, worker, {}, &ModelledSpan::replica);
         span != spans_.end() && span->replica == worker; ++span) {
      span->beginNs += stages.input;
      span->endNs += stages.input;
      timing.spans.push_back(*span);
    }
    const auto note = [&](ModelledSpan::Kind kind, std::int64_t beginNs, std::int64_t endNs) {
      if (request_.traces(worker) && endNs > beginNs) timing.spans.push_back({kind, worker, 0, beginNs, endNs, 0, 0});
    };
    note(ModelledSpan::Kind::WaitForInput, 0, stages.input);
    note(ModelledSpan::Kind::Exchange, sent - stages.exposed, sent);
    note(ModelledSpan::Kind::WaitForServers, sent, cycle);
    stages.nextCycle = timing.stepNs - cycle;
    countBytes(timing, worker);
  }

  // Counts a pull and a push, on all that they cross.
  void countBytes(StepTiming& timing, int worker) const {
    const Network& network = *request_.network;
    timing.resourceBytes.resize(static_cast<std::size_t>(network.resources()), 0.0);
    // Adds to both directions; the one inwards follows the one outwards.
    const auto add = [&](int resource) {
      for (int i = 0; i < 2; ++i) at(timing.resourceBytes, resource + i) += bytes_;
    };
    add(2 * worker);
    if (!serversAreApart(request_)) return;
    if (network.sharesTheAir()) {
      at(timing.resourceBytes, network.air()) += 2 * bytes_;
      return;
    }
    const int host = network.hostOf(worker);
    add(network.nicOut(host));
    for (const int uplink : network.uplinksAbove(host)) add(uplink);
  }

  const StepRequest& request_;
  Tracks tracks_;
  std::vector<ModelledSpan> spans_;        // by worker
  std::vector<std::int64_t> preparingNs_;  // per worker: its batch's input
  std::vector<Total> totals_;
  double bytes_ = 0;  // of a pull, and of a push
};

// Servers are at the top switch, so a worker's transfers cross all uplinks above its host.
void crossUplinks(const StepRequest& request, double serverRate, ServerSettings& settings) {
  const Network& network = *request.network;
  std::map<int, std::size_t> indexOf;
  for (int worker = 0; worker < request.replicas; ++worker) {
    std::vector<std::size_t>& crossed = settings.uplinksOf.emplace_back();
    for (const int uplink : network.uplinksAbove(network.hostOf(worker))) {
      const auto [found, isNew] = indexOf.emplace(uplink, indexOf.size());
      if (isNew) settings.uplinkFactors.push_back(serverRate / network.bandwidth(uplink));
      crossed.push_back(found->second);
    }
  }
}

// The workers of a host share its NICs. A server and a worker send one transfer at a time each, so NICs that carry so
// many transfers at once delay none.
void shareNics(const StepRequest& request, double serverRate, int servers, ServerSettings& settings) {
  const Network& network = *request.network;
  for (int host = 0; host < network.hostsOf(request.replicas); ++host) {
    const int workers = network.ranksOn(host, request.replicas);
    const double bandwidth = network.hostBandwidth(host);
    const bool delay = workers > 1 && std::min(workers, servers) * serverRate > bandwidth;
    settings.nicsOf.insert(settings.nicsOf.end(), static_cast<std::size_t>(workers),
                           delay ? static_cast<int>(settings.nicFactors.size()) : -1);
    if (delay) settings.nicFactors.push_back(serverRate / bandwidth);
  }
  if (settings.nicFactors.empty()) settings.nicsOf.clear();
}

// Adds the fullest servers, which delay workers, and one that stands for all others. `rate`: the fastest server's.
void addServerTimes(const StepRequest& request, std::vector<Share> shares, double rate, std::size_t mostServers,
                    ServerSettings& settings) {
  const auto sendingNs = [&](const Share& share, double bytesPerNs) {
    return share.elements() > 0 ? wholeNs(request.commScale * share.bytes(request.wire) / bytesPerNs) : -1;
  };
  Share others;
  if (shares.size() > mostServers) {
    std::ranges::sort(shares, std::greater{}, [](const Share& share) { return share.elements() / share.rate; });
    for (std::size_t i = mostServers; i < shares.size(); ++i) {
      others.weights += shares[i].weights;
      others.statistics += shares[i].statistics;
    }
    shares.resize(mostServers);
  }
  for (const Share& share : shares) {
    settings.transferNs.push_back(sendingNs(share, rate));
    settings.portNs.push_back(sendingNs(share, share.rate));
    settings.updateNs.push_back(serverUpdateNs(request, std::llround(share.elements())));
  }
  if (others.elements() > 0) {
    others.weights += shares.back().weights;
    others.statistics += shares.back().statistics;
    settings.transferNs.back() = sendingNs(others, rate);
  }
}

}  // namespace

ServerSettings serverSettingsOf(const StepRequest& request, std::size_t mostServers) {
  const Network& network = *request.network;
  const TimingConstants& constants = *request.constants;
  const bool apart = serversAreApart(request);
  if (apart && network.nicBandwidth() <= 0) throw UserError(say::noHostLink);
  const auto rateOf = [&](int host) {
    const double link = apart ? network.hostBandwidth(host) : network.linkInside(host).effectiveGbPerSec;
    return apart && overTcp(network.cluster().transport) ? std::min(link, constants["transport.grpc_gb_per_s"]) : link;
  };
  std::vector<Share> shares = sharesOf(request);
  const int hosts = network.hostsOf(request.replicas);
  for (std::size_t i = 0; i < shares.size(); ++i) shares[i].rate = rateOf(static_cast<int>(i) % hosts);
  const double rate = std::ranges::max(shares, {}, &Share::rate).rate;
  ServerSettings settings;
  settings.workers = request.replicas;
  settings.sharedAir = apart && network.sharesTheAir();
  settings.turns = request.turns;
  if (settings.sharedAir && settings.turns.atOnce == 0) settings.turns.atOnce = kLinkTurns;
  settings.latencyNs = wholeNs(apart ? network.nicLatencyNs() : network.linkInside(0).latencyUs * 1e3);
  for (int w = 0; w < request.replicas; ++w) settings.linkFactors.push_back(rate / rateOf(network.hostOf(w)));
  for (const auto& [worker, factor] : request.slowLinks)
    settings.linkFactors.at(static_cast<std::size_t>(worker)) = factor * rate / rateOf(network.hostOf(worker));
  if (apart && !network.cluster().switches.empty()) crossUplinks(request, rate, settings);
  if (apart && !network.sharesTheAir()) {
    const auto senders = std::ranges::count_if(shares, [](const Share& share) { return share.elements() > 0; });
    shareNics(request, rate, static_cast<int>(senders), settings);
  }
  addServerTimes(request, std::move(shares), rate, mostServers, settings);
  return settings;
}

StepTiming simulateWorkers(const StepRequest& request) {
  return WorkersSimulation(request).run();
}

}  // namespace lab
