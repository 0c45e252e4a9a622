// SPDX-License-Identifier: GPL-3.0-or-later
// The replicas of a cluster on real GPUs. The verbs write into a step's list of commands (gpu_step.h), so the host does
// not wait anywhere in a step. Only for an asynchronous worker does the host wait: its copies of such a worker are
// always up to date.
// Several replicas may share a GPU; each has its own memory and stream (TensorFlow's logical devices).
// Failures are UserErrors (gpu_layer.h).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/replicas/gpu/gpu_compute.h"
#include "core/replicas/gpu/gpu_parts.h"
#include "core/replicas/gpu/gpu_step.h"
#include "core/replicas/gpu/gpu_transfers.h"
#include "core/replicas/replica_group.h"

namespace lab {

class GpuReplicas final : public ReplicaGroup {
 public:
  // `settings`, `dataset` and `topology` outlive this object. `examples` is the largest expected batch of a replica; a
  // larger batch makes it allocate again. `uploaded` counts the images copied to a GPU; an exception from it ends the
  // constructor. `among` outlives this object; null: all replicas are in this process, and this group owns them.
  GpuReplicas(std::shared_ptr<gpu::Layer> layer, const ReplicaSettings& settings, const Dataset& dataset,
              Topology& topology, StepLedger& ledger, ThreadPool& pool, std::int64_t examples, bool ncclForOne,
              const ReadProgress& uploaded, GpusAmong* among = nullptr);
  ~GpuReplicas() override;

  // In a step of Watch::Spans the layers are launched one by one, with stamps between them. In a step of Watch::Record
  // they are launched as in an unwatched step, and then once more outside its times, to see each layer's share of the
  // time.
  void beginStep(std::int64_t step, Watch watch) override;
  StepOutcome endStep() override { return step_.end(); }
  void look(const std::function<void()>& body) override;
  void forEach(const std::function<void(Replica&)>& body, bool computes) override;
  void load(Replica& replica) override { compute_.load(replica); }
  void forwardBackward(Replica& replica, float scale) override;
  void forwardBackwardTogether(const std::function<float(const Replica&)>& scaleOf, const SumsSchedule&) override {
    compute_.computeTogether(scaleOf);
  }
  void forwardBackwardGathering(const std::function<float(const Replica&)>& scaleOf, const SumsSchedule&,
                                const std::function<void()>& gather) override;
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
  // A replica's host variables are in parts as its GPU's are; whole buffers exist only while they are needed.
  void shard(const ReductionPlan& plan) override;
  void gather(const ReductionPlan& plan) override { transfers_.gather(plan); }
  const float* wholeWeights(Replica& replica) override;
  void pullFrom(ParameterDevice& device, const Schedule& schedule) override;
  // The host adds the gradients that it receives. Moving statistics to be averaged travel with them.
  void reduceTo(ParameterDevice& device, const Schedule& schedule) override;
  void averageStatistics() override { averages_ = true; }
  void compareMirrors() override;
  bool mirrorsIdentical() override;
  void fetch(Replica& replica) override;
  void send(Replica& replica) override;
  void fetchStatistics() override { transfers_.copyStatistics(true); }
  void sendStatistics() override { transfers_.copyStatistics(false); }
  // On a GPU the pooled map and its gradient need separate memory, because both gradients of the dense layer are
  // computed at once.
  std::int64_t activationBytes(std::int64_t examples) const override;
  bool normalisesOnHost() const override { return false; }

  std::int64_t graphs() const { return step_.graphs(); }  // graphs made so far

  // ---- among processes
  gpu::Layer& layer() { return *parts_.layer; }
  // Joins NCCL, whose ranks are all replicas of all processes, in their order.
  void joinRanks(const gpu::NcclId& id) { layer().joinRanks(parts_.gpus, parts_.first, parts_.members().size(), id); }
  void exchangeOnHost(ReduceTarget what, const std::function<void()>& exchange) {
    transfers_.exchangeOnHost(what, exchange);
  }
  // Computes digests of the weights: in a step, as the weights are at this point, known with the step's results;
  // between two steps, at once.
  void digest();

 private:
  bool isSharded() const { return parts_.settings.sharding != Sharding::None; }
  std::vector<Variables*> variablesOfAll() const;
  void takeApart();
  // These write commands that compute what is asked for.
  void compare(GpuDevice& device, std::uint32_t* differs);
  void digest(std::uint64_t* sums);
  // Between two steps: runs `enqueue`, which writes commands, and waits for these.
  void runAlone(const std::function<void()>& enqueue);

  GpuParts parts_;
  gpu::CommandList& list_;
  GpuStep step_;
  GpuTransfers transfers_;
  GpuCompute compute_;
  bool averages_ = false;   // average the moving statistics when they reach the host in this step
  bool restoring_ = false;  // a step is being computed once more
  bool hasWhole_ = false;   // wholeWeights() has put the parts together
};

}  // namespace lab
