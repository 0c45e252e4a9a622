// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts, devices and links, and the seven verbs that strategies are written in: forEachReplica, waitFor, allReduce,
// broadcast, reduceTo, copy, nextReady. A replica group does the work, the step's ledger keeps clocks, spans and
// record; the verbs say what happens, and when it was where time is modelled. Used from the trainer thread alone.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/thread_pool.h"
#include "core/cluster/modelled_clock.h"
#include "core/cluster/parameter_device.h"
#include "core/cluster/reduction.h"
#include "core/cluster/replica_group.h"
#include "core/cluster/step_ledger.h"
#include "core/cluster/step_outcome.h"
#include "core/cluster/topology.h"
#include "core/data/split.h"
#include "core/model/safetensors.h"
#include "core/timing/async_servers.h"
#include "core/timing/noise_scale.h"
#include "core/trace/run_fault.h"
#include "core/trace/telemetry.h"

namespace lab {

struct ClusterSettings {
  TopologySettings topology;
  std::shared_ptr<const NeuralNetwork> network;
  Precision precision = Precision::Float32;
  OptimizerSettings optimizer;
  LossReduction lossReduction = LossReduction::Fit;
  std::int64_t globalBatch = 0;  // G: the denominator of LossReduction::Loop; a worker's batch for parameter server
  int replicasInSync = 1;        // N: whose gradients are summed into one update
  std::vector<double> slowdown;  // per replica, or empty
  std::shared_ptr<const StepModel> timing;  // what says how long a modelled step takes; null where time is measured
  int threads = 1;
  bool noiseScale = false;       // measure the gradients' noise in every step
  std::uint64_t seed = 0;        // of dropout
  Reducer sums = Reducer::Ring;  // by which replicas add up what they exchange in the middle of a pass
  bool ncclForOne = false;       // where it was asked for by name: with one replica too, as one rank
};

// Thrown by a verb that waits for a task which has died: no step comes of it.
struct TaskLost {};

class Cluster {
 public:
  Cluster(const ClusterSettings& settings, std::shared_ptr<const Dataset> dataset, Telemetry& telemetry);
  ~Cluster();

  const ClusterSettings& settings() const { return settings_; }
  int replicas() const { return settings_.topology.replicas; }
  Replica& replica(int i) { return group_->replica(i); }
  const ReplicaGroup& group() const { return *group_; }
  ReplicaGroup& group() { return *group_; }
  ParameterDevice& parameterDevice(int i) { return *parameterDevices_[static_cast<std::size_t>(i)]; }
  int parameterDevices() const { return static_cast<int>(parameterDevices_.size()); }
  const Topology& topology() const { return topology_; }
  const Layout& layout() const { return settings_.network->layout(); }
  ThreadPool& pool() { return pool_; }
  Backend& backend() { return *backend_; }
  TimeSource clock() const { return settings_.topology.measured ? TimeSource::Measured : TimeSource::Modelled; }

  // ---- around a step
  void beginStep(std::int64_t step, double learningRate);
  double learningRate() const { return learningRate_; }
  // For the updates to come in this step: the step's rate over `by`.
  void divideLearningRate(std::int64_t by);
  std::int64_t step() const { return ledger_.step(); }
  // Gives every replica its shard; the input pipeline has prepared it while the step before was running.
  void distribute(const DistributedBatch& batch);
  // The factor of every example's gradient on a replica with `examples` of them.
  float lossScale(std::int64_t examples) const;
  // A synchronous step ends when the last replica has: all wait for it. An asynchronous one is the cycle of the worker
  // whose gradients have just been applied, from asking for the weights to the update.
  FinishedStep endStep();

  // A task dies or comes back in a step to come, where time is modelled. A verb may then throw TaskLost, after which
  // the step ends here: nothing was updated.
  void setFault(const RunFault& fault) { fault_ = fault; }
  FinishedStep endAbortedStep();
  bool isOf(const RunFault& fault, int replica) const;  // whether it is of the task
  int abortedWorker() const { return lastWorker_; }     // asynchronous: whose loss the step that was given up has
  // All processes start again, with the variables as they are.
  void restart(std::int64_t atNs);

  // ---- the seven verbs
  // Runs `body` for every replica, on the pool; each touches its own replica only.
  void forEachReplica(const std::function<void(Replica&)>& body);
  // Every replica computes the gradients of its shard.
  void computeGradients();
  // Asks the clock who arrives first for the step's sum, before anything is added; time is modelled. The first `count`
  // take part. Whoever is later is left out of this step: is cancelled when the sum begins, adds zeros, and counts in
  // no loss and no rate. After distribute(), before the gradients are computed, since the mean is over who takes part.
  // Returns all arrivals in the order of time, until the next step. Steps that do not ask wait for all.
  const std::vector<Arrival>& waitFor(std::int64_t count);
  // Adds the replicas' gradients, or their weights, onto every replica; a mean is divided there. Once a step.
  void allReduce(const ReductionPlan& plan, ReduceTarget what = ReduceTarget::Gradients, ReduceOp then = ReduceOp::Sum);
  // Copies weights to all replicas: from replica 0 (the initial values), or from the parameter device.
  enum class From { Replica0, ParameterDevice };
  void broadcast(From from);
  // Sums the replicas' gradients onto the parameter device.
  void reduceTo(ParameterDevice& device);
  // Carries out a message between a worker and a server: the server's weights to the worker, or its share of the
  // worker's gradients to the server.
  void copy(const ServerMessage& message);
  // What happens next in an asynchronous cluster. Times are the virtual clock's, or a fair order where time is
  // measured.
  ServerMessage nextReady() {
    if (aborting_) throw TaskLost{};
    return servers_.next();
  }
  // A worker asks for the weights again: when it starts, and after each of its updates.
  void requestPull(int worker, std::int64_t nowNs);
  // The worker has all its weights: runs `body`, which computes its gradients, and sends them off.
  void compute(const ServerMessage& lastPull, const std::function<void(Replica&)>& body);
  // The server applies the gradients that have arrived; returns when it is done.
  std::int64_t applyUpdate(const ServerMessage& push);
  // Starts all workers: a closure each, dispatched one after the other.
  void startWorkers();
  // The run ends: messages that are under way join its spans, as they are in the last step's record.
  void recordUnderWay();

  // A value that is changed by hand in a step to come, where the replicas compute on this processor. `id`: its own, the
  // same in all who load the run's states. `past`: of a parent, whose gradients may still be under way.
  void addEdit(const RunEdit& edit, int id, bool past);

  // The host's copy of a replica's variables, brought up to date; and the other way.
  Variables& variablesOf(int replica);
  void variablesHaveChanged();

  // Steps that nobody looks at, where all copies of the variables hold the same bits: one stands for all, until a step
  // is recorded or a replica's own are asked for. Between steps. Nothing changes where that cannot be: values are
  // changed by hand, workers have weights of different ages, or time is measured.
  void useOneCopy();

  // ---- checks and state
  // Compares all replicas' weights bit by bit; what came out is in the step's outcome. Nothing where there is only one.
  void compareMirrors();
  std::optional<bool> mirrorsIdentical();  // the same between two steps, at once
  void startup(Label label);               // a step of the start-up sequence, recorded in order
  void declareLinks(const ReductionPlan& plan);
  void declareBroadcast(From from);

  // The network's moving statistics, which are no mirrored variables: every replica's own, or the servers'.
  void setStatistics(std::span<const float> values);
  // Those that are evaluated and saved: replica 0's, or the servers' together. Among processes the first one has them.
  std::vector<float> statistics() const;
  // One variable for all replicas, whose new values are averaged (VariableAggregation.MEAN): each has it afterwards.
  void averageStatistics();

  // Into a checkpoint; save() does it too. Among processes all call it, and the first one has them.
  void saveStatistics(TensorFile& checkpoint) const;

  // Clocks, statistics, and what is under way; the variables are the strategy's to save.
  nlohmann::json save(TensorFile& checkpoint) const;
  void load(const nlohmann::json& state, const TensorFile& checkpoint);
  // This cluster's clocks after `steps` steps, where another synchronous one's stand as `others` says: all at once, for
  // all wait for each other at a step's end.
  nlohmann::json clocksAt(const nlohmann::json& others, std::int64_t steps) const;

 private:
  void makeGroup();
  FinishedStep finished(StepOutcome outcome, std::optional<int> worker, std::int64_t beginNs, std::int64_t endNs);
  FinishedStep endWorkerStep();
  std::vector<LocalGradient> beforeReducing(ReduceTarget what);
  std::vector<LocalGradient> localGradients();
  std::int64_t examplesLeftOut() const;
  const Schedule& sumsSchedule(std::int64_t elements);
  void noteNoise(std::span<const LocalGradient> local, const float* sum);
  Span spanOf(const ServerMessage& message);
  StepTimes endModelledStep();
  void addInputSpan(std::span<const std::int64_t> needNs, std::int64_t waitNs);
  void startupBroadcast();
  void layRequest(int worker, std::int64_t ns, Label label);
  void addQueueSpan(int worker, std::int64_t requestNs, std::int64_t untilNs);
  bool asynchronous() const { return settings_.topology.separateHosts; }
  // cluster_faults.cpp
  void actOnFault();
  void loseWorker(int worker);
  void reviveWorker(int worker);
  void giveClosures(int worker, std::int64_t nowNs);
  void addDeadSpan(std::int64_t fromNs, std::int64_t untilNs);
  FinishedStep abortCollective();
  FinishedStep abortWorkers();
  StepTimes timesOfAborted(std::int64_t beginNs, std::int64_t endNs);
  nlohmann::json saveDead() const;
  void loadDead(const nlohmann::json& list);
  void declare(const Schedule& schedule);
  void loadEdits(const nlohmann::json& made);
  void loadStatistics(const TensorFile& checkpoint);
  StepTimes& cycleOf(int worker) { return cycles_[static_cast<std::size_t>(worker)]; }

  ClusterSettings settings_;
  std::shared_ptr<const Dataset> dataset_;
  Telemetry& telemetry_;
  ThreadPool pool_;
  std::unique_ptr<Backend> backend_;
  Topology topology_;
  StepLedger ledger_;
  ReplicaSettings replicaSettings_;
  std::vector<std::unique_ptr<ParameterDevice>> parameterDevices_;
  std::vector<DeviceClock> hostClocks_;
  std::unique_ptr<ReplicaGroup> group_;      // freed before what it has page-locked
  std::unique_ptr<ModelledClock> modelled_;  // null where time is measured
  AsyncServers servers_;

  // Schedules of the two one-sided verbs, made once; and those of sums by their elements.
  Schedule initialBroadcast_, pullSchedule_, pushSchedule_;
  std::map<std::int64_t, Schedule> sumsSchedules_;

  double learningRate_ = 0, stepLearningRate_ = 0;
  std::vector<StepTimes> cycles_;  // asynchronous: per worker, what its cycle has taken; measured: so far
  int lastWorker_ = 0;             // whose gradients have been applied last
  // Asynchronous and modelled: the latest end of an update so far, and before the last one.
  std::int64_t doneNs_ = 0, previousDoneNs_ = 0;
  std::optional<RunFault> fault_;  // to come
  bool aborting_ = false;          // the present step waits for a task that has died
  std::vector<DeadTask> dead_;
  // Of a modelled step: what its time follows from.
  std::vector<std::int64_t> batches_;    // per replica
  const ReductionPlan* plan_ = nullptr;  // of its all-reduce
  ReduceTarget reduced_ = ReduceTarget::Gradients;
  int waitsFor_ = 0;          // replicas, before its sum; 0: all
  std::vector<int> leftOut_;  // that were later
};

}  // namespace lab
