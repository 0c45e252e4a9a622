// SPDX-License-Identifier: GPL-3.0-or-later
// Computes a cluster's replicas and moves values between them: this program on the processor (processor_group.h), the
// GPUs (gpu_replicas.h), or several processes together (worker_group.h). A Replica is the host's picture of a replica:
// if the real one is elsewhere, its variables, losses and predictions here are copies that fetch(), send() and look()
// synchronise. Higher layers do not ask which group it is. Used from the trainer thread; evaluate() from several.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/replicas/channel_sums.h"
#include "core/replicas/reduction.h"
#include "core/replicas/replica.h"
#include "core/replicas/step_outcome.h"

namespace lab {

class ParameterDevice;

class ReplicaGroup {
 public:
  ReplicaGroup() = default;
  virtual ~ReplicaGroup() = default;
  ReplicaGroup(const ReplicaGroup&) = delete;
  ReplicaGroup& operator=(const ReplicaGroup&) = delete;

  int size() const { return static_cast<int>(replicas_.size()); }
  Replica& replica(int i) const { return *at(replicas_, i); }
  void add(DeviceClock clock, double slowdown) {
    replicas_.push_back(std::make_unique<Replica>(size(), *this, std::move(clock), slowdown));
  }

  // ---- a step
  enum class Watch {
    None,
    Record,  // somebody wants this step's record; the step takes no longer
    Spans,   // all steps' spans are wanted
  };
  // Makes all processes do what the first one wishes; all call this before a step.
  virtual void agree(Watch& /*watch*/, bool& /*recorded*/) {}
  virtual void beginStep(std::int64_t step, Watch watch) = 0;
  virtual StepOutcome endStep() = 0;
  // Runs `body`, which looks at the host's copies of everything that the replicas hold at this point of the step, or
  // between two steps. The step takes no longer because of this.
  virtual void look(const std::function<void()>& body) = 0;

  // Each call touches only its own replica. `computes`: each call may use all threads by itself.
  virtual void forEach(const std::function<void(Replica&)>& body, bool computes) = 0;
  // Verbs of a replica, see Replica.
  virtual void load(Replica& replica) = 0;
  virtual void forwardBackward(Replica& replica, float scale) = 0;
  // Computes all replicas at once, since they exchange statistics on the way (NeuralNetwork::exchangesStatistics).
  virtual void forwardBackwardTogether(const std::function<float(const Replica&)>&, const SumsSchedule&) {
    throwBrokenInvariant("replicas that exchange statistics", __FILE__, __LINE__);
  }
  // Computes all replicas, where no replica has all weights (Sharding::Weights): `gather` fetches the weights before
  // the forward passes and, because no replica keeps them, again before the backward passes.
  virtual void forwardBackwardGathering(const std::function<float(const Replica&)>&, const SumsSchedule&,
                                        const std::function<void()>& /*gather*/) {
    throwBrokenInvariant("weights in parts", __FILE__, __LINE__);
  }
  // These compute only the replicas in this process: `addUp` adds their buffers to those of all other replicas.
  using AddUp = std::function<void(std::span<std::vector<float>> ofReplicas)>;
  virtual void passTogether(std::span<Replica* const>, const std::function<float(const Replica&)>&, const AddUp&) {
    throwBrokenInvariant("replicas that exchange statistics", __FILE__, __LINE__);
  }
  virtual void passGathering(std::span<Replica* const>, const std::function<float(const Replica&)>&, const AddUp&,
                             const std::function<void()>& /*gather*/) {
    throwBrokenInvariant("weights in parts", __FILE__, __LINE__);
  }
  virtual void restore(Replica& replica, float scale) = 0;
  virtual void update(Replica& replica, double learningRate, std::int64_t iteration) = 0;
  // Runs operations on the replica's weights and slots, on the device that holds them.
  using OnVariables = std::function<void(Backend& backend, float* weights, std::span<float* const> slotValues)>;
  virtual void onVariables(Replica& replica, const OnVariables& body) = 0;
  virtual void evaluate(Replica& replica, const Examples& examples, std::span<const std::int64_t> indices,
                        const float* weights, float* losses, std::uint8_t* right) = 0;
  // Sets the moving statistics that evaluate() normalises with from now on.
  virtual void evaluateWith(std::vector<float> statistics) { evaluated_ = std::move(statistics); }

  // ---- between replicas. A schedule's ranks are the topology's endpoints.
  virtual void prepare(const ReductionPlan&) {}          // called before the first step that uses the plan
  virtual void broadcast(const Schedule& schedule) = 0;  // weights, from replica 0
  virtual void allReduce(const ReductionPlan& plan, ReduceTarget what, ReduceOp then) = 0;
  // Adds the gradients onto every replica, makes update number `iteration` (from 1) on each and compares the copies:
  // the same bits as allReduce(), update() and compareMirrors(), in one pass over memory. Returns false, and does
  // nothing, if the group cannot, or if the time between these has to be measured.
  virtual bool reduceAndUpdate(const ReductionPlan&, double /*learningRate*/, std::int64_t /*iteration*/) {
    return false;
  }
  // Variables in parts (shard.h). shard(): from now on variables lie in parts, by the chunks of this plan, whose
  // all-reduces are reduce-scatters. gather(): sends the weights of all parts to all replicas.
  virtual void shard(const ReductionPlan&) { throwBrokenInvariant("variables in parts", __FILE__, __LINE__); }
  virtual void gather(const ReductionPlan&) { throwBrokenInvariant("variables in parts", __FILE__, __LINE__); }
  // Between steps: returns all weights, as the replica has them. Where no replica has all (Sharding::Weights), all
  // processes call this, and one buffer serves all replicas of this process until the next step.
  virtual const float* wholeWeights(Replica&) { throwBrokenInvariant("variables in parts", __FILE__, __LINE__); }
  virtual void pullFrom(ParameterDevice& device, const Schedule& schedule) = 0;  // sends its weights to all replicas
  virtual void reduceTo(ParameterDevice& device, const Schedule& schedule) = 0;  // gradients, added to its zeros
  // In a step, before reduceTo: gives all replicas the mean of their moving statistics.
  virtual void averageStatistics();
  virtual void compareMirrors() = 0;    // in a step; the step's outcome has the answer
  virtual bool mirrorsIdentical() = 0;  // between steps: whether all copies of the weights hold the same bits

  // Call between steps, if all copies of the variables hold the same bits and nobody looks at the coming steps. All
  // replicas then compute with `variables`, a replica's or a device's; only these are updated, and only what they need
  // is sent. Null: each replica uses its own variables again. Returns false if the group cannot do this.
  virtual bool setOneCopy(Variables* variables) { return variables == nullptr; }

  // ---- between steps: fetch() updates the host's copy of a replica's variables; send() makes the host's copy the
  // valid one
  virtual void fetch(Replica&) {}
  virtual void send(Replica&) {}
  // The same for the moving statistics of all replicas.
  virtual void fetchStatistics() {}
  virtual void sendStatistics() {}

  // ---- among processes: each has only its own replicas' variables, but all replicas' clocks and shards
  virtual bool isHere(int /*replica*/) const { return true; }
  // Sends each replica's data from its process to the first process. All processes call this.
  virtual void gatherToFirst(std::span<std::vector<std::byte>> /*ofReplicas*/) {}
  virtual void shareFromFirst(std::span<float> /*values*/) {}  // sends the first process's values to all

  virtual std::int64_t activationBytes(std::int64_t examples) const = 0;  // memory of a batch's activations
  virtual bool normalisesOnHost() const = 0;  // whether batches can be made ahead (prefetched_batch.h)

 protected:
  std::vector<float> evaluated_;

 private:
  std::vector<std::unique_ptr<Replica>> replicas_;
};

}  // namespace lab
