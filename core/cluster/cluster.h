// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts, devices and links, and the eight verbs that strategies are written in: forEachReplica, waitFor, allReduce,
// gatherWeights, broadcast, reduceTo; of asynchronous workers copy and nextReady (server_workers.h). A group does the
// work, the step's ledger keeps clocks, spans and record; the verbs say what happens, and when it was where time is
// modelled. Used from the trainer thread alone.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/cluster/cluster_parts.h"
#include "core/cluster/cluster_state.h"
#include "core/cluster/dead_tasks.h"
#include "core/cluster/modelled_step.h"
#include "core/cluster/moving_statistics.h"
#include "core/cluster/server_workers.h"
#include "core/data/split.h"
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
  // For the updates to come in this step: the step's rate over `by`.
  void divideLearningRate(std::int64_t by) {
    parts_.present.learningRate = stepLearningRate_ / static_cast<double>(by);
  }
  std::int64_t step() const { return parts_.ledger.step(); }
  // Gives every replica its shard; the input pipeline has prepared it while the step before was running.
  void distribute(const DistributedBatch& batch);
  // The factor of every example's gradient on a replica with `examples` of them: of the sum over all replicas, or where
  // each follows its own gradient, whose mean over the replicas, weighed by examples, is the step's.
  enum class GradientOf { AllReplicas, OneReplica };
  float lossScale(std::int64_t examples, GradientOf of = GradientOf::AllReplicas) const;
  // A synchronous step ends when the last replica has: all wait for it. An asynchronous one: ServerWorkers::endStep.
  FinishedStep endStep();

  // A task dies or comes back in a step to come, where time is modelled. A verb may then throw TaskLost, after which
  // the step ends here: nothing was updated.
  void setFault(const RunFault& fault) { dead_.setFault(fault); }
  FinishedStep endAbortedStep();
  // All processes start again, with the variables as they are.
  void restart(std::int64_t atNs);

  // ---- the verbs of synchronous strategies; those of asynchronous ones are workers()'
  // Runs `body` for every replica, on the pool; each touches its own replica only.
  void forEachReplica(const std::function<void(Replica&)>& body);
  // Every replica computes the gradients of its shard.
  void computeGradients(GradientOf of = GradientOf::AllReplicas);
  // The same where weights lie in parts: gathers them before the forward passes and again before the backward passes.
  void computeGathering(const ReductionPlan& plan);
  // Asks the clock who arrives first for the step's sum, before anything is added; time is modelled. The first `count`
  // take part. Whoever is later is left out of this step: is cancelled when the sum begins, adds zeros, and counts in
  // no loss and no rate. After distribute(), before the gradients are computed, since the mean is over who takes part.
  // Returns all arrivals in the order of time, until the next step. Steps that do not ask wait for all.
  const std::vector<Arrival>& waitFor(std::int64_t count) { return modelledStep_.waitFor(count); }
  // Adds the replicas' gradients, or their weights, onto every replica; a mean is divided there. Once a step.
  void allReduce(const ReductionPlan& plan, ReduceTarget what = ReduceTarget::Gradients, ReduceOp then = ReduceOp::Sum);
  // From now on each replica keeps a part of its variables (shard.h), by a plan of reduce-scatters: an all-reduce by
  // that ends with each part's sum on its replica, which updates it.
  void shard(const ReductionPlan& plan) { group().shard(plan); }
  // The weights of all parts to all replicas.
  void gatherWeights(const ReductionPlan& plan);
  // The mean of the replicas' weights onto every replica, each weighed by its `examples`. Once a step.
  void averageWeights(const ReductionPlan& plan, std::span<const std::int64_t> examples);
  // On each replica the mean of its weights and those of its neighbours on a ring, all as they are now, by a plan of
  // Reducer::Neighbours. Once a step, before the updates.
  void averageWithNeighbours(const ReductionPlan& plan) { allReduce(plan, ReduceTarget::Weights); }
  // The mean of all between two steps, to be evaluated or saved; the copies stay as they are. All processes call it.
  AlignedBuffer<float> meanWeights(std::span<const std::int64_t> examples);
  // Copies weights to all replicas: from replica 0 (the initial values), or from the parameter device.
  enum class From { Replica0, ParameterDevice };
  void broadcast(From from);
  // Sums the replicas' gradients onto the parameter device.
  void reduceTo(ParameterDevice& device);

  ServerWorkers& workers() { return workers_; }
  MovingStatistics& movingStatistics() { return statistics_; }
  ClusterState state() { return {parts_, statistics_, dead_, workers_}; }

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

  // Of this process's devices the one whose buffers took the most at any moment so far; nothing where time is modelled,
  // or the buffers are not on this processor.
  std::optional<PeakMemory> peakMemory() const;
  // Each device's memory over the step that has just ended, per rank; empty where nothing is known.
  std::vector<MemoryTimeline> memoryOverStep() const;

  // ---- checks and what comes before the first step
  // Compares all replicas' weights bit by bit; what came out is in the step's outcome. Nothing where there is only one.
  // Where all share one copy nothing is compared.
  void compareMirrors();
  bool sharesCopies() const { return settings().sharesCopies; }
  std::optional<bool> mirrorsIdentical();  // the same between two steps, at once
  void startup(Label label);               // a step of the start-up sequence, recorded in order
  void declareLinks(const ReductionPlan& plan);
  void declareBroadcast(From from);

 private:
  FinishedStep closeBooks(StepEnd end);
  bool countsMemory() const { return clock() == TimeSource::Measured && settings().topology.gpuOfReplica.empty(); }
  std::vector<LocalGradient> beforeReducing(ReduceTarget what);
  std::vector<std::vector<std::byte>> copiesElsewhere();
  const Schedule& sumsSchedule(std::int64_t elements);
  void declare(const Schedule& schedule);

  ClusterParts parts_;
  DeadTasks dead_{parts_};
  ModelledStep modelledStep_{parts_, dead_};
  ServerWorkers workers_{parts_, dead_};
  MovingStatistics statistics_{parts_};
  double stepLearningRate_ = 0;

  // Schedules of the two one-sided verbs, made once; and those of sums by their elements.
  Schedule initialBroadcast_, pullSchedule_, pushSchedule_;
  std::map<std::int64_t, Schedule> sumsSchedules_;
};

}  // namespace lab
