// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/options/process_settings.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/options/messages.h"
#include "core/process/peers.h"
#include "core/process/process_gpus.h"

namespace lab {
namespace {

using process::Peers;

}  // namespace

std::int64_t threadsOfProcess() {
  const std::shared_ptr<Peers> peers = process::peers();
  const int here = peers ? peers->here().onHost : 1;
  return std::max(1, processorCount() / here);
}

void resolveProcesses(RunSettings& asked, const StrategyInfo& info) {
  const Option devices{"devices"};
  if (!info.synchronous) throw UserError(say::serversAmongProcesses, devices, Words{info.name});
  if (!info.severalMachines) throw UserError(say::processesNeedHosts, devices, Words{info.name});
  if (asked.noiseScale) throw UserError(say::noiseAmongProcesses, Option{"noise-scale"});
  if (!asked.slow.empty()) throw UserError(say::slowAmongProcesses, Option{"slow"});
  const std::shared_ptr<Peers> peers = process::peers();
  if (!peers) {  // that are yet to be started: one for each replica
    if (!asked.hosts) asked.hosts = info.replicasOf(asked);
    if (!asked.replicas) asked.replicas = asked.hosts;
    return;
  }
  if (!asked.hosts) asked.hosts = peers->size();
  if (*asked.hosts != peers->size())
    throw UserError(say::hostsAreProcesses, Option{"hosts"}, *asked.hosts, peers->size());
  if (!asked.replicas) asked.replicas = asked.hosts;
}

void checkProcessGpus(const ResolvedSettings& config) {
  const std::shared_ptr<Peers> peers = process::peers();
  if (!peers || config.devices != DeviceChoice::Processes || !areOnGpus(config)) return;
  const std::vector<WorkerGpus>& all = gpusOfWorkers(*peers);
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    if (!all[rank].why.empty())
      throw UserError(say::noGpuThere, Option{"worker-devices"}, peers->nameOf(static_cast<int>(rank)), all[rank].why);
  if (config.reducer != Reducer::Nccl) return;
  const Option reducer{"reducer"};
  const std::string_view given = toString(config.reducer);
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    if (!all[rank].whyNoNccl.empty())
      throw UserError(say::noNcclThere, reducer, given, peers->nameOf(static_cast<int>(rank)), all[rank].whyNoNccl);
  const std::vector<ReplicaGpu> gpus = gpusOfReplicas(*peers, static_cast<int>(config.replicas / config.hosts));
  for (std::size_t r = 0; r < gpus.size(); ++r)
    for (std::size_t other = 0; other < r; ++other)
      if (gpus[other].host == gpus[r].host && gpus[other].address == gpus[r].address)
        throw UserError(say::ncclSharesGpu, reducer, given, static_cast<std::int64_t>(other),
                        static_cast<std::int64_t>(r), gpus[r].host);
}

}  // namespace lab
