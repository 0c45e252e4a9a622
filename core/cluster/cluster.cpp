// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/cluster.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>

#include "core/base/ceil_divide.h"
#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/cluster/gpu/gpu_replicas.h"
#include "core/cluster/gpu/gpu_worker_group.h"
#include "core/cluster/gradient_norms.h"
#include "core/cluster/processor_group.h"
#include "core/cluster/worker_group.h"
#include "core/device/cuda/gpu_module.h"

namespace lab {
namespace {

// What a replica never shares: moving statistics, and the places that dropout counts from. A batch that is distributed
// has places of its own; asynchronous workers would otherwise leave the same units out.
void initLocalState(Replica& replica, const ClusterSettings& settings) {
  replica.variables.statistics = AlignedBuffer<float>(settings.network->statistics().size());
  settings.network->initializeStatistics(replica.variables.statistics.span());
  if (settings.topology.separateHosts) replica.globalOffset = replica.index() * settings.globalBatch;
}

}  // namespace

Cluster::Cluster(const ClusterSettings& settings, std::shared_ptr<const Dataset> dataset, Telemetry& telemetry)
    : settings_(settings),
      dataset_(std::move(dataset)),
      telemetry_(telemetry),
      pool_(settings.threads),
      backend_(makeCpuBackend(pool_)),
      topology_(settings.topology, *settings.network),
      ledger_(telemetry, settings.topology.measured, settings.topology.separateHosts),
      replicaSettings_{backend_.get(),     &dataset_->train,   settings.network.get(),
                       settings.precision, settings.optimizer, settings.seed},
      cycles_(static_cast<std::size_t>(settings.topology.replicas)) {
  LAB_CHECK(settings_.network->inputSize() == dataset_->train.imageSize());
  if (clock() == TimeSource::Modelled)
    modelled_ = std::make_unique<ModelledClock>(settings_.timing, *settings_.network, topology_);
  // The calling thread takes part in the arithmetic, so it follows the same rule for denormals as the pool's.
  flushDenormals();
  makeGroup();
  const auto clockOf = [&](int endpoint) {
    return DeviceClock(clock(), topology_.deviceLane(endpoint), ledger_.originNs());
  };
  for (int r = 0; r < replicas(); ++r) {
    telemetry_.preparing({Preparation::Part::Replicas, r, replicas()});
    group_->add(clockOf(r), settings_.slowdown.empty() ? 1.0 : settings_.slowdown[static_cast<std::size_t>(r)]);
    ledger_.addLane(replica(r).clock);
    initLocalState(replica(r), settings_);
  }
  for (int i = 0; i < settings_.topology.parameterDevices; ++i) {
    parameterDevices_.push_back(
        std::make_unique<ParameterDevice>(clockOf(topology_.parameterDevice(i)), *backend_, settings_.optimizer));
    ledger_.addLane(parameterDevice(i).clock);
  }
  if (!settings_.topology.separateHosts)
    for (int h = 0; h < settings_.topology.hosts; ++h) hostClocks_.push_back(clockOf(topology_.hostProcessor(h)));
  for (DeviceClock& host : hostClocks_) ledger_.addLane(host);

  std::vector<int> others(static_cast<std::size_t>(replicas()) - 1);
  std::iota(others.begin(), others.end(), 1);
  initialBroadcast_ = settings_.topology.machineOfHost.empty()
                          ? broadcastFrom(0, others, layout().size())
                          : WorkerGroup::broadcastSchedule(replicas(), layout().size());
  if (parameterDevices_.size() == 1 && !settings_.topology.separateHosts) {
    std::vector<int> all(static_cast<std::size_t>(replicas()));
    std::iota(all.begin(), all.end(), 0);
    pullSchedule_ = broadcastFrom(topology_.parameterDevice(0), all, layout().size());
    pushSchedule_ = lab::reduceTo(all, topology_.parameterDevice(0), layout().size());
  }
}

// Where the replicas compute: in other processes too, on this processor, on GPUs.
void Cluster::makeGroup() {
  const bool amongProcesses = !settings_.topology.machineOfHost.empty();
  if (settings_.topology.gpuOfReplica.empty()) {
    if (amongProcesses)
      group_ = std::make_unique<WorkerGroup>(replicaSettings_, pool_, topology_, ledger_, process::peers());
    else
      group_ = std::make_unique<ProcessorGroup>(replicaSettings_, pool_, topology_, ledger_);
    return;
  }
  const std::int64_t sharers = asynchronous() ? 1 : replicas();
  telemetry_.preparing({Preparation::Part::Gpus});
  const auto uploaded = [this](std::int64_t done, std::int64_t total) {
    telemetry_.preparing({Preparation::Part::Upload, done, total});
  };
  const std::int64_t examples = std::min(ceilDivide(settings_.globalBatch, sharers),
                                         asynchronous() ? dataset_->train.count : settings_.globalBatch);
  if (amongProcesses)
    group_ = std::make_unique<GpuWorkerGroup>(openGpus(), replicaSettings_, *dataset_, pool_, topology_, ledger_,
                                              process::peers(), examples, uploaded);
  else
    group_ = std::make_unique<GpuReplicas>(openGpus(), replicaSettings_, *dataset_, topology_, ledger_, pool_, examples,
                                           settings_.ncclForOne, uploaded);
}

Cluster::~Cluster() = default;

// ---- around a step

void Cluster::divideLearningRate(std::int64_t by) {
  learningRate_ = stepLearningRate_ / static_cast<double>(by);
}

void Cluster::beginStep(std::int64_t step, double learningRate) {
  learningRate_ = stepLearningRate_ = learningRate;
  // Copies of the variables are changed between two steps, so that a record has them as the step finds them.
  if (step > 0 && parameterDevices_.empty())
    for (int r = 0; r < replicas(); ++r) replica(r).editWeights(step);
  aborting_ = false;
  waitsFor_ = 0;
  leftOut_.clear();
  for (int r = 0; r < replicas(); ++r) replica(r).leftOut = false;
  using Watch = ReplicaGroup::Watch;
  bool recorded = ledger_.begin(step);
  Watch watch = telemetry_.spansWanted() || step == 0 ? Watch::Spans : recorded ? Watch::Record : Watch::None;
  group_->agree(watch, recorded);
  if (recorded) (void)group_->setOneCopy(nullptr);
  if (recorded) group_->look([this] { ledger_.setRecording(std::make_unique<StepRecording>(*this)); });
  group_->beginStep(step, watch);
  ledger_.setBegan(replica(0).clock.nowNs());
  actOnFault();
}

void Cluster::distribute(const DistributedBatch& batch) {
  LAB_CHECK(std::ssize(batch.shards) == replicas());
  batches_.clear();
  std::int64_t place = 0;
  for (const auto& shard : batch.shards) {
    replica(static_cast<int>(batches_.size())).globalOffset = place;
    batches_.push_back(std::ssize(shard));
    place += std::ssize(shard);
  }
  group_->forEach(
      [&](Replica& replica) {
        replica.load(batch.shards[static_cast<std::size_t>(replica.index())]);
        replica.version = step() - 1;
      },
      false);
}

float Cluster::lossScale(std::int64_t examples) const {
  if (examples == 0) return 0;
  const double denominator =
      settings_.lossReduction == LossReduction::Fit
          ? static_cast<double>(examples) * static_cast<double>(settings_.replicasInSync - std::ssize(leftOut_))
          : static_cast<double>(settings_.globalBatch - examplesLeftOut());
  return static_cast<float>(1.0 / denominator);
}

std::int64_t Cluster::examplesLeftOut() const {
  std::int64_t sum = 0;
  for (const int late : leftOut_) sum += batches_[static_cast<std::size_t>(late)];
  return sum;
}

FinishedStep Cluster::endStep() {
  if (asynchronous() && step() > 0) return endWorkerStep();
  StepOutcome outcome = group_->endStep();
  std::int64_t endNs = 0;
  if (modelled_) {
    StepValues values = outcome.get();
    values.times = endModelledStep();
    outcome = StepOutcome(values);
    endNs = ledger_.beganNs() + values.times.stepNs;
  } else {
    // Whoever wants the record waits.
    if (ledger_.recording() || step() == 0) (void)outcome.get();
    endNs = ledger_.endedNs();
  }
  ledger_.publish();
  FinishedStep finishedStep = finished(std::move(outcome), {}, ledger_.beganNs(), endNs);
  ledger_.forget();
  return finishedStep;
}

FinishedStep Cluster::finished(StepOutcome outcome, std::optional<int> worker, std::int64_t beginNs,
                               std::int64_t endNs) {
  if (ledger_.recording())
    group_->look([&] {
      std::vector<Span> underWay;
      if (worker && modelled_)
        for (const ServerMessage& message : servers_.underWay(endNs)) underWay.push_back(spanOf(message));
      ledger_.finishRecord(worker, beginNs, endNs, underWay);
    });
  FinishedStep step = ledger_.finish(std::move(outcome));
  if (step.record) step.record->dead = dead_;
  step.leftOut = leftOut_;
  return step;
}

// ---- the six verbs

void Cluster::forEachReplica(const std::function<void(Replica&)>& body) {
  std::atomic<std::int64_t> done{0};
  group_->forEach(
      [&](Replica& replica) {
        body(replica);
        // Before the first step their memory is made, which takes long where they are many.
        if (step() == 0) telemetry_.preparing({Preparation::Part::Weights, ++done, replicas()});
      },
      true);
}

void Cluster::computeGradients() {
  const auto scaleOf = [this](const Replica& replica) { return lossScale(std::ssize(replica.shard())); };
  if (replicas() > 1 && settings_.network->exchangesStatistics())
    return group_->forwardBackwardTogether(
        scaleOf, [this](std::int64_t elements) -> const Schedule& { return sumsSchedule(elements); });
  forEachReplica([&](Replica& replica) { replica.forwardBackward(scaleOf(replica)); });
}

const Schedule& Cluster::sumsSchedule(std::int64_t elements) {
  const auto [found, isNew] = sumsSchedules_.try_emplace(elements);
  const bool central = !parameterDevices_.empty();
  if (isNew)
    found->second = makeSumsSchedule(settings_.sums, replicas(), settings_.topology.hosts,
                                     central ? topology_.parameterDevice(0) : -1, elements);
  ledger_.addBytesSent(found->second.bytesSent());
  return found->second;
}

void Cluster::allReduce(const ReductionPlan& plan, ReduceTarget what, ReduceOp then) {
  plan_ = &plan;
  reduced_ = what;
  LAB_CHECK(leftOut_.empty() || (what == ReduceTarget::Gradients && then == ReduceOp::Sum));
  for (const int late : leftOut_) std::ranges::fill(replica(late).variables.gradients.span(), 0.0F);
  const std::vector<LocalGradient> local = beforeReducing(what);
  if (aborting_) throw TaskLost{};
  group_->allReduce(plan, what, then);
  // NCCL chooses its algorithm itself and does not report it: counted as the ring, which sends the least.
  for (const PackedSchedule& packed : plan.packs) ledger_.addBytesSent(packed.schedule.bytesSent());
  if (!local.empty()) group_->look([&] { noteNoise(local, replica(0).variables.gradients.data()); });
}

// Before anything is added, for whoever wants to see them.
std::vector<LocalGradient> Cluster::beforeReducing(ReduceTarget what) {
  std::vector<LocalGradient> local;
  const bool measures = settings_.noiseScale && what == ReduceTarget::Gradients;
  if (!ledger_.recording() && !measures) return local;
  group_->look([&] {
    if (ledger_.recording()) ledger_.recording()->keepOwn(what);
    if (measures) local = localGradients();
  });
  return local;
}

// Of each replica's own mean gradient. Empty where the sum to come is not the mean over all examples: with Keras's
// scaling that needs equal shares.
std::vector<LocalGradient> Cluster::localGradients() {
  std::vector<LocalGradient> local;
  std::vector<const float*> gradients;
  for (int r = 0; r < replicas(); ++r) {
    if (replica(r).leftOut) continue;
    const auto examples = static_cast<double>(replica(r).shard().size());
    if (settings_.lossReduction == LossReduction::Fit && replica(r).shard().size() != replica(0).shard().size())
      return {};
    local.push_back({examples, 0});
    gradients.push_back(replica(r).variables.gradients.data());
  }
  const std::vector<double> norms = squaredNorms(gradients, layout().size(), pool_);
  for (std::size_t r = 0; r < local.size(); ++r) {
    // The buffers hold the sum over examples times the loss scale.
    const double scale = lossScale(static_cast<std::int64_t>(local[r].examples)) * local[r].examples;
    local[r].squaredNorm = scale > 0 ? norms[r] / (scale * scale) : 0;
  }
  return local;
}

void Cluster::noteNoise(std::span<const LocalGradient> local, const float* sum) {
  double scale = 0;
  for (const LocalGradient& each : local) scale += lossScale(static_cast<std::int64_t>(each.examples)) * each.examples;
  if (scale <= 0) return;
  const std::vector<double> norms = squaredNorms(std::span(&sum, 1), layout().size(), pool_);
  ledger_.setNoise(noiseSample(local, norms.front() / (scale * scale)));
}

void Cluster::broadcast(From from) {
  if (from == From::Replica0) {
    if (modelled_) startupBroadcast();
    group_->broadcast(initialBroadcast_);
    ledger_.addBytesSent(initialBroadcast_.bytesSent());
  } else {
    group_->pullFrom(parameterDevice(0), pullSchedule_);
    ledger_.addBytesSent(pullSchedule_.bytesSent());
  }
}

void Cluster::reduceTo(ParameterDevice& device) {
  const std::vector<LocalGradient> local = beforeReducing(ReduceTarget::Gradients);
  group_->reduceTo(device, pushSchedule_);
  ledger_.addBytesSent(pushSchedule_.bytesSent());
  if (!local.empty()) ledger_.unmeasured([&] { noteNoise(local, device.variables.gradients.data()); });
}

Variables& Cluster::variablesOf(int index) {
  if (index > 0) (void)group_->setOneCopy(nullptr);
  group_->fetch(replica(index));
  return replica(index).variables;
}

void Cluster::variablesHaveChanged() {
  for (int r = 0; r < replicas(); ++r) group_->send(replica(r));
}

void Cluster::addEdit(const RunEdit& edit, int id, bool past) {
  LAB_CHECK(settings_.topology.gpuOfReplica.empty() && edit.replica < replicas() && edit.index < layout().size());
  replica(edit.replica).edits.push_back({edit, id, past});
}

void Cluster::useOneCopy() {
  if (!modelled_ || asynchronous() || replicas() == 1 || parameterDevices_.size() > 1) return;
  for (int r = 0; r < replicas(); ++r)
    if (!replica(r).edits.empty()) return;
  (void)group_->setOneCopy(parameterDevices_.empty() ? &replica(0).variables : &parameterDevice(0).variables);
}

// ---- checks and state

void Cluster::compareMirrors() {
  if (replicas() > 1) group_->compareMirrors();
}

std::optional<bool> Cluster::mirrorsIdentical() {
  if (replicas() == 1) return std::nullopt;
  (void)group_->setOneCopy(nullptr);
  return group_->mirrorsIdentical();
}

void Cluster::startup(Label label) {
  DeviceClock& clock0 = replica(0).clock;
  clock0.begin();
  clock0.end(SpanKind::Startup, labelOf(label), 0);
}

// All lanes of links are there before the first step.
void Cluster::declare(const Schedule& schedule) {
  for (const Transfer& transfer : schedule.transfers) topology_.linkLane(transfer.from, transfer.to);
}

void Cluster::declareLinks(const ReductionPlan& plan) {
  group_->prepare(plan);
  for (const PackedSchedule& packed : plan.packs) declare(packed.schedule);
}

void Cluster::declareBroadcast(From from) {
  declare(from == From::Replica0 ? initialBroadcast_ : pullSchedule_);
  if (from == From::ParameterDevice) declare(pushSchedule_);
}

}  // namespace lab
