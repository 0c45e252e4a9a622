// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts, devices and links, and the six verbs that strategies are written in: forEachReplica, allReduce, broadcast,
// reduceTo, copy, nextReady. The verbs do the work, keep the clocks and emit all telemetry.
// Used from the trainer thread alone; arithmetic inside a verb runs on the pool.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/thread_pool.h"
#include "core/cluster/collective.h"
#include "core/cluster/gpu_replicas.h"
#include "core/cluster/modelled_clock.h"
#include "core/cluster/parameter_device.h"
#include "core/cluster/reduction.h"
#include "core/cluster/replica.h"
#include "core/cluster/step_recording.h"
#include "core/cluster/topology.h"
#include "core/data/split.h"
#include "core/model/safetensors.h"
#include "core/timing/async_servers.h"
#include "core/timing/noise_scale.h"
#include "core/trace/telemetry.h"

namespace lab {

struct ClusterSettings {
  TopologySettings topology;
  MatmulPrecision precision = MatmulPrecision::Float32;
  OptimizerSettings optimizer;
  LossScaling lossScaling = LossScaling::Fit;
  std::int64_t globalBatch = 0;  // G: the denominator of LossScaling::Loop; a worker's batch for parameter server
  int replicasInSync = 1;        // N: whose gradients are summed into one update
  std::vector<double> slowdown;  // per replica, or empty
  std::shared_ptr<const StepModel> timing;  // what says how long a modelled step takes; null where time is measured
  int threads = 1;
  bool noiseScale = false;  // measure the gradients' noise in every step
  bool ncclForOne = false;  // where it was asked for by name: with one replica too, as one rank
};

// The times of one step, all from one clock. compute + communication = step, as seen by the slowest replica; none is
// negative. Of a measured worker's cycle: the time that this program worked for that worker, for while it works for
// others, the worker stands still.
struct StepTimes {
  std::int64_t stepNs = 0;
  std::int64_t computeNs = 0;
  std::int64_t communicationNs = 0;
  // Modelled: means over the replicas, with which the two above sum to the step; of a worker's cycle its own.
  std::int64_t inputNs = 0, queueNs = 0, stragglerNs = 0, launchNs = 0;
};

class Cluster {
 public:
  Cluster(const ClusterSettings& settings, std::shared_ptr<const Dataset> dataset, Telemetry& telemetry);
  ~Cluster();

  const ClusterSettings& settings() const { return settings_; }
  int replicas() const { return settings_.topology.replicas; }
  Replica& replica(int i) { return *replicas_[static_cast<std::size_t>(i)]; }
  ParameterDevice& parameterDevice(int i) { return *parameterDevices_[static_cast<std::size_t>(i)]; }
  int parameterDevices() const { return static_cast<int>(parameterDevices_.size()); }
  const Topology& topology() const { return topology_; }
  const Layout& layout() const { return cnnLayout(); }
  ThreadPool& pool() { return pool_; }
  Backend& backend() { return *backend_; }
  Clock clock() const { return settings_.topology.measured ? Clock::Measured : Clock::Modelled; }

  // ---- around a step
  void beginStep(std::int64_t step, double learningRate);
  double learningRate() const { return learningRate_; }
  std::int64_t step() const { return step_; }
  // Gives every replica its shard; the input pipeline has prepared it while the step before was running.
  void deal(const Deal& deal);
  // The factor of every example's gradient on a replica with `examples` of them.
  float lossScale(std::int64_t examples) const;
  // A synchronous step ends when the last replica has: all wait for it. Publishes what was recorded.
  StepTimes endStep();
  // An asynchronous step is one worker's cycle, from asking for the weights, at `beganNs`, to the update, at `doneNs`.
  StepTimes endWorkerStep(int worker, std::int64_t beganNs, std::int64_t doneNs);
  // On GPUs a synchronous step is not over when endStep() returns, unless somebody wants its record: what it gave is
  // taken when the next one is on its way. Before that, loss, right predictions, times and whether the copies are
  // identical are not known, and endStep()'s times say nothing. Waits where it must; each step once.
  bool resultsAreLate() const { return gpus_ != nullptr && !asynchronous(); }
  bool resultIsHere() const { return result_.has_value(); }
  GpuStepResult takeResult(std::int64_t step);
  std::int64_t takeBytesSent();
  // Of the step that has just ended, all but its metric; null where nobody had asked for it when the step began.
  std::shared_ptr<StepRecord> takeRecord() { return std::move(record_); }
  // What the replicas' gradients of this step said of their noise; nothing unless it was asked for and can be known.
  std::optional<NoiseSample> takeNoise() { return std::exchange(noise_, std::nullopt); }
  std::int64_t recordingNs() const { return recordingNs_; }  // steady time in which this step was copied

  // ---- the six verbs
  // Runs `body` for every replica, on the pool; each touches its own replica only.
  void forEachReplica(const std::function<void(Replica&)>& body);
  // Sums the replicas' gradients onto every replica.
  void allReduce(const ReductionPlan& plan);
  // Copies weights to all replicas: from replica 0 (the initial values), or from the parameter device.
  enum class From { Replica0, ParameterDevice };
  void broadcast(From from);
  // Sums the replicas' gradients onto the parameter device.
  void reduceTo(ParameterDevice& device);
  // Carries out a message between a worker and a server: the server's weights to the worker, or its share of the
  // worker's gradients to the server.
  void copy(const Arrival& message);
  // What happens next in an asynchronous cluster. Times are the virtual clock's, or a fair order where time is
  // measured.
  Arrival nextReady() { return servers_.next(); }
  // A worker asks for the weights again: when it starts, and after each of its updates.
  void requestPull(int worker, std::int64_t nowNs);
  std::int64_t pullRequestedNs(int worker) const { return servers_.cycle(worker).askedNs; }
  // The worker has all its weights: runs `body`, which computes its gradients, and sends them off.
  void compute(const Arrival& lastPull, const std::function<void(Replica&)>& body);
  // The server applies the gradients that have arrived; returns when it is done.
  std::int64_t applyUpdate(const Arrival& push);
  // Starts all workers: a closure each, dispatched one after the other.
  void startWorkers();

  // The host's copy of a replica's variables, brought up to date from its GPU; and the other way.
  Variables& variablesOf(int replica);
  void variablesHaveChanged();
  const GpuReplicas* gpus() const { return gpus_.get(); }  // null without

  // ---- checks and state
  // Whether all replicas' weights hold the same bits; nothing where there is only one replica.
  std::optional<bool> mirrorsIdentical();
  void startup(Label label);  // a step of the start-up sequence, recorded in order
  void declareLinks(const ReductionPlan& plan);
  void declareBroadcast(From from);

  // Clocks, and what is under way; the variables are the strategy's to save.
  nlohmann::json save(TensorFile& checkpoint) const;
  void load(const nlohmann::json& state, const TensorFile& checkpoint);

 private:
  void publish();
  std::vector<LocalGradient> localGradients();
  void noteNoise(std::span<const LocalGradient> local, const float* sum);
  void publish(std::vector<Span>& spans);
  void unmeasured(const std::function<void()>& body);
  void finishRecord(std::optional<int> worker, std::int64_t beginNs, std::int64_t endNs);
  Span spanOf(const Arrival& message);
  StepTimes endModelledStep();
  void layInput(std::span<const std::int64_t> needNs, std::int64_t waitNs);
  void startupBroadcast();
  void layRequest(int worker, std::int64_t ns, Label label);
  void layQueue(int worker, std::int64_t requestNs, std::int64_t untilNs);
  bool spansWanted() const { return recording_ != nullptr || telemetry_.spansWanted(); }
  bool asynchronous() const { return settings_.topology.separateHosts; }
  void eachReplica(const std::function<void(std::int64_t)>& body);
  void bringVariables();
  void takeApart();
  void reduceOnHost(ParameterDevice& device);
  void allReduceOnGpus(const ReductionPlan& plan);
  bool usesNccl(const ReductionPlan& plan) const {
    return gpus_ && plan.reducer == Reducer::Nccl && (replicas() > 1 || settings_.ncclForOne);
  }
  void publishGpuSpans(std::vector<Span>& spans);
  std::int64_t sinceOriginNs() const { return steadyNs() - originNs_; }
  std::vector<float*> buffers(AlignedBuffer<float> Variables::*buffer);
  StepTimes& cycleOf(int worker) { return cycles_[static_cast<std::size_t>(worker)]; }
  std::vector<DeviceClock*> clocks();
  void runCollective(const Schedule& schedule, std::int64_t base, std::span<float* const> buffers, Label label,
                     int pack);

  ClusterSettings settings_;
  std::shared_ptr<const Dataset> dataset_;
  Telemetry& telemetry_;
  ThreadPool pool_;
  std::unique_ptr<Backend> backend_;
  std::int64_t originNs_;
  Topology topology_;
  ReplicaSettings replicaSettings_;
  std::vector<std::unique_ptr<Replica>> replicas_;
  std::vector<std::unique_ptr<ParameterDevice>> parameterDevices_;
  std::vector<DeviceClock> hostClocks_;
  std::unique_ptr<GpuReplicas> gpus_;                             // freed before what it has page-locked
  std::optional<std::pair<std::int64_t, GpuStepResult>> result_;  // of a step, this one, that was waited for
  Collective collective_;
  std::unique_ptr<ModelledClock> modelled_;  // null where time is measured
  AsyncServers servers_;

  // Schedules of the two one-sided verbs, made once.
  Schedule initialBroadcast_, pullSchedule_, pushSchedule_;

  std::int64_t step_ = 0;
  double learningRate_ = 0;
  std::int64_t stepBeginNs_ = 0;
  std::int64_t previousStepBeginNs_ = 0;
  std::int64_t measuredCommunicationNs_ = 0;  // wall time inside the collectives of this step
  std::vector<StepTimes> cycles_;             // measured, asynchronous: per worker, what its cycle has taken so far
  std::int64_t copiedBytes_ = 0;
  // Of a modelled step: what its time follows from.
  std::vector<std::int64_t> batches_;    // per replica
  const ReductionPlan* plan_ = nullptr;  // of its all-reduce
  StepTimes workerTimes_;                // of the worker's cycle that has just ended

  std::unique_ptr<StepRecording> recording_;  // during a step that somebody wants to see
  std::shared_ptr<StepRecord> record_;
  std::int64_t recordingNs_ = 0;
  std::optional<NoiseSample> noise_;
  std::vector<Span> startup_;  // of step 0
  // Of this step where a record needs them; in an asynchronous cluster also earlier ones that were not over when it
  // began. A worker has one closure at a time, so there are never many.
  std::vector<Span> stepSpans_;
  std::int64_t doneNs_ = 0;  // asynchronous: the latest end of an update so far
};

}  // namespace lab
