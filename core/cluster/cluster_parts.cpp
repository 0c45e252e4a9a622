// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/cluster_parts.h"

#include <algorithm>
#include <utility>

#include "core/base/at.h"
#include "core/base/ceil_divide.h"
#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/device/cuda/gpu_module.h"
#include "core/replicas/gpu/gpu_replicas.h"
#include "core/replicas/gpu/gpu_worker_group.h"
#include "core/replicas/processor_group.h"
#include "core/replicas/worker_group.h"

namespace lab {
namespace {

// Initialises what a replica never shares: its moving statistics, and the offset that dropout counts from. Distributed
// batches overwrite the offset; without it, all asynchronous workers would drop the same units.
void initLocalState(Replica& replica, const ClusterSettings& settings) {
  const MemoryScope scope(&replica.memory, MemoryKind::Variables);
  replica.variables.statistics = AlignedBuffer<float>(settings.network->statistics().size());
  settings.network->initializeStatistics(replica.variables.statistics.span());
  if (settings.topology.separateHosts) replica.globalOffset = replica.index() * settings.globalBatch;
}

}  // namespace

ClusterParts::ClusterParts(const ClusterSettings& ofCluster, std::shared_ptr<const Dataset> data, Telemetry& toTell)
    : settings(ofCluster),
      dataset(std::move(data)),
      telemetry(toTell),
      pool(settings.threads),
      backend(makeCpuBackend(pool)),
      topology(settings.topology, *settings.network),
      ledger(telemetry, settings.topology.measured, settings.topology.separateHosts),
      replicaSettings{backend.get(),        &dataset->train, settings.network.get(),      settings.precision,
                      settings.optimizer,   settings.seed,   settings.besideSlots.size(), settings.sharding,
                      settings.sharesCopies} {
  LAB_CHECK(settings.network->inputSize() == dataset->train.imageSize());
  if (clock() == TimeSource::Modelled)
    modelled = std::make_unique<ModelledClock>(settings.timing, *settings.network, topology);
  // The calling thread takes part in the arithmetic, so it must treat denormals like the pool's threads.
  flushDenormals();
  makeGroup();
  const auto clockOf = [&](int endpoint) {
    return DeviceClock(clock(), topology.deviceTrack(endpoint), ledger.originNs());
  };
  for (int r = 0; r < replicas(); ++r) {
    telemetry.preparing({Preparation::Part::Replicas, r, replicas()});
    group->add(clockOf(r), settings.slowdown.empty() ? 1.0 : at(settings.slowdown, r));
    ledger.addTrack(replica(r).clock);
    ledger.addMemory(replica(r).memory);
    initLocalState(replica(r), settings);
  }
  for (int i = 0; i < settings.topology.parameterDevices; ++i) {
    parameterDevices.push_back(
        std::make_unique<ParameterDevice>(clockOf(topology.parameterDevice(i)), *backend, settings.optimizer));
    ledger.addTrack(parameterDevice(i).clock);
    ledger.addMemory(parameterDevice(i).memory);
  }
  if (!asynchronous())
    for (int h = 0; h < settings.topology.hosts; ++h) hostClocks.push_back(clockOf(topology.hostProcessor(h)));
  for (DeviceClock& host : hostClocks) ledger.addTrack(host);
}

// Creates the group that computes the replicas: in several processes, on this processor, or on GPUs.
void ClusterParts::makeGroup() {
  const bool amongProcesses = !settings.topology.machineOfHost.empty();
  if (settings.topology.gpuOfReplica.empty()) {
    if (amongProcesses)
      group = std::make_unique<WorkerGroup>(replicaSettings, pool, topology, ledger, process::peers());
    else
      group = std::make_unique<ProcessorGroup>(replicaSettings, pool, topology, ledger);
    return;
  }
  const std::int64_t sharers = asynchronous() ? 1 : replicas();
  telemetry.preparing({Preparation::Part::Gpus});
  const auto uploaded = [this](std::int64_t done, std::int64_t total) {
    telemetry.preparing({Preparation::Part::Upload, done, total});
  };
  const std::int64_t examples =
      std::min(ceilDivide(settings.globalBatch, sharers), asynchronous() ? dataset->train.count : settings.globalBatch);
  if (amongProcesses)
    group = std::make_unique<GpuWorkerGroup>(openGpus(), replicaSettings, *dataset, pool, topology, ledger,
                                             process::peers(), examples, uploaded);
  else
    group = std::make_unique<GpuReplicas>(openGpus(), replicaSettings, *dataset, topology, ledger, pool, examples,
                                          settings.ncclForOne, uploaded);
}

}  // namespace lab
