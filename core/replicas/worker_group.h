// SPDX-License-Identifier: GPL-3.0-or-later
// The replicas of a cluster in several processes, one host of the topology each. This process computes its own
// replicas, and the verbs skip the others. Replicas exchange values by messages, in the schedule's order, so a run has
// the same bits as in one process. The first process has all that is recorded and reported.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/process/peers.h"
#include "core/replicas/process_spans.h"
#include "core/replicas/replica_group.h"
#include "core/replicas/step_ledger.h"
#include "core/replicas/topology.h"
#include "core/replicas/wire_collective.h"

namespace lab {

class WorkerGroup : public ReplicaGroup {
 public:
  // The references outlive this object.
  WorkerGroup(const ReplicaSettings& settings, ThreadPool& pool, Topology& topology, StepLedger& ledger,
              std::shared_ptr<process::Peers> peers);

  void agree(Watch& watch, bool& recorded) override;
  void beginStep(std::int64_t step, Watch watch) override;
  StepOutcome endStep() override;
  void look(const std::function<void()>& body) override;
  void forEach(const std::function<void(Replica&)>& body, bool computes) override;
  void load(Replica& replica) override;
  void forwardBackward(Replica& replica, float scale) override;
  void forwardBackwardTogether(const std::function<float(const Replica&)>& scaleOf,
                               const SumsSchedule& scheduleOf) override;
  void forwardBackwardGathering(const std::function<float(const Replica&)>& scaleOf, const SumsSchedule& scheduleOf,
                                const std::function<void()>& gather) override;
  void restore(Replica& replica, float scale) override;
  void update(Replica& replica, double learningRate, std::int64_t iteration) override;
  void onVariables(Replica& replica, const OnVariables& body) override;
  void evaluate(Replica& replica, const Examples& examples, std::span<const std::int64_t> indices, const float* weights,
                float* losses, std::uint8_t* right) override;
  void broadcast(const Schedule& schedule) override;
  void allReduce(const ReductionPlan& plan, ReduceTarget what, ReduceOp then) override;
  void shard(const ReductionPlan& plan) override;
  void gather(const ReductionPlan& plan) override;
  const float* wholeWeights(Replica& replica) override;
  void fetch(Replica& replica) override;
  void send(Replica& replica) override;
  void pullFrom(ParameterDevice& device, const Schedule& schedule) override;
  void reduceTo(ParameterDevice& device, const Schedule& schedule) override;
  void compareMirrors() override { compares_ = true; }
  bool mirrorsIdentical() override;
  void evaluateWith(std::vector<float> statistics) override { local_->evaluateWith(std::move(statistics)); }
  bool isHere(int replica) const override { return topology_.hostOf(replica) == peers_->rank(); }
  void gatherToFirst(std::span<std::vector<std::byte>> ofReplicas) override;
  void shareFromFirst(std::span<float> values) override;
  std::int64_t activationBytes(std::int64_t examples) const override { return local_->activationBytes(examples); }
  bool normalisesOnHost() const override { return local_->normalisesOnHost(); }

 protected:
  // For subclasses that do not compute the local replicas on this processor.
  void setLocal(std::unique_ptr<ReplicaGroup> local) { local_ = std::move(local); }
  std::vector<int> replicasHere() const;
  process::Peers& peers() { return *peers_; }
  StepLedger& ledger() { return ledger_; }
  bool compares() const { return compares_; }
  void setCommunication(std::int64_t ns) { communicationNs_ = ns; }  // replaces this step's communication time so far
  // A local replica's results of the step, and the digest of its copy of the weights.
  virtual StepValues ownValues(const Replica& replica) const;
  virtual std::uint64_t ownDigest(const Replica& replica) const;

 private:
  struct Report;

  std::vector<Report> reports(bool withDigests);
  std::vector<Replica*> allHere() const;
  AddUp addUpBy(const SumsSchedule& scheduleOf);
  void run(const Schedule& schedule, std::int64_t base, AlignedBuffer<float> Variables::*buffer, Label label, int pack,
           bool onClocks = true);
  void gatherWeights(const ReductionPlan& plan, bool onClocks);
  void runMpi(const Pack& pack, AlignedBuffer<float> Variables::*buffer, int index);

  const ReplicaSettings& settings_;
  ThreadPool& pool_;
  Topology& topology_;
  StepLedger& ledger_;
  std::shared_ptr<process::Peers> peers_;
  std::unique_ptr<ReplicaGroup> local_;  // computes this process's replicas; has none itself
  WireCollective collective_;
  ProcessSpans spans_;
  Watch watch_ = Watch::None;
  bool compares_ = false;
  const ReductionPlan* inParts_ = nullptr;  // the plan by whose chunks the variables lie in parts
  bool hasWhole_ = false;                   // wholeWeights() has gathered them
  std::int64_t communicationNs_ = 0;        // of this step: time inside the collectives
};

}  // namespace lab
