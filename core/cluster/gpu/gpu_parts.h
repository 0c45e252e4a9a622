// SPDX-License-Identifier: GPL-3.0-or-later
// What replicas on GPUs are made of: their devices, the examples there, and the list of commands that a step is. The
// step (gpu_step.h), what is computed in it (gpu_compute.h) and what travels (gpu_transfers.h) share it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/cluster/gpu/gpu_device.h"
#include "core/cluster/replica_group.h"
#include "core/cluster/step_ledger.h"
#include "core/cluster/topology.h"

namespace lab {

// Of a group in several processes, the replicas on GPUs are those that are here (TopologySettings::gpuOfReplica). What
// a step of theirs gave is told to it, of each replica, in place of the ledger.
struct GpusAmong {
  const ReplicaGroup& group;
  std::vector<StepValues> ofReplicas;
  std::vector<std::uint64_t> digests;  // of their weights, where they were asked for
  std::vector<Span> spans;
  // Every replica's part of as many bytes, in their order, from those of the ones that are here.
  std::function<void(std::span<const std::byte> mine, std::span<std::byte> all)> gather;

  void tellDigests(const std::uint64_t* shares, std::size_t replicas);  // (replicas, gpu::kDigestShares)
};

struct GpuParts {
  GpuParts(std::shared_ptr<gpu::Layer> onLayer, const ReplicaSettings& ofReplicas, const Dataset& examplesOfRun,
           Topology& ofCluster, StepLedger& ofSteps, ThreadPool& threads, std::int64_t examples, bool asOneRank,
           const ReadProgress& uploaded, const ReplicaGroup& own, GpusAmong* othersToo);

  const Layout& layout() const { return settings.network->layout(); }
  GpuDevice& device(const Replica& replica) { return device(replica.index() - first); }
  GpuDevice& device(int replica) { return *devices[static_cast<std::size_t>(replica)]; }
  // All replicas, of which `devices` has those from `first` on.
  const ReplicaGroup& members() const { return among != nullptr ? among->group : group; }
  Replica& replicaOf(const GpuDevice& device) const { return members().replica(first + device.index); }
  // The first stream first: it alone knows when a graph is done.
  void waitForAll() {
    for (const auto& device : devices) layer->waitForStream(device->stream);
  }

  std::shared_ptr<gpu::Layer> layer;
  const ReplicaSettings& settings;
  const Dataset& dataset;
  Topology& topology;
  StepLedger& ledger;
  ThreadPool& pool;
  const ReplicaGroup& group;
  bool ncclForOne;
  bool asynchronous;
  bool course;  // the network has fused kernels
  GpusAmong* among;
  int first = 0;          // replica
  std::vector<int> gpus;  // of each that is here
  gpu::CommandList list;
  std::vector<std::unique_ptr<GpuExamples>> data;   // per GPU that is used
  std::vector<std::unique_ptr<GpuDevice>> devices;  // per replica
};

}  // namespace lab
