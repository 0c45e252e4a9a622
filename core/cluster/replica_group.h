// SPDX-License-Identifier: GPL-3.0-or-later
// What computes a cluster's replicas and moves values between them: this program on the processor (processor_group.h),
// the GPUs (gpu_replicas.h), or several processes together (worker_group.h). A Replica is the host's picture of one:
// where it is elsewhere, its variables, losses and predictions are copies, which fetch(), send() and look() bring to
// agree. Nothing above asks which group it is. Used from the trainer thread; evaluate() from several.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/cluster/channel_sums.h"
#include "core/cluster/reduction.h"
#include "core/cluster/replica.h"
#include "core/cluster/step_outcome.h"

namespace lab {

class ParameterDevice;

class ReplicaGroup {
 public:
  ReplicaGroup() = default;
  virtual ~ReplicaGroup() = default;
  ReplicaGroup(const ReplicaGroup&) = delete;
  ReplicaGroup& operator=(const ReplicaGroup&) = delete;

  int size() const { return static_cast<int>(replicas_.size()); }
  Replica& replica(int i) const { return *replicas_[static_cast<std::size_t>(i)]; }
  void add(DeviceClock clock, double slowdown) {
    replicas_.push_back(std::make_unique<Replica>(size(), *this, std::move(clock), slowdown));
  }

  // ---- a step
  enum class Watch {
    None,
    Record,  // somebody wants this step's record; it takes no longer for that
    Spans,   // all steps' spans are wanted
  };
  // Among processes all do what the first one wishes: called by all before a step.
  virtual void agree(Watch& /*watch*/, bool& /*recorded*/) {}
  virtual void beginStep(std::int64_t step, Watch watch) = 0;
  virtual StepOutcome endStep() = 0;
  // Runs `body`, which looks at the host's copies of everything the replicas hold at this place of the step, or between
  // two steps. The step takes no longer for that.
  virtual void look(const std::function<void()>& body) = 0;

  // Each touches its own replica only. `computes`: each may use all threads by itself.
  virtual void forEach(const std::function<void(Replica&)>& body, bool computes) = 0;
  // Verbs of a replica, see there.
  virtual void load(Replica& replica) = 0;
  virtual void forwardBackward(Replica& replica, float scale) = 0;
  // All of them at once, which exchange statistics on the way (NeuralNetwork::exchangesStatistics).
  virtual void forwardBackwardTogether(const std::function<float(const Replica&)>&, const SumsSchedule&) {
    throwBrokenInvariant("replicas that exchange statistics", __FILE__, __LINE__);
  }
  // All of them, where no replica has all weights (Sharding::Weights): `gather` brings them before the forward passes
  // and, as none keeps them, again before the backward passes.
  virtual void forwardBackwardGathering(const std::function<float(const Replica&)>&, const SumsSchedule&,
                                        const std::function<void()>& /*gather*/) {
    throwBrokenInvariant("weights in parts", __FILE__, __LINE__);
  }
  // Of those that are here alone: `addUp` adds their buffers up with those of all others.
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
  // Operations on the replica's weights and slots, where these are.
  using OnVariables = std::function<void(Backend& backend, float* weights, std::span<float* const> slotValues)>;
  virtual void onVariables(Replica& replica, const OnVariables& body) = 0;
  virtual void evaluate(Replica& replica, const Examples& examples, std::span<const std::int64_t> indices,
                        const float* weights, float* losses, std::uint8_t* right) = 0;
  // The moving statistics by which evaluate() normalises, from now on.
  virtual void evaluateWith(std::vector<float> statistics) { evaluated_ = std::move(statistics); }

  // ---- between replicas. A schedule's ranks are the topology's endpoints.
  virtual void prepare(const ReductionPlan&) {}          // before the first step that carries it out
  virtual void broadcast(const Schedule& schedule) = 0;  // weights, from replica 0
  virtual void allReduce(const ReductionPlan& plan, ReduceTarget what, ReduceOp then) = 0;
  // Variables in parts (shard.h): from now on, by the chunks of this plan, whose all-reduces are reduce-scatters; and
  // the weights of all parts to all replicas.
  virtual void shard(const ReductionPlan&) { throwBrokenInvariant("variables in parts", __FILE__, __LINE__); }
  virtual void gather(const ReductionPlan&) { throwBrokenInvariant("variables in parts", __FILE__, __LINE__); }
  // Between steps: the weights of all parts, in a buffer that serves all replicas here until the next step. All
  // processes call it.
  virtual const float* wholeWeights() { throwBrokenInvariant("weights in parts", __FILE__, __LINE__); }
  virtual void pullFrom(ParameterDevice& device, const Schedule& schedule) = 0;  // its weights, to all replicas
  virtual void reduceTo(ParameterDevice& device, const Schedule& schedule) = 0;  // gradients, added to its zeros
  // In a step, before reduceTo: of the moving statistics, the mean over the replicas, to all of them.
  virtual void averageStatistics();
  virtual void compareMirrors() = 0;    // in a step, whose outcome has the answer
  virtual bool mirrorsIdentical() = 0;  // between steps: whether all copies of the weights hold the same bits

  // All copies of the variables hold the same bits, and nobody looks at a step: all replicas compute with these, one's
  // own or a device's, which alone are updated, and nothing is sent that they do not need. Null: each has its own
  // again. Between steps. False where a group cannot do that.
  virtual bool setOneCopy(Variables* variables) { return variables == nullptr; }

  // ---- between steps: the host's copy of a replica's variables is brought up to date, or is what counts from now on
  virtual void fetch(Replica&) {}
  virtual void send(Replica&) {}
  // Likewise the moving statistics of all replicas.
  virtual void fetchStatistics() {}
  virtual void sendStatistics() {}

  // ---- among processes: each has the variables of its own replicas alone, and clocks and shards of all
  virtual bool isHere(int /*replica*/) const { return true; }
  // What each replica's process has of it, to the first process. All call it.
  virtual void gatherToFirst(std::span<std::vector<std::byte>> /*ofReplicas*/) {}
  virtual void shareFromFirst(std::span<float> /*values*/) {}  // the first process's, to all

  virtual std::int64_t activationBytes(std::int64_t examples) const = 0;  // that a batch takes
  virtual bool normalisesOnHost() const = 0;  // it takes batches that were made ahead (prefetched_batch.h)

 protected:
  std::vector<float> evaluated_;

 private:
  std::vector<std::unique_ptr<Replica>> replicas_;
};

}  // namespace lab
