// SPDX-License-Identifier: GPL-3.0-or-later
// All-reduce between real processes: our schedules, hop by hop as a run carries them out, and MPI_Allreduce, in turn.
// Start it with mpirun; the first process prints a JSON line for each size and schedule: the median and the least, over
// repetitions, of the time of the slowest process. Arguments: repetitions (a third of them above 2 MB, 3 at least),
// then sizes in bytes.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/comm/schedule.h"
#include "core/model/cnn.h"
#include "core/process/peers.h"
#include "core/replicas/step_ledger.h"
#include "core/replicas/topology.h"
#include "core/replicas/wire_collective.h"
#include "core/trace/telemetry.h"

using namespace lab;

namespace {

class Bench {
 public:
  explicit Bench(process::Peers& peers)
      : peers_(peers),
        backend_(makeCpuBackend(pool_)),
        topology_(settingsOf(peers), courseNetwork()),
        ledger_(telemetry_, true, false),
        collective_(topology_, *backend_, ledger_, peers) {
    collective_.setRecording(false);
    if (const char* bytes = std::getenv("STRATEGYLAB_FILL")) fill_.resize(std::strtoul(bytes, nullptr, 10));
    filled_ = fill_;
    clocks_ = peers.offsets();
    peers.broadcast(clocks_.data(), clocks_.size() * sizeof clocks_.front());
  }

  // The schedules run in turn, so that other load on the machine disturbs all alike.
  void run(const std::vector<Reducer>& reducers, std::int64_t bytes, int repetitions) {
    std::vector<std::vector<std::int64_t>> took(reducers.size());
    std::vector<const Schedule*> made;
    for (const Reducer reducer : reducers)
      made.push_back(&schedules_.emplace_back(makeAllReduce(reducer, peers_.size(), peers_.size(), bytes / 4)));
    AlignedBuffer<float> values(bytes / 4);
    for (int i = -2; i < repetitions; ++i)  // two to warm up
      for (std::size_t k = 0; k < reducers.size(); ++k) {
        const std::int64_t ns = once(reducers[k], *made[k], values);
        if (i >= 0) took[k].push_back(ns);
      }
    for (std::size_t k = 0; k < reducers.size(); ++k) {
      std::ranges::sort(took[k]);
      if (peers_.isChief())
        std::printf("{\"schedule\":\"%s\",\"ranks\":%d,\"bytes\":%lld,\"medianNs\":%lld,\"leastNs\":%lld}\n",
                    std::string(toString(reducers[k])).c_str(), peers_.size(), static_cast<long long>(bytes),
                    static_cast<long long>(took[k][took[k].size() / 2]), static_cast<long long>(took[k].front()));
    }
    std::fflush(stdout);
  }

 private:
  // The slowest process's time.
  std::int64_t once(Reducer reducer, const Schedule& schedule, AlignedBuffer<float>& values) {
    std::vector<float*> buffers(static_cast<std::size_t>(topology_.endpoints()), nullptr);
    std::vector<DeviceClock*> clocks(buffers.size(), nullptr);
    buffers[static_cast<std::size_t>(peers_.rank())] = values.data();
    std::ranges::fill(values.span(), 1e-3F);
    if (fill_.size() > 0) {
      const int n = peers_.size(), before = (peers_.rank() + n - 1) % n, next = (peers_.rank() + 1) % n;
      process::Request in = peers_.receive(before, filled_.data(), filled_.size());
      process::Request out = peers_.send(next, fill_.data(), fill_.size());
      peers_.wait(in, before);
      peers_.wait(out, next);
    }
    const std::int64_t beganNs = together();
    if (reducer == Reducer::Mpi)
      peers_.sumOverAll(values.data(), values.size());
    else
      collective_.run(schedule, 0, buffers, clocks, Label::AllReduce, 0);
    const std::int64_t mine = steadyNs() - beganNs;
    std::vector<std::int64_t> all(static_cast<std::size_t>(peers_.size()));
    peers_.allGather(&mine, all.data(), sizeof mine);
    return std::ranges::max(all);
  }

  // The last process to reach a barrier leaves it first, by a message's time. So all begin at one moment of the chief's
  // clock. Token buckets that were just emptied would refill meanwhile; their links have hardly any delay.
  std::int64_t together() {
    peers_.barrier();
    if (fill_.size() > 0) return steadyNs();
    const process::Peers::Offset& mine = clocks_[static_cast<std::size_t>(peers_.rank())];
    std::int64_t moment = 0;
    for (const process::Peers::Offset& each : clocks_) moment = std::max(moment, 6 * each.errorNs);
    moment += steadyNs() + 50'000;
    peers_.broadcast(&moment, sizeof moment);
    if (std::abs(mine.ns) > mine.errorNs) moment += mine.ns;  // otherwise the clocks may be one
    while (steadyNs() < moment) std::this_thread::yield();
    return moment;
  }

  static TopologySettings settingsOf(const process::Peers& peers) {
    TopologySettings settings;
    settings.replicas = settings.hosts = peers.size();
    settings.measured = true;
    for (const process::Place& place : peers.places()) settings.machineOfHost.push_back(place.host);
    return settings;
  }

  process::Peers& peers_;
  ThreadPool pool_{1};
  std::unique_ptr<Backend> backend_;
  Telemetry telemetry_;
  Topology topology_;
  StepLedger ledger_;
  WireCollective collective_;
  std::deque<Schedule> schedules_;
  process::Content fill_, filled_;
  std::vector<process::Peers::Offset> clocks_;  // of all processes
};

// A hop where all pass one on at once, as in a ring: more than half of a round trip where hosts share processors.
double allAtOnceUs(process::Peers& peers) {
  constexpr int kHops = 20, kTimes = 15;
  const int n = peers.size(), before = (peers.rank() + n - 1) % n, next = (peers.rank() + 1) % n;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (int time = 0; time < kTimes; ++time) {
    peers.barrier();
    const std::int64_t beganNs = steadyNs();
    for (int hop = 0; hop < kHops; ++hop) {
      float mine = 0, theirs = 0;
      process::Request in = peers.receive(before, &theirs, sizeof theirs);
      process::Request out = peers.send(next, &mine, sizeof mine);
      peers.wait(in, before);
      peers.wait(out, next);
    }
    least = std::min(least, (steadyNs() - beganNs) / kHops);
  }
  return static_cast<double>(least) / 1e3;
}

}  // namespace

int main(int argc, char** argv) {
  const std::shared_ptr<process::Peers> peers = process::join();
  const int repetitions = argc > 1 ? std::atoi(argv[1]) : 21;
  std::vector<std::int64_t> sizes;
  for (int i = 2; i < argc; ++i) sizes.push_back(std::atoll(argv[i]));
  if (sizes.empty()) sizes = {1388584};
  {
    peers->alignClocks(50);
    const std::int64_t halfNs = peers->size() > 1 ? peers->offsets()[1].errorNs : 0;  // straight to the next one
    const double hopUs = peers->size() > 1 ? allAtOnceUs(*peers) : 0;
    if (peers->isChief())
      std::printf("{\"halfRoundTripUs\":%.2f,\"allAtOnceUs\":%.2f}\n", static_cast<double>(halfNs) / 1e3, hopUs);
    Bench bench(*peers);
    for (const std::int64_t bytes : sizes)
      bench.run({Reducer::Ring, Reducer::Mpi, Reducer::HalvingDoubling, Reducer::Tree}, bytes,
                bytes > (2 << 20) ? std::max(3, repetitions / 3) : repetitions);
  }
  process::setPeers(nullptr);
  return 0;
}
