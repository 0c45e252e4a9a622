// SPDX-License-Identifier: GPL-3.0-or-later
// All-reduce between real processes: our schedules, hop by hop as a run carries them out, and MPI_Allreduce, in turn.
// Start it with mpirun; the first process prints a JSON line for each size and schedule: the median, over repetitions,
// of the time of the slowest process. Arguments: repetitions, then sizes in bytes.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/cluster/step_ledger.h"
#include "core/cluster/topology.h"
#include "core/cluster/wire_collective.h"
#include "core/comm/schedule.h"
#include "core/model/cnn.h"
#include "core/process/peers.h"
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
  }

  void run(Reducer reducer, std::int64_t bytes, int repetitions) {
    const std::int64_t elements = bytes / 4;
    const Schedule& schedule = schedules_.emplace_back(makeAllReduce(reducer, peers_.size(), peers_.size(), elements));
    AlignedBuffer<float> values(elements);
    std::vector<float*> buffers(static_cast<std::size_t>(topology_.endpoints()), nullptr);
    std::vector<DeviceClock*> clocks(buffers.size(), nullptr);
    buffers[static_cast<std::size_t>(peers_.rank())] = values.data();
    std::vector<std::int64_t> took;
    for (int i = -2; i < repetitions; ++i) {  // two to warm up
      std::ranges::fill(values.span(), 1e-3F);
      peers_.barrier();
      const std::int64_t beganNs = steadyNs();
      if (reducer == Reducer::Mpi)
        peers_.sumOverAll(values.data(), elements);
      else
        collective_.run(schedule, 0, buffers, clocks, Label::AllReduce, 0);
      const std::int64_t mine = steadyNs() - beganNs;
      std::vector<std::int64_t> all(static_cast<std::size_t>(peers_.size()));
      peers_.allGather(&mine, all.data(), sizeof mine);
      if (i >= 0) took.push_back(std::ranges::max(all));
    }
    std::ranges::sort(took);
    if (peers_.isChief())
      std::printf("{\"schedule\":\"%s\",\"ranks\":%d,\"bytes\":%lld,\"medianNs\":%lld,\"leastNs\":%lld}\n",
                  std::string(toString(reducer)).c_str(), peers_.size(), static_cast<long long>(bytes),
                  static_cast<long long>(took[took.size() / 2]), static_cast<long long>(took.front()));
    std::fflush(stdout);
  }

 private:
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
};

}  // namespace

int main(int argc, char** argv) {
  const std::shared_ptr<process::Peers> peers = process::join();
  const int repetitions = argc > 1 ? std::atoi(argv[1]) : 21;
  std::vector<std::int64_t> sizes;
  for (int i = 2; i < argc; ++i) sizes.push_back(std::atoll(argv[i]));
  if (sizes.empty()) sizes = {1388584};
  {
    peers->alignClocks(50);
    std::int64_t halfNs = 0;
    for (const process::Peers::Offset& offset : peers->offsets()) halfNs = std::max(halfNs, offset.errorNs);
    if (peers->isChief()) std::printf("{\"halfRoundTripUs\":%.2f}\n", static_cast<double>(halfNs) / 1e3);
    Bench bench(*peers);
    for (const std::int64_t bytes : sizes)
      for (const Reducer reducer : {Reducer::Ring, Reducer::Mpi, Reducer::HalvingDoubling, Reducer::Tree})
        bench.run(reducer, bytes, repetitions);
  }
  process::setPeers(nullptr);
  return 0;
}
