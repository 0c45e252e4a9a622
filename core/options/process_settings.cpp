// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/options/process_settings.h"

#include "core/base/error.h"
#include "core/options/messages.h"
#include "core/options/surroundings.h"
#include "core/process/process_gpus.h"

namespace lab {
void resolveProcesses(RunSettings& asked, const StrategyInfo& info, const Surroundings& here) {
  const Option devices{"devices"};
  if (!info.synchronous) throw UserError(say::serversAmongProcesses, devices, Words{info.name});
  if (!info.severalMachines) throw UserError(say::processesNeedHosts, devices, Words{info.name});
  if (asked.noiseScale) throw UserError(say::noiseAmongProcesses, Option{"noise-scale"});
  if (!asked.slow.empty()) throw UserError(say::slowAmongProcesses, Option{"slow"});
  // Those that are yet to be started: one for each replica.
  if (!asked.hosts) asked.hosts = here.workers ? here.workers->count : info.replicasOf(asked);
  if (here.workers && *asked.hosts != here.workers->count)
    throw UserError(say::hostsAreProcesses, Option{"hosts"}, *asked.hosts, here.workers->count);
  if (!asked.replicas) asked.replicas = asked.hosts;
}

void checkProcessGpus(const ResolvedSettings& config, const Surroundings& here) {
  if (!here.workers || config.devices != DeviceChoice::Processes || !areOnGpus(config)) return;
  const std::vector<WorkerGpus>& all = here.workers->gpus;
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    if (!all[rank].why.empty())
      throw UserError(say::noGpuThere, Option{"worker-devices"}, here.workers->names[rank], all[rank].why);
  if (config.reducer != Reducer::Nccl) return;
  const Option reducer{"reducer"};
  const std::string_view given = toString(config.reducer);
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    if (!all[rank].whyNoNccl.empty())
      throw UserError(say::noNcclThere, reducer, given, here.workers->names[rank], all[rank].whyNoNccl);
  const std::vector<ReplicaGpu> gpus =
      placeOnGpus(here.workers->hosts, all, static_cast<int>(config.replicas / config.hosts));
  for (std::size_t r = 0; r < gpus.size(); ++r)
    for (std::size_t other = 0; other < r; ++other)
      if (gpus[other].host == gpus[r].host && gpus[other].address == gpus[r].address)
        throw UserError(say::ncclSharesGpu, reducer, given, static_cast<std::int64_t>(other),
                        static_cast<std::int64_t>(r), gpus[r].host);
}

}  // namespace lab
