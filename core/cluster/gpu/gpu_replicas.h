// SPDX-License-Identifier: GPL-3.0-or-later
// The replicas of a cluster on real GPUs. The verbs write into the list of commands that a step is (gpu_step.h), by
// which the host waits nowhere. An asynchronous worker's computation is waited for: the host's copies of it are always
// up to date.
// Several replicas may share a GPU; each has memory and a stream of its own (TensorFlow's logical devices).
// Failures are UserErrors (gpu_layer.h).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "core/cluster/gpu/gpu_compute.h"
#include "core/cluster/gpu/gpu_parts.h"
#include "core/cluster/gpu/gpu_step.h"
#include "core/cluster/gpu/gpu_transfers.h"
#include "core/cluster/replica_group.h"

namespace lab {

class GpuReplicas final : public ReplicaGroup {
 public:
  // `settings`, `dataset` and `topology` outlive it. `examples`: the most that a replica is expected to get at once;
  // for more, memory is allocated anew. `uploaded` counts the images that have come to a GPU; what it throws ends this.
  // `among` outlives it; null: all replicas are here, and its own.
  GpuReplicas(std::shared_ptr<gpu::Layer> layer, const ReplicaSettings& settings, const Dataset& dataset,
              Topology& topology, StepLedger& ledger, ThreadPool& pool, std::int64_t examples, bool ncclForOne,
              const ReadProgress& uploaded, GpusAmong* among = nullptr);
  ~GpuReplicas() override;

  // In a step of Watch::Spans the layers are launched one by one, with stamps between them. In one of Watch::Record
  // they are launched as in a step that nobody watches, and once more beside it, to see what share of the time each
  // has.
  void beginStep(std::int64_t step, Watch watch) override {
    compute_.begin();
    step_.begin(step, watch);
  }
  StepOutcome endStep() override { return step_.end(); }
  void look(const std::function<void()>& body) override;
  void forEach(const std::function<void(Replica&)>& body, bool computes) override;
  void load(Replica& replica) override { compute_.load(replica); }
  void forwardBackward(Replica& replica, float scale) override;
  void forwardBackwardTogether(const std::function<float(const Replica&)>& scaleOf, const SumsSchedule&) override {
    compute_.computeTogether(scaleOf);
  }
  void restore(Replica& replica, float scale) override;
  void update(Replica& replica, double learningRate, std::int64_t iteration) override;
  void onVariables(Replica& replica, const OnVariables& body) override {
    GpuDevice& d = parts_.device(replica);
    if (d.areParametersSent()) d.sendNumbers();
    body(*d.backend, d.weights, d.slotValues);
  }
  void evaluate(Replica& replica, const Examples& examples, std::span<const std::int64_t> indices, const float* weights,
                float* losses, std::uint8_t* right) override {
    compute_.evaluate(replica, examples, indices, weights, evaluated_, losses, right);
  }
  void prepare(const ReductionPlan& plan) override { transfers_.prepare(plan); }
  void broadcast(const Schedule& schedule) override;
  void allReduce(const ReductionPlan& plan, ReduceTarget what, ReduceOp then) override {
    transfers_.allReduce(plan, what, then);
  }
  void pullFrom(ParameterDevice& device, const Schedule& schedule) override;
  // The host adds up what it gets; moving statistics that are to be averaged come along.
  void reduceTo(ParameterDevice& device, const Schedule& schedule) override;
  void averageStatistics() override { averages_ = true; }
  void compareMirrors() override;
  bool mirrorsIdentical() override;
  void fetch(Replica& replica) override;
  void send(Replica& replica) override;
  void fetchStatistics() override { transfers_.copyStatistics(true); }
  void sendStatistics() override { transfers_.copyStatistics(false); }
  // Here the pooled map and its gradient lie apart, since both of the dense layer's gradients are computed at once.
  std::int64_t activationBytes(std::int64_t examples) const override;
  bool normalisesOnHost() const override { return false; }

  std::int64_t graphs() const { return step_.graphs(); }  // made so far

  // ---- among processes
  gpu::Layer& layer() { return *parts_.layer; }
  // NCCL's ranks are all replicas of all processes, in their order.
  void joinRanks(const gpu::NcclId& id) { layer().joinRanks(parts_.gpus, parts_.first, parts_.members().size(), id); }
  void exchangeOnHost(ReduceTarget what, const std::function<void()>& exchange) {
    transfers_.exchangeOnHost(what, exchange);
  }
  // Of the weights: those at this place of the step, which are there with what it gave, or at once between two steps.
  void digest();

 private:
  // Commands that write what is asked for.
  void compare(GpuDevice& device, std::uint32_t* differs);
  void digest(std::uint64_t* sums);
  // Runs `enqueue`, which writes commands, and waits for them; between two steps.
  void runAlone(const std::function<void()>& enqueue);

  GpuParts parts_;
  gpu::CommandList& list_;
  GpuStep step_;
  GpuTransfers transfers_;
  GpuCompute compute_;
  bool averages_ = false;   // moving statistics, when they come to the host in this step
  bool restoring_ = false;  // a step is computed once more
};

}  // namespace lab
