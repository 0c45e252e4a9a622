// SPDX-License-Identifier: GPL-3.0-or-later
// The replicas of a cluster on real GPUs: their memory, their streams, and the list of commands that a step is. The
// cluster's verbs write into that list; at the end of the step it is launched, as one graph where the same list was
// seen before, and the host goes on. What the step gave is read one step late, so the host never waits inside a step.
// Several replicas may share a GPU; each has memory and a stream of its own (TensorFlow's logical devices).
// Copies of variables in Replica::variables are the host's; upload and download bring them to agree.
// Used from the trainer thread; evaluate() from several, one after the other. Failures are UserErrors (gpu_layer.h).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/cluster/labels.h"
#include "core/cluster/reduction.h"
#include "core/cluster/replica.h"
#include "core/cluster/topology.h"
#include "core/comm/schedule.h"
#include "core/data/dataset.h"
#include "core/device/cuda/gpu_commands.h"
#include "core/device/cuda/gpu_memory.h"
#include "core/trace/span.h"

namespace lab {

// What the host learns when a step is done. Times are the GPUs' own, between events.
struct GpuStepResult {
  double lossSum = 0;  // over all replicas
  std::int64_t correct = 0;
  bool mirrorsIdentical = true;
  std::int64_t stepNs = 0, computeNs = 0, communicationNs = 0;
  std::vector<Span> spans;  // on the time line that beginStep's `nowNs` is of
};

class GpuReplicas {
 public:
  // `settings`, `dataset` and `topology` outlive it. `examples`: the most that a replica is expected to get at once;
  // for more, memory is allocated anew. `uploaded` counts the images that have come to a GPU; what it throws ends this.
  GpuReplicas(std::shared_ptr<gpu::Layer> layer, const ReplicaSettings& settings, const Dataset& dataset,
              Topology& topology, std::int64_t examples, const ReadProgress& uploaded);
  ~GpuReplicas();
  GpuReplicas(const GpuReplicas&) = delete;
  GpuReplicas& operator=(const GpuReplicas&) = delete;

  // Bytes that one replica takes on its GPU, the data set left out.
  static std::int64_t bytesOfReplica(const ReplicaSettings& settings, std::int64_t examples);
  // Those of them that a batch needs (lab::activationBytes is the host's): here the pooled map and its gradient lie
  // apart, since both of the dense layer's gradients are computed at once.
  static std::int64_t activationBytes(std::int64_t examples, MatmulPrecision precision);

  // ---- a step. `nowNs` is the time on the run's measured clock.
  // Spans: the layers are launched one by one, with stamps between them. Look: they are launched as in a step that
  // nobody watches, and takeApart() launches them once more to see what share of the time each has.
  enum class Watch { None, Spans, Look };
  void beginStep(std::int64_t step, Watch watch);
  void load(int replica, std::span<const std::int64_t> shard);
  void forwardBackward(int replica, float scale);
  void update(int replica, double learningRate, std::int64_t iteration);
  // Between replicas: a schedule's transfers on the element `base` of everybody's weights or gradients.
  enum class Buffer { Weights, Gradients };
  void run(const Schedule& schedule, std::int64_t base, Buffer buffer, Label label, int pack);
  // Gradients from `offset` on, by NCCL; createRanks() first.
  void allReduceWithNccl(std::int64_t offset, std::int64_t count, int pack);
  void createRanks();
  // Weights from the host, gradients to it, both page-locked here; in order with the rest. Where `party` has the host's
  // copy there is a span.
  void sendWeights(int replica, float* host, std::optional<int> party);
  void fetchGradients(int replica, float* host, std::optional<int> party);
  void compareMirrors();
  // Carries out what the step has so far and waits for it.
  void flush(std::int64_t nowNs);
  // Carries out what the step has so far, runs `body`, which may look at everything, and leaves the time until the
  // step goes on out of all its times.
  void pause(std::int64_t nowNs, const std::function<void()>& body);
  // In a pause behind the replicas' computation, where canTakeApart(): the same values in the same places.
  bool canTakeApart() const;
  void takeApart();
  void endStep(std::int64_t nowNs);
  bool stepIsOpen() const { return slot_ != nullptr; }
  // Waits for that step, which must have ended, and not two steps ago. Each step once.
  GpuStepResult take(std::int64_t step);

  // ---- between steps, or after flush(): these wait
  void upload(int replica, const Variables& host);
  void download(int replica, Variables& host);
  // Losses, predictions and labels of the last forwardBackward.
  void downloadOutcome(int replica, Activations& host);
  bool mirrorsIdentical();
  // As Replica::evaluate; it may be called from several threads.
  void evaluate(int replica, const Examples& examples, std::span<const std::int64_t> indices, const float* weights,
                float* losses, std::uint8_t* right);

  std::int64_t graphs() const { return graphs_; }                // made so far
  std::int64_t graphLaunches() const { return graphLaunches_; }  // steps that were one launch

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

  Device& device(int replica) { return *devices_[static_cast<std::size_t>(replica)]; }
  Slot& slotOf(std::int64_t step);
  void reserve(Device& device, std::int64_t examples);
  void waitForAll();
  void launch();
  void submitStamp(int event);
  void join();
  void goOn();
  void dropGraphs() noexcept;
  int stamp(Device& device);
  int dependency(const Device& device);
  template <typename Body>
  void timed(Device& device, Span span, const Body& body);
  Span spanOn(int replica, SpanKind kind, std::uint16_t label) const;
  void copyParameters(Device& device, std::int64_t indices);
  void computeFused(Device& device, float scale);
  void computeLayers(Device& device, float scale, std::vector<TimedSpan>* spans);
  void tally(Device& device, int stream);
  void gather(Device& device, const std::uint8_t* pixels, const std::uint8_t* labels, std::int64_t n);
  void compare(Device& device, std::uint32_t* differs);
  void beginCommunication();
  void endCommunication();
  void pin(void* memory, std::int64_t bytes);

  std::shared_ptr<gpu::Layer> layer_;
  const ReplicaSettings& settings_;
  const Dataset& dataset_;
  Topology& topology_;
  gpu::CommandList list_;
  std::vector<std::unique_ptr<DataOfGpu>> data_;  // per GPU that is used
  std::vector<std::unique_ptr<Device>> devices_;  // per replica
  std::vector<std::unique_ptr<Slot>> slots_;
  std::vector<Cached> cache_;
  std::vector<void*> pinned_;
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
  std::int64_t graphs_ = 0, graphLaunches_ = 0;
};

}  // namespace lab
