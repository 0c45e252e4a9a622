// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/cluster.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/cluster/cluster_recording.h"
#include "core/cluster/gradient_noise.h"

namespace lab {

Cluster::Cluster(const ClusterSettings& settings, std::shared_ptr<const Dataset> dataset, Telemetry& telemetry)
    : parts_(settings, std::move(dataset), telemetry) {
  std::vector<int> others(static_cast<std::size_t>(replicas()) - 1);
  std::iota(others.begin(), others.end(), 1);
  initialBroadcast_ = settings.topology.machineOfHost.empty() ? broadcastFrom(0, others, layout().size())
                                                              : treeBroadcast(replicas(), layout().size());
  if (parameterDevices() == 1 && !parts_.asynchronous()) {
    std::vector<int> all(static_cast<std::size_t>(replicas()));
    std::iota(all.begin(), all.end(), 0);
    pullSchedule_ = broadcastFrom(topology().parameterDevice(0), all, layout().size());
    pushSchedule_ = lab::reduceTo(all, topology().parameterDevice(0), layout().size());
  }
}

// ---- around a step

void Cluster::beginStep(std::int64_t step, double learningRate) {
  parts_.present.learningRate = stepLearningRate_ = learningRate;
  // Edits change the copies of the variables between two steps, so that a record shows the weights that the step starts
  // with.
  if (step > 0 && parameterDevices() == 0)
    for (int r = 0; r < replicas(); ++r) replica(r).editWeights(step);
  parts_.present.exchange = {parameterDevices() > 0 ? Exchange::What::Gradients : Exchange::What::Nothing};
  parts_.present.waitsFor = 0;
  parts_.present.leftOut.clear();
  for (int r = 0; r < replicas(); ++r) replica(r).leftOut = false;
  using Watch = ReplicaGroup::Watch;
  bool recorded = parts_.ledger.begin(step);
  Watch watch = parts_.telemetry.spansWanted() || step == 0 ? Watch::Spans : recorded ? Watch::Record : Watch::None;
  group().agree(watch, recorded);
  if (recorded) (void)group().setOneCopy(nullptr);
  if (recorded) group().look([this] { parts_.ledger.setRecording(std::make_unique<ClusterRecording>(*this)); });
  group().beginStep(step, watch);
  parts_.ledger.setBegan(replica(0).clock.nowNs());
  parts_.ledger.beginMemory();
  parts_.present.memory.clear();
  const RunFault* fault = dead_.beginStep();
  if (dead_.isAborting()) statistics_.save(beforeAbort_);
  if (fault == nullptr || dead_.isAborting()) return;
  if (fault->what == RunFault::What::Revive)
    workers_.revive(fault->index);
  else
    workers_.lose(fault->index);
}

void Cluster::distribute(const DistributedBatch& batch) {
  LAB_CHECK(std::ssize(batch.shards) == replicas());
  std::vector<std::int64_t>& sizes = parts_.present.batches;
  sizes.clear();
  for (const auto& shard : batch.shards) sizes.push_back(std::ssize(shard));
  const auto places = placesInBatch(sizes, settings().splitRule, settings().topology.hosts);
  for (int r = 0; r < replicas(); ++r) replica(r).globalOffset = at(places, r);
  group().forEach(
      [&](Replica& replica) {
        replica.load(at(batch.shards, replica.index()));
        replica.version = step() - 1;
      },
      false);
}

float Cluster::lossScale(std::int64_t examples, GradientOf of) const {
  if (examples == 0) return 0;
  const PresentStep& present = parts_.present;
  if (of == GradientOf::OneReplica) {
    // Fit: Keras's mean over the replica's own examples. The custom loop divides by the global batch, so a short batch
    // makes a smaller step.
    const auto delivered = static_cast<double>(std::accumulate(present.batches.begin(), present.batches.end(), 0LL));
    const double full =
        settings().lossReduction == LossReduction::Fit ? 1 : delivered / static_cast<double>(settings().globalBatch);
    return static_cast<float>(full / static_cast<double>(examples));
  }
  std::int64_t examplesLeftOut = 0;
  for (const int late : present.leftOut) examplesLeftOut += at(present.batches, late);
  const double denominator =
      settings().lossReduction == LossReduction::Fit
          ? static_cast<double>(examples) * static_cast<double>(settings().replicasInSync - std::ssize(present.leftOut))
          : static_cast<double>(settings().globalBatch - examplesLeftOut);
  return static_cast<float>(1.0 / denominator);
}

FinishedStep Cluster::endStep() {
  StepOutcome outcome = group().endStep();
  if (parts_.asynchronous() && step() > 0) return closeBooks(workers_.endStep());
  StepLedger& ledger = parts_.ledger;
  if (parts_.modelled) {
    StepValues values = outcome.get();
    values.times = modelledStep_.end();
    return closeBooks({StepOutcome(values), {}, ledger.beganNs(), ledger.beganNs() + values.times.stepNs});
  }
  // A step with a record must wait for its results.
  if (ledger.recording() || step() == 0) (void)outcome.get();
  return closeBooks({std::move(outcome), {}, ledger.beganNs(), ledger.endedNs()});
}

FinishedStep Cluster::endAbortedStep() {
  LAB_CHECK(dead_.isAborting());
  (void)group().endStep();
  // The step's update never was, and so neither was what its forward pass moved.
  statistics_.load(beforeAbort_);
  FinishedStep step = closeBooks(parts_.asynchronous() ? workers_.abort() : modelledStep_.abort());
  parts_.present.plan = nullptr;
  return step;
}

FinishedStep Cluster::closeBooks(StepEnd end) {
  StepLedger& ledger = parts_.ledger;
  ledger.publish();
  if (step() > 0 && parts_.telemetry.memoryWanted()) parts_.telemetry.memory(memory().overStep());
  if (ledger.recording())
    group().look([&] {
      const std::vector<Span> underWay = end.worker ? workers_.underWay(end.endNs) : std::vector<Span>();
      ledger.finishRecord(end.worker, end.beginNs, end.endNs, underWay);
    });
  FinishedStep step = ledger.finish(std::move(end.outcome));
  if (step.record) step.record->dead = dead_.all();
  step.leftOut = parts_.present.leftOut;
  if (end.worker && parts_.modelled)
    ledger.forgetUntil(end.endNs);
  else
    ledger.forget();
  return step;
}

// All processes are new; the variables have been loaded before. The time that starting takes is not modelled.
void Cluster::restart(std::int64_t atNs) {
  LAB_CHECK(parts_.modelled != nullptr);
  dead_.clear();
  for (int r = 0; r < replicas(); ++r) replica(r).clock.setModelled(atNs);
  for (const auto& device : parts_.parameterDevices) device->clock.setModelled(atNs);
  for (DeviceClock& host : parts_.hostClocks) host.setModelled(atNs);
  parts_.ledger.setBegan(atNs);
  if (parts_.asynchronous()) workers_.restart(atNs);
}

// ---- the verbs

void Cluster::forEachReplica(const std::function<void(Replica&)>& body) {
  std::atomic<std::int64_t> done{0};
  group().forEach(
      [&](Replica& replica) {
        body(replica);
        // Before the first step the replicas' memory is allocated, which takes long if there are many.
        if (step() == 0) parts_.telemetry.preparing({Preparation::Part::Weights, ++done, replicas()});
      },
      true);
}

void Cluster::computeGradients(GradientOf of) {
  const auto scaleOf = [this, of](const Replica& replica) { return lossScale(std::ssize(replica.shard()), of); };
  if (replicas() > 1 && settings().network->exchangesStatistics())
    return group().forwardBackwardTogether(
        scaleOf, [this](std::int64_t elements) -> const Schedule& { return sumsSchedule(elements); });
  forEachReplica([&](Replica& replica) { replica.forwardBackward(scaleOf(replica)); });
}

void Cluster::computeGathering(const ReductionPlan& plan) {
  group().forwardBackwardGathering([this](const Replica& replica) { return lossScale(std::ssize(replica.shard())); },
                                   [this](std::int64_t elements) -> const Schedule& { return sumsSchedule(elements); },
                                   [&] { gatherWeights(plan); });
}

void Cluster::gatherWeights(const ReductionPlan& plan) {
  group().gather(plan);
  for (const PackedSchedule& packed : plan.packs) parts_.ledger.addBytesSent(packed.gather.bytesSent());
}

const Schedule& Cluster::sumsSchedule(std::int64_t elements) {
  const auto [found, isNew] = sumsSchedules_.try_emplace(elements);
  const bool central = parameterDevices() > 0;
  if (isNew)
    found->second = makeSumsSchedule(settings().sums, replicas(), settings().topology.hosts,
                                     central ? topology().parameterDevice(0) : -1, elements);
  parts_.ledger.addBytesSent(found->second.bytesSent());
  return found->second;
}

void Cluster::allReduce(const ReductionPlan& plan, ReduceTarget what, ReduceOp then) {
  LAB_CHECK(parts_.present.leftOut.empty() || (what == ReduceTarget::Gradients && then == ReduceOp::Sum));
  beginReducing(plan, what);
  const std::vector<LocalGradient> local = beforeReducing(what);
  dead_.stopIfAborting();
  group().allReduce(plan, what, then);
  countSent(plan);
  if (!local.empty())
    group().look([&] { parts_.ledger.setNoise(noiseOf(*this, local, replica(0).variables.gradients.data())); });
}

void Cluster::reduceAndUpdate(const ReductionPlan& plan) {
  // A record and the noise need the gradients between the verbs.
  if (!parts_.ledger.recording() && !settings().noiseScale) {
    beginReducing(plan, ReduceTarget::Gradients);
    dead_.stopIfAborting();
    if (group().reduceAndUpdate(plan, learningRate(), step())) return countSent(plan);
  }
  allReduce(plan);
  forEachReplica([&](Replica& replica) { replica.update(learningRate(), step()); });
  compareMirrors();
}

void Cluster::beginReducing(const ReductionPlan& plan, ReduceTarget what) {
  parts_.present.plan = &plan;
  parts_.present.exchange = plan.exchange(what);
  for (const int late : parts_.present.leftOut) std::ranges::fill(replica(late).variables.gradients.span(), 0.0F);
}

// NCCL chooses its algorithm itself and does not report it; its bytes are counted as for the ring, which sends the
// least.
void Cluster::countSent(const ReductionPlan& plan) {
  for (const PackedSchedule& packed : plan.packs) parts_.ledger.addBytesSent(packed.schedule.bytesSent());
}

// With equal weighting this is the plain mean, to the bit; so is the mean of replicas that all had no examples.
void Cluster::averageWeights(const ReductionPlan& plan, std::span<const std::int64_t> examples) {
  forEachReplica([&, sums = plan.replicasInSums()](Replica& replica) {
    const std::vector<int>& averaged = at(sums, replica.index());
    const auto examplesOf = [&](int of) { return static_cast<double>(at(examples, of)); };
    double all = 0;
    for (const int each : averaged) all += examplesOf(each);
    const auto less = static_cast<float>(1 - examplesOf(replica.index()) * static_cast<double>(averaged.size()) / all);
    if (all == 0 || less == 0) return;
    group().onVariables(replica, [&](Backend& backend, float* weights, std::span<float* const>) {
      // w - less·w: scales it by its weight in the mean
      backend.sgd(layout().size(), less, 0, weights, nullptr, weights);
    });
  });
  allReduce(plan, ReduceTarget::Weights, ReduceOp::Mean);
}

// Called before anything is added: keeps the replicas' own gradients for the record and the noise measurement.
std::vector<LocalGradient> Cluster::beforeReducing(ReduceTarget what) {
  std::vector<LocalGradient> local;
  const bool measures = settings().noiseScale && what == ReduceTarget::Gradients;
  if (!parts_.ledger.recording() && !measures) return local;
  group().look([&] {
    if (parts_.ledger.recording()) parts_.ledger.recording()->keepOwn(what);
    if (measures) local = localGradients(*this);
  });
  return local;
}

void Cluster::broadcast(From from) {
  if (from == From::Replica0) {
    if (parts_.modelled) modelledStep_.startupBroadcast(initialBroadcast_);
    group().broadcast(initialBroadcast_);
    parts_.ledger.addBytesSent(initialBroadcast_.bytesSent());
  } else {
    group().pullFrom(parameterDevice(0), pullSchedule_);
    parts_.ledger.addBytesSent(pullSchedule_.bytesSent());
  }
}

void Cluster::reduceTo(ParameterDevice& device) {
  const std::vector<LocalGradient> local = beforeReducing(ReduceTarget::Gradients);
  group().reduceTo(device, pushSchedule_);
  parts_.ledger.addBytesSent(pushSchedule_.bytesSent());
  if (!local.empty())
    parts_.ledger.unmeasured([&] { parts_.ledger.setNoise(noiseOf(*this, local, device.variables.gradients.data())); });
}

// ---- checks and what comes before the first step

void Cluster::compareMirrors() {
  if (replicas() > 1 && settings().sharding != Sharding::Weights) group().compareMirrors();
}

void Cluster::startup(Label label) {
  DeviceClock& clock0 = replica(0).clock;
  clock0.begin();
  clock0.end(SpanKind::Startup, labelOf(label), 0);
}

// Makes the tracks of all links before the first step.
void Cluster::declare(const Schedule& schedule) {
  for (const Transfer& transfer : schedule.transfers) parts_.topology.linkTrack(transfer.from, transfer.to);
}

void Cluster::declareLinks(const ReductionPlan& plan) {
  group().prepare(plan);
  for (const PackedSchedule& packed : plan.packs) declare(packed.schedule);
}

void Cluster::declareBroadcast(From from) {
  declare(from == From::Replica0 ? initialBroadcast_ : pullSchedule_);
  if (from == From::ParameterDevice) declare(pushSchedule_);
}

}  // namespace lab
