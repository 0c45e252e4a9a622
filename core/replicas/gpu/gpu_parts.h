// SPDX-License-Identifier: GPL-3.0-or-later
// What replicas on GPUs are made of: their devices, the examples on them, and the list of commands that makes up a
// step. The step (gpu_step.h), its computation (gpu_compute.h) and its transfers (gpu_transfers.h) share it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/base/at.h"
#include "core/base/thread_pool.h"
#include "core/replicas/gpu/gpu_device.h"
#include "core/replicas/replica_group.h"
#include "core/replicas/step_ledger.h"
#include "core/replicas/topology.h"

namespace lab {

// Set where the group spans several processes. GPUs compute only this process's replicas
// (TopologySettings::gpuOfReplica). Each replica's results of a step are written here instead of to the ledger.
struct GpusAmong {
  const ReplicaGroup& group;
  std::vector<StepValues> ofReplicas;
  std::vector<std::uint64_t> digests;  // of their weights, if asked for
  std::vector<Span> spans;
  // Gathers every replica's part, all of equal size and in the order of replicas, from this process's parts `mine`.
  std::function<void(std::span<const std::byte> mine, std::span<std::byte> all)> gather;

  void tellDigests(const std::uint64_t* shares, std::size_t replicas);  // (replicas, gpu::kDigestShares)
};

struct GpuParts {
  GpuParts(std::shared_ptr<gpu::Layer> onLayer, const ReplicaSettings& ofReplicas, const Dataset& examplesOfRun,
           Topology& ofCluster, StepLedger& ofSteps, ThreadPool& threads, std::int64_t examples, bool asOneRank,
           const ReadProgress& uploaded, const ReplicaGroup& own, GpusAmong* othersToo);

  const Layout& layout() const { return settings.network->layout(); }
  GpuDevice& device(const Replica& replica) { return device(replica.index() - first); }
  GpuDevice& device(int replica) { return *at(devices, replica); }
  // Returns the group of all replicas; `devices` has only the local ones, beginning with replica `first`.
  const ReplicaGroup& members() const { return among != nullptr ? among->group : group; }
  Replica& replicaOf(const GpuDevice& device) const { return members().replica(first + device.index); }
  // Waits for the first stream first, because only this stream knows when a graph is done.
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
  bool course;  // the network is the course network, which has fused kernels
  GpusAmong* among;
  int first = 0;          // the first local replica
  std::vector<int> gpus;  // of each local replica
  gpu::CommandList list;
  std::vector<std::unique_ptr<GpuExamples>> data;   // per GPU that is used
  std::vector<std::unique_ptr<GpuDevice>> devices;  // per replica
};

}  // namespace lab
