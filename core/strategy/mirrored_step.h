// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by the strategies with one copy of every variable per replica. Mirrored, MultiWorkerMirrored and TPU differ
// only in the reduction and in their start; their steps are the same.
#pragma once

#include <span>

#include "core/cluster/cluster.h"
#include "core/strategy/strategy.h"

namespace lab {

// Creates every replica's variables; replica 0 takes the initial values, and the others copy them over the links.
void createMirroredVariables(Cluster& cluster, std::span<const float> initialWeights);

// Runs forward and backward on each replica's own shard, sums the gradients onto all replicas, and makes the same
// update on every copy. The sum waits for `waitsFor` replicas; 0: for all.
StepResult mirroredStep(Cluster& cluster, StepInput& input, const ReductionPlan& plan, std::int64_t waitsFor = 0);

// Returns the result of a step in which the replicas have computed the distributed batch.
StepResult resultOf(const DistributedBatch& batch);

// A checkpoint keeps the primary copy, as TensorFlow does; restoring writes all copies.
void saveVariables(const Cluster& cluster, const Variables& variables, TensorFile& checkpoint);
void loadVariables(const Cluster& cluster, const TensorFile& checkpoint, Variables& variables);

// A strategy whose variables are on the replicas: all strategies except central storage and parameter server. Unless a
// class says otherwise, it sums gradients by the run's reducer over all replicas, in a mirrored step.
class ReplicaVariablesStrategy : public Strategy {
 public:
  explicit ReplicaVariablesStrategy(const ResolvedSettings& config) : config_(config) {}

  void prepare(Cluster& cluster, std::span<const float> initialWeights) override;
  StepResult step(Cluster& cluster, StepInput& input) override { return mirroredStep(cluster, input, plan_); }
  const float* weightsOf(Cluster& cluster, int replica) override;
  void save(Cluster& cluster, TensorFile& checkpoint) override;
  void load(Cluster& cluster, const TensorFile& checkpoint) override;

 protected:
  const ResolvedSettings& config() const { return config_; }
  const ReductionPlan& plan() const { return plan_; }

 private:
  ResolvedSettings config_;
  ReductionPlan plan_;
};

}  // namespace lab
