// SPDX-License-Identifier: GPL-3.0-or-later
// A worker group whose replicas compute on GPUs: each process has its own GPUs. Either NCCL adds the gradients, with
// all replicas of all processes as ranks, or they are added hop by hop as in other groups, between page-locked copies
// in the hosts' memory. The host waits for each step, because its results are combined with those of the other
// processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "core/base/at.h"
#include "core/replicas/gpu/gpu_replicas.h"
#include "core/replicas/worker_group.h"

namespace lab {

class GpuWorkerGroup final : public WorkerGroup {
 public:
  // Parameters: see GpuReplicas and WorkerGroup.
  GpuWorkerGroup(std::shared_ptr<gpu::Layer> layer, const ReplicaSettings& settings, const Dataset& dataset,
                 ThreadPool& pool, Topology& topology, StepLedger& ledger, std::shared_ptr<process::Peers> peers,
                 std::int64_t examples, const ReadProgress& uploaded);
  ~GpuWorkerGroup() override;

  void beginStep(std::int64_t step, Watch watch) override;
  StepOutcome endStep() override;
  void look(const std::function<void()>& body) override;
  void forEach(const std::function<void(Replica&)>& body, bool computes) override;
  void forwardBackwardTogether(const std::function<float(const Replica&)>& scaleOf,
                               const SumsSchedule& scheduleOf) override;
  void prepare(const ReductionPlan& plan) override;
  void broadcast(const Schedule& schedule) override;
  void allReduce(const ReductionPlan& plan, ReduceTarget what, ReduceOp then) override;
  bool mirrorsIdentical() override;
  void fetch(Replica& replica) override;
  void send(Replica& replica) override;
  void fetchStatistics() override;
  void sendStatistics() override;

 private:
  StepValues ownValues(const Replica& replica) const override {
    return at(among_.ofReplicas, replica.index() - replicasHere().front());
  }
  std::uint64_t ownDigest(const Replica& replica) const override {
    return at(among_.digests, replica.index() - replicasHere().front());
  }
  // Runs `body`, which calls NCCL or waits for GPUs that in turn wait for other processes' GPUs.
  void together(const std::function<void()>& body);
  void gatherSums(std::span<const std::byte> mine, std::span<std::byte> all);

  GpusAmong among_;
  GpuReplicas* gpus_ = nullptr;  // the group that the base class computes with
  bool inCollective_ = false;    // the step under way uses an NCCL collective
  std::int64_t gatheredNs_ = 0;  // time in which the hosts gathered batch normalisation sums in this step
};

}  // namespace lab
