// SPDX-License-Identifier: GPL-3.0-or-later
// The replicas of a cluster on real GPUs: their memory, their streams, and the list of commands that a step is. The
// verbs write into that list; at the end of the step it is launched, as one graph where the same list was seen before,
// and the host goes on. What the step gave is read when somebody asks, or two steps later, so the host never waits
// inside a step. An asynchronous worker's computation is waited for: the host's copies of it are always up to date.
// Several replicas may share a GPU; each has memory and a stream of its own (TensorFlow's logical devices).
// Failures are UserErrors (gpu_layer.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/cluster/labels.h"
#include "core/cluster/replica_group.h"
#include "core/cluster/step_ledger.h"
#include "core/cluster/topology.h"
#include "core/comm/schedule.h"
#include "core/data/dataset.h"
#include "core/device/cuda/gpu_commands.h"
#include "core/device/cuda/gpu_layer.h"
#include "core/device/cuda/gpu_memory.h"
#include "core/model/layer_pass.h"
#include "core/trace/span.h"

namespace lab {

class GpuLayerPass;

class GpuReplicas final : public ReplicaGroup {
 public:
  // Of a group in several processes, these are the replicas that are here (TopologySettings::gpuOfReplica). What a step
  // of theirs gave is told to it, of each replica, in place of the ledger.
  struct Among {
    const ReplicaGroup& group;
    std::vector<StepValues> ofReplicas;
    std::vector<std::uint64_t> digests;  // of their weights, where they were asked for
    std::vector<Span> spans;
    // Every replica's part of as many bytes, in their order, from those of the ones that are here.
    std::function<void(std::span<const std::byte> mine, std::span<std::byte> all)> gather;
  };

  // `settings`, `dataset` and `topology` outlive it. `examples`: the most that a replica is expected to get at once;
  // for more, memory is allocated anew. `uploaded` counts the images that have come to a GPU; what it throws ends this.
  // `among` outlives it; null: all replicas are here, and its own.
  GpuReplicas(std::shared_ptr<gpu::Layer> layer, const ReplicaSettings& settings, const Dataset& dataset,
              Topology& topology, StepLedger& ledger, ThreadPool& pool, std::int64_t examples, bool ncclForOne,
              const ReadProgress& uploaded, Among* among = nullptr);
  ~GpuReplicas() override;

  // In a step of Watch::Spans the layers are launched one by one, with stamps between them. In one of Watch::Record
  // they are launched as in a step that nobody watches, and once more beside it, to see what share of the time each
  // has.
  void beginStep(std::int64_t step, Watch watch) override;
  StepOutcome endStep() override;
  void look(const std::function<void()>& body) override;
  void forEach(const std::function<void(Replica&)>& body, bool computes) override;
  void load(Replica& replica) override;
  void forwardBackward(Replica& replica, float scale) override;
  // Their sums are copied between them, or gathered by the hosts: by no schedule.
  void forwardBackwardTogether(const std::function<float(const Replica&)>& scaleOf, const SumsSchedule&) override;
  void restore(Replica& replica, float scale) override;
  void update(Replica& replica, double learningRate, std::int64_t iteration) override;
  void evaluate(Replica& replica, const Examples& examples, std::span<const std::int64_t> indices, const float* weights,
                float* losses, std::uint8_t* right) override;
  void prepare(const ReductionPlan& plan) override;
  void broadcast(const Schedule& schedule) override;
  void allReduce(const ReductionPlan& plan, ReduceTarget what, ReduceOp then) override;
  void pullFrom(ParameterDevice& device, const Schedule& schedule) override;
  // The host adds up what it gets; moving statistics that are to be averaged come along.
  void reduceTo(ParameterDevice& device, const Schedule& schedule) override;
  void averageStatistics() override { averages_ = true; }
  void compareMirrors() override;
  bool mirrorsIdentical() override;
  void fetch(Replica& replica) override;
  void send(Replica& replica) override;
  void fetchStatistics() override;
  void sendStatistics() override;
  // Here the pooled map and its gradient lie apart, since both of the dense layer's gradients are computed at once.
  std::int64_t activationBytes(std::int64_t examples) const override;
  bool normalisesOnHost() const override { return false; }

  std::int64_t graphs() const { return graphs_; }  // made so far

  // ---- among processes
  gpu::Layer& layer() { return *layer_; }
  // NCCL's ranks are all replicas of all processes, in their order.
  void joinRanks(const gpu::NcclId& id) { layer_->joinRanks(gpus_, first_, members().size(), id); }
  // Between processes the host carries what the GPUs have: brought to the replicas' own variables, where `exchange`
  // changes it, and back.
  void exchangeOnHost(ReduceTarget what, const std::function<void()>& exchange);
  // Of the weights: those at this place of the step, which are there with what it gave, or at once between two steps.
  void digest();

 private:
  struct Device;  // a replica's
  struct Slot;    // what two steps in a row must not share
  struct DataOfGpu;
  struct Cached {
    std::vector<gpu::Command> commands;
    int graph = 0;  // 0: seen once
  };
  struct TimedSpan;
  struct TakenApart;

  const Layout& layout() const { return settings_.network->layout(); }
  Device& device(const Replica& replica) { return device(replica.index() - first_); }
  Device& device(int replica) { return *devices_[static_cast<std::size_t>(replica)]; }
  // All replicas, of which `devices_` has those from first_ on.
  const ReplicaGroup& members() const { return among_ != nullptr ? among_->group : *this; }
  Replica& replicaOf(const Device& device) const;
  Slot& slotOf(std::int64_t step);
  void reserve(Device& device, std::int64_t examples);
  void waitForAll();
  void launch();
  void submitStamp(int event);
  // The step's parameters, and its begin.
  void begin();
  void join();
  void goOn();
  // Carries out what the step has so far and waits for it.
  void flush();
  // The same, then runs `body`, and leaves the time until the step goes on out of all its times.
  void pause(const std::function<void()>& body);
  void takeApart();
  void finishUntil(std::int64_t step);
  StepValues sumOf(const Slot& slot);
  void finish(Slot& slot);
  void upload(Device& device, const Variables& host);
  void download(Device& device, Variables& host);
  void downloadOutcome(Device& device, Activations& host);
  enum class Buffer { Weights, Gradients };
  // A schedule's transfers on the element `base` of everybody's weights or gradients.
  void run(const Schedule& schedule, std::int64_t base, Buffer buffer, Label label, int pack);
  void carry(const Transfer& transfer, std::int64_t base, Buffer buffer, Label label, int pack);
  void allReduceWithNccl(const Pack& range, Buffer buffer, int pack);
  bool usesNccl(const ReductionPlan& plan) const {
    return plan.reducer == Reducer::Nccl && (members().size() > 1 || ncclForOne_);
  }
  // Weights from the host, gradients to it, both page-locked here; in order with the rest. Where `endpoint` has the
  // host's copy there is a span.
  void sendWeights(Device& device, float* host, std::optional<int> endpoint);
  void fetchGradients(Device& device, float* host, std::optional<int> endpoint);
  void dropGraphs() noexcept;
  int stamp(Device& device);
  int dependency(const Device& device);
  template <typename Body>
  void timed(Device& device, Span span, const Body& body);
  Span spanOn(int replica, SpanKind kind, std::uint16_t label) const;
  Span inputSpan(const Device& device) const;
  void copyParameters(Device& device, std::int64_t indices);
  // Whether the convolution reads the images as bytes, by their numbers, so that nothing is gathered.
  bool readsBytes() const;
  void compute(Device& device, float scale);
  void computeFused(Device& device, float scale);
  void computeLayers(Device& device, float scale, std::vector<TimedSpan>* spans);
  // Any other network: gpu_networks.cpp. `again`: what it moved and exchanged on the way is there.
  void computeNetwork(Device& device, float scale, std::vector<TimedSpan>* spans, bool again);
  void takePlace(Device& device, const Replica& replica);
  PassOf passOf(Device& device, float scale, bool again);
  GpuLayerPass passOn(Device& device, float scale, bool again, const OperationObserver& observer);
  OperationObserver observerOf(Device& device, std::vector<TimedSpan>& spans, int& began);
  void exchange(std::vector<GpuLayerPass>& passes);
  void exchangeOverHosts(std::vector<GpuLayerPass>& passes);
  void evaluateNetwork(Device& device, std::int64_t n);
  void copyStatistics(bool toHost);
  // Moving statistics on their way in a step: page-locked, and from there to the GPU or back.
  std::span<float> passedStatistics(const Device& device);
  void passStatistics(Device& device, bool toHost);
  void tally(Device& device, int stream);
  void gather(Device& device, std::int64_t n);
  void compare(Device& device, std::uint32_t* differs);
  void digest(std::uint64_t* sums);
  void tellDigests(const std::uint64_t* sums);
  void beginCommunication();
  void endCommunication();
  void pin(void* memory, std::int64_t bytes);

  std::shared_ptr<gpu::Layer> layer_;
  const ReplicaSettings& settings_;
  const Dataset& dataset_;
  Topology& topology_;
  StepLedger& ledger_;
  ThreadPool& pool_;
  bool ncclForOne_;
  bool asynchronous_;
  bool course_;             // the network has fused kernels
  bool restoring_ = false;  // a step is computed once more
  Among* among_;
  int first_ = 0;          // replica
  std::vector<int> gpus_;  // of each that is here
  gpu::CommandList list_;
  std::vector<std::unique_ptr<DataOfGpu>> data_;  // per GPU that is used
  struct Sending {
    int stream = -1;      // -1: the GPU is not used
    int sent[2]{-1, -1};  // events, of each slot
  };
  std::vector<Sending> sending_;                  // of parameters, per GPU
  std::vector<std::unique_ptr<Device>> devices_;  // per replica
  std::vector<std::unique_ptr<Slot>> slots_;
  std::vector<Cached> cache_;
  std::vector<void*> pinned_;
  gpu::PinnedMemory exchanged_;                 // on its way between hosts
  gpu::PinnedMemory passed_;                    // moving statistics, per replica
  bool averages_ = false;                       // these, when they come to the host in this step
  std::vector<std::vector<int>> dependencies_;  // events per GPU
  std::vector<std::size_t> dependenciesUsed_;
  std::mutex evaluating_;
  std::int64_t step_ = 0;
  Slot* slot_ = nullptr;  // of the step under way
  Watch watch_ = Watch::None;
  std::vector<TakenApart> toTakeApart_;
  bool spansWanted() const { return watch_ != Watch::None; }
  bool flushed_ = false;
  std::int64_t lastEndNs_ = 0;
  std::int64_t graphs_ = 0;
};

}  // namespace lab
