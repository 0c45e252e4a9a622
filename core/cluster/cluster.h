// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts, devices and links, and the verbs that strategies are written in; those of asynchronous workers are in
// server_workers.h. The replica group does the work; the step's ledger keeps clocks, spans and the record; the verbs
// say what happens and, where time is modelled, when it happened. Used only from the trainer thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/cluster/cluster_memory.h"
#include "core/cluster/cluster_parts.h"
#include "core/cluster/cluster_state.h"
#include "core/cluster/dead_tasks.h"
#include "core/cluster/modelled_step.h"
#include "core/cluster/moving_statistics.h"
#include "core/cluster/server_workers.h"
#include "core/cluster/variable_copies.h"
#include "core/data/split.h"
#include "core/model/safetensors.h"
#include "core/trace/run_fault.h"

namespace lab {

class Cluster {
 public:
  Cluster(const ClusterSettings& settings, std::shared_ptr<const Dataset> dataset, Telemetry& telemetry);

  const ClusterSettings& settings() const { return parts_.settings; }
  int replicas() const { return parts_.replicas(); }
  Replica& replica(int i) const { return parts_.replica(i); }
  ReplicaGroup& group() const { return *parts_.group; }
  ParameterDevice& parameterDevice(int i) const { return parts_.parameterDevice(i); }
  int parameterDevices() const { return static_cast<int>(parts_.parameterDevices.size()); }
  const Topology& topology() const { return parts_.topology; }
  const Layout& layout() const { return parts_.layout(); }
  ThreadPool& pool() { return parts_.pool; }
  TimeSource clock() const { return parts_.clock(); }

  // ---- around a step
  void beginStep(std::int64_t step, double learningRate);
  double learningRate() const { return parts_.present.learningRate; }
  // Sets the learning rate of the updates that follow in this step: the step's rate divided by `by`.
  void divideLearningRate(std::int64_t by) {
    parts_.present.learningRate = stepLearningRate_ / static_cast<double>(by);
  }
  std::int64_t step() const { return parts_.ledger.step(); }
  // Gives every replica its shard, which the input pipeline prepared during the previous step.
  void distribute(const DistributedBatch& batch);
  // Returns the factor for every example's gradient on a replica with `examples` examples. AllReplicas: the step's
  // gradient is the sum over all replicas. OneReplica: each replica follows its own gradient, and the step's gradient
  // is the mean over the replicas, weighted by their examples.
  enum class GradientOf { AllReplicas, OneReplica };
  float lossScale(std::int64_t examples, GradientOf of = GradientOf::AllReplicas) const;
  // Ends the step. A synchronous step ends when its last replica is done, since all wait for each other; for an
  // asynchronous step see ServerWorkers::endStep.
  FinishedStep endStep();

  // Plans that a task dies or comes back in a later step; only where time is modelled. In that step a verb may throw
  // TaskLost; the caller then ends the step with endAbortedStep(), and nothing has been updated.
  void setFault(const RunFault& fault) { dead_.setFault(fault); }
  FinishedStep endAbortedStep();
  const std::vector<DeadTask>& deadTasks() const { return dead_.all(); }  // now
  // Starts all processes again, with the present values of the variables.
  void restart(std::int64_t atNs);

  // ---- the verbs of synchronous strategies; workers() has those of asynchronous ones
  // Runs `body` for every replica, on the pool; each call touches only its own replica.
  void forEachReplica(const std::function<void(Replica&)>& body);
  // Lets every replica compute the gradients of its shard.
  void computeGradients(GradientOf of = GradientOf::AllReplicas);
  // Does the same where weights lie in parts: gathers them before the forward passes and again before the backward
  // passes.
  void computeGathering(const ReductionPlan& plan);
  // Asks the modelled clock, before anything is added, which replicas arrive first for the step's sum; only the first
  // `count` take part. A later replica is left out of this step: it is cancelled when the sum begins, adds zeros, and
  // counts in no loss and no rate. Call after distribute() and before computing gradients, because the mean is over the
  // replicas that take part. Returns all arrivals in order of time, valid until the next step. Without this call a step
  // waits for all replicas.
  const std::vector<Arrival>& waitFor(std::int64_t count) { return modelledStep_.waitFor(count); }
  // Adds the replicas' gradients, or their weights, onto every replica, which then divides if `then` asks for the mean.
  // Once a step.
  void allReduce(const ReductionPlan& plan, ReduceTarget what = ReduceTarget::Gradients, ReduceOp then = ReduceOp::Sum);
  // Adds the gradients onto every replica, makes the same update on each and compares them. Once a step.
  void reduceAndUpdate(const ReductionPlan& plan);
  // Sends the weights of all parts to all replicas.
  void gatherWeights(const ReductionPlan& plan);
  // Puts the mean of the weights, weighted by `examples`, onto every replica: over the replicas that the plan adds up,
  // which may be those of a group. Once a step.
  void averageWeights(const ReductionPlan& plan, std::span<const std::int64_t> examples);
  // Copies weights to all replicas: from replica 0 (the initial values), or from the parameter device.
  enum class From { Replica0, ParameterDevice };
  void broadcast(From from);
  // Sums the replicas' gradients onto the parameter device.
  void reduceTo(ParameterDevice& device);

  ServerWorkers& workers() { return workers_; }
  MovingStatistics& movingStatistics() { return statistics_; }
  VariableCopies& copies() { return copies_; }
  ClusterMemory memory() const { return {parts_, workers_}; }
  ClusterState state() { return {parts_, statistics_, dead_, workers_}; }

  // ---- checks and what comes before the first step
  // Compares all replicas' weights bit by bit; the step's outcome has the answer. Does nothing where there is only one
  // replica or where all replicas share one copy.
  void compareMirrors();
  void startup(Label label);  // records a step of the start-up sequence, in order
  void declareLinks(const ReductionPlan& plan);
  void declareBroadcast(From from);

 private:
  FinishedStep closeBooks(StepEnd end);
  void beginReducing(const ReductionPlan& plan, ReduceTarget what);
  void countSent(const ReductionPlan& plan);
  std::vector<LocalGradient> beforeReducing(ReduceTarget what);
  const Schedule& sumsSchedule(std::int64_t elements);
  void declare(const Schedule& schedule);

  ClusterParts parts_;
  DeadTasks dead_{parts_};
  ModelledStep modelledStep_{parts_, dead_};
  ServerWorkers workers_{parts_, dead_};
  MovingStatistics statistics_{parts_};
  VariableCopies copies_{parts_};
  TensorFile beforeAbort_;  // the moving statistics before a step that a fault ends
  double stepLearningRate_ = 0;

  // Schedules of the two one-sided verbs, made once; and the schedules of sums, by number of elements.
  Schedule initialBroadcast_, pullSchedule_, pushSchedule_;
  std::map<std::int64_t, Schedule> sumsSchedules_;
};

}  // namespace lab
