// SPDX-License-Identifier: GPL-3.0-or-later
// The replicas of a cluster on this computer's processor, computed one after the other or in parallel on a pool. The
// replicas themselves are the buffers, so a step's values are there when its verbs return. This group measures time,
// unless time is modelled: then nothing that happens here appears on a clock.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/replicas/collective.h"
#include "core/replicas/replica_group.h"
#include "core/replicas/step_ledger.h"
#include "core/replicas/topology.h"

namespace lab {

class ProcessorGroup final : public ReplicaGroup {
 public:
  // All arguments outlive this object.
  ProcessorGroup(const ReplicaSettings& settings, ThreadPool& pool, Topology& topology, StepLedger& ledger)
      : settings_(settings),
        pool_(pool),
        topology_(topology),
        ledger_(ledger),
        collective_(topology, *settings.backend, pool, ledger) {}

  void beginStep(std::int64_t step, Watch watch) override;
  StepOutcome endStep() override;
  void look(const std::function<void()>& body) override {
    ledger_.unmeasured([&] { withWhole(body); });
  }
  void forEach(const std::function<void(Replica&)>& body, bool computes) override;
  void load(Replica& replica) override;
  void forwardBackward(Replica& replica, float scale) override;
  void forwardBackwardTogether(const std::function<float(const Replica&)>& scaleOf,
                               const SumsSchedule& scheduleOf) override;
  void forwardBackwardGathering(const std::function<float(const Replica&)>& scaleOf, const SumsSchedule& scheduleOf,
                                const std::function<void()>& gather) override;
  void passTogether(std::span<Replica* const> replicas, const std::function<float(const Replica&)>& scaleOf,
                    const AddUp& addUp) override;
  void passGathering(std::span<Replica* const> replicas, const std::function<float(const Replica&)>& scaleOf,
                     const AddUp& addUp, const std::function<void()>& gather) override;
  void restore(Replica& replica, float scale) override;
  void update(Replica& replica, double learningRate, std::int64_t iteration) override;
  void onVariables(Replica& replica, const OnVariables& body) override;
  void evaluate(Replica& replica, const Examples& examples, std::span<const std::int64_t> indices, const float* weights,
                float* losses, std::uint8_t* right) override;
  void broadcast(const Schedule& schedule) override;
  void allReduce(const ReductionPlan& plan, ReduceTarget what, ReduceOp then) override;
  bool reduceAndUpdate(const ReductionPlan& plan, double learningRate, std::int64_t iteration) override;
  void shard(const ReductionPlan& plan) override;
  void gather(const ReductionPlan& plan) override;
  const float* wholeWeights(Replica& replica) override;
  void fetch(Replica& replica) override;
  void send(Replica& replica) override;
  void pullFrom(ParameterDevice& device, const Schedule& schedule) override;
  void reduceTo(ParameterDevice& device, const Schedule& schedule) override;
  void compareMirrors() override {
    if (!settings_.sharesCopies) mirrorsIdentical_ = oneCopy_ != nullptr || mirrorsIdentical();
  }
  bool mirrorsIdentical() override;
  bool setOneCopy(Variables* variables) override;
  std::int64_t activationBytes(std::int64_t examples) const override;
  bool normalisesOnHost() const override { return true; }

 private:
  bool isSharded() const { return settings_.sharding != Sharding::None; }
  void withWhole(const std::function<void()>& body);
  std::vector<Replica*> all() const;
  std::vector<Variables*> variablesOfAll() const;
  AddUp addUpBy(const SumsSchedule& scheduleOf);
  void compute(Replica& replica, float scale, bool again);
  void applyUpdate(const Piece& piece, std::int64_t begin, std::int64_t count, double learningRate,
                   std::int64_t iteration);
  void computeHalf(Replica& replica, float scale, bool back);
  void overThreads(int count, const std::function<void(int)>& body);
  PassOf passOf(Replica& replica, float scale) const;
  void gather(Replica& replica, const Examples& examples, std::span<const std::int64_t> indices);
  void takeShard(Replica& replica);
  void reserve(Replica& replica, std::int64_t examples);
  void run(const Schedule& schedule, std::int64_t base, AlignedBuffer<float> Variables::*buffer,
           ParameterDevice* device, Label label, int pack);
  const Schedule& neededOf(const Schedule& schedule);
  const float* weightsFor(const Replica& replica) const {
    return oneCopy_ != nullptr ? oneCopy_->weights.data() : replica.variables.weights.data();
  }

  const ReplicaSettings& settings_;
  ThreadPool& pool_;
  Topology& topology_;
  StepLedger& ledger_;
  Collective collective_;
  std::int64_t communicationNs_ = 0;  // measured: this step's time inside the collectives
  std::optional<bool> mirrorsIdentical_;
  Variables* oneCopy_ = nullptr;
  const std::function<void()>* atTurn_ = nullptr;  // what passes that run together do between forward and backward
  std::map<const Schedule*, Schedule> needed_;     // by a plan's schedules, whose addresses stay valid
};

}  // namespace lab
