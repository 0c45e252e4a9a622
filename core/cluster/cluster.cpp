// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/cluster.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>

#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/cluster/gradient_norms.h"
#include "core/comm/execute.h"
#include "core/device/cuda/gpu_module.h"

namespace lab {
namespace {

// Whether every replica gets a thread of its own and the operations inside run on it, or one replica after the other
// has all threads. Decided by sizes alone; both give the same bits.
bool replicasInParallel(int replicas, int threads) {
  return replicas >= threads && (replicas % threads == 0 || replicas >= 4 * threads);
}

}  // namespace

Cluster::Cluster(const ClusterSettings& settings, std::shared_ptr<const Dataset> dataset, Telemetry& telemetry)
    : settings_(settings),
      dataset_(std::move(dataset)),
      telemetry_(telemetry),
      pool_(settings.threads),
      backend_(makeCpuBackend(pool_)),
      originNs_(steadyNs()),
      topology_(settings.topology),
      replicaSettings_{backend_.get(),     &dataset_->train, settings.precision,
                       settings.optimizer, nullptr,          settings.topology.separateHosts},
      collective_(topology_, *backend_, pool_, originNs_) {
  if (clock() == Clock::Modelled) modelled_ = std::make_unique<ModelledClock>(settings_.timing, topology_);
  // The calling thread takes part in the arithmetic, so it follows the same rule for denormals as the pool's.
  flushDenormals();
  for (int r = 0; r < replicas(); ++r) {
    telemetry_.preparing({Preparation::Part::Replicas, r, replicas()});
    const double slowdown = settings_.slowdown.empty() ? 1.0 : settings_.slowdown[static_cast<std::size_t>(r)];
    replicas_.push_back(std::make_unique<Replica>(r, replicaSettings_,
                                                  DeviceClock(clock(), topology_.deviceLane(r), originNs_), slowdown));
  }
  cycles_.resize(replicas_.size());
  for (int i = 0; i < settings_.topology.parameterDevices; ++i)
    parameterDevices_.push_back(std::make_unique<ParameterDevice>(
        DeviceClock(clock(), topology_.deviceLane(topology_.parameterDevice(i)), originNs_), *backend_,
        settings_.optimizer));
  if (!settings_.topology.separateHosts)
    for (int h = 0; h < settings_.topology.hosts; ++h)
      hostClocks_.emplace_back(clock(), topology_.deviceLane(topology_.hostProcessor(h)), originNs_);

  if (!settings_.topology.gpuOfReplica.empty()) {
    const std::int64_t sharers = asynchronous() ? 1 : replicas();
    telemetry_.preparing({Preparation::Part::Upload, 0, 0});
    gpus_ = std::make_unique<GpuReplicas>(openGpus(), replicaSettings_, *dataset_, topology_,
                                          std::min((settings_.globalBatch + sharers - 1) / sharers,
                                                   asynchronous() ? dataset_->train.count : settings_.globalBatch));
    replicaSettings_.gpus = gpus_.get();
  }

  std::vector<int> others(static_cast<std::size_t>(replicas()) - 1);
  std::iota(others.begin(), others.end(), 1);
  initialBroadcast_ = broadcastFrom(0, others, layout().size());
  if (parameterDevices_.size() == 1 && !settings_.topology.separateHosts) {
    std::vector<int> all(static_cast<std::size_t>(replicas()));
    std::iota(all.begin(), all.end(), 0);
    pullSchedule_ = broadcastFrom(topology_.parameterDevice(0), all, layout().size());
    pushSchedule_ = lab::reduceTo(all, topology_.parameterDevice(0), layout().size());
  }
}

Cluster::~Cluster() = default;

// ---- around a step

void Cluster::beginStep(std::int64_t step, double learningRate) {
  step_ = step;
  learningRate_ = learningRate;
  measuredCommunicationNs_ = 0;
  recordingNs_ = 0;
  record_.reset();
  recording_.reset();
  if (step > 0 && telemetry_.takeRecordRequest())
    unmeasured([this] {
      bringVariables();
      recording_ = std::make_unique<StepRecording>(*this);
    });
  if (gpus_)
    gpus_->beginStep(step, telemetry_.spansWanted() || step == 0 ? GpuReplicas::Watch::Spans
                           : recording_                          ? GpuReplicas::Watch::Look
                                                                 : GpuReplicas::Watch::None);
  collective_.setRecording(telemetry_.spansWanted() || recording_ || step == 0);
  previousStepBeginNs_ = stepBeginNs_;
  stepBeginNs_ = replica(0).clock.nowNs();
}

void Cluster::deal(const Deal& deal) {
  LAB_CHECK(std::ssize(deal.shards) == replicas());
  batches_.clear();
  for (const auto& shard : deal.shards) batches_.push_back(std::ssize(shard));
  eachReplica([&](std::int64_t r) {
    Replica& replica = *replicas_[static_cast<std::size_t>(r)];
    replica.load(deal.shards[static_cast<std::size_t>(r)]);
    replica.version = step_ - 1;
  });
}

float Cluster::lossScale(std::int64_t examples) const {
  if (examples == 0) return 0;
  const double denominator = settings_.lossScaling == LossScaling::Fit
                                 ? static_cast<double>(examples) * settings_.replicasInSync
                                 : static_cast<double>(settings_.globalBatch);
  return static_cast<float>(1.0 / denominator);
}

StepTimes Cluster::endStep() {
  StepTimes times;
  if (clock() == Clock::Modelled) {
    times = endModelledStep();
  } else {
    if (gpus_) gpus_->endStep(sinceOriginNs());
    if (gpus_ && (recording_ || step_ == 0)) result_ = {step_, takeResult(step_)};
    times.stepNs = sinceOriginNs() - stepBeginNs_;
    times.communicationNs = measuredCommunicationNs_;
    times.computeNs = times.stepNs - times.communicationNs;  // what this program does besides is little
  }
  publish();
  if (step_ == 0) {
    startup_ = stepSpans_;
    result_.reset();
  }
  finishRecord({}, stepBeginNs_, stepBeginNs_ + times.stepNs);
  stepSpans_.clear();
  return times;
}

void Cluster::finishRecord(std::optional<int> worker, std::int64_t beginNs, std::int64_t endNs) {
  if (!recording_) return;
  unmeasured([&] {
    bringVariables();
    std::vector<Span> spans;
    if (step_ == 1) spans = startup_;
    spans.insert(spans.end(), stepSpans_.begin(), stepSpans_.end());
    if (worker && clock() == Clock::Modelled) {
      for (const Arrival& message : servers_.underWay(endNs)) spans.push_back(spanOf(message));
    }
    record_ = recording_->finish(worker, beginNs, endNs, std::move(spans));
    recording_.reset();
  });
}

// Runs what only a record needs: the clocks go on as if it had taken no time.
void Cluster::unmeasured(const std::function<void()>& body) {
  const std::int64_t beganNs = steadyNs();
  body();
  const std::int64_t ns = steadyNs() - beganNs;
  recordingNs_ += ns;
  if (clock() == Clock::Modelled) return;
  originNs_ += ns;
  for (const auto& r : replicas_) r->clock.leaveOut(ns);
  for (const auto& device : parameterDevices_) device->clock.leaveOut(ns);
  for (DeviceClock& host : hostClocks_) host.leaveOut(ns);
  collective_.leaveOut(ns);
}

void Cluster::publish(std::vector<Span>& spans) {
  for (Span& span : spans) span.step = step_;
  if (telemetry_.spansWanted())
    for (const Span& span : spans) telemetry_.span(span);
  if (recording_ || asynchronous() || step_ == 0) stepSpans_.insert(stepSpans_.end(), spans.begin(), spans.end());
  spans.clear();
}

void Cluster::publish() {
  for (const auto& r : replicas_) publish(r->clock.spans());
  for (const auto& device : parameterDevices_) publish(device->clock.spans());
  for (DeviceClock& host : hostClocks_) publish(host.spans());
  publish(collective_.spans());
}

std::int64_t Cluster::takeBytesSent() {
  return collective_.takeBytesSent() + std::exchange(copiedBytes_, 0);
}

// ---- the six verbs

// On GPUs it only enqueues, from this one thread.
void Cluster::eachReplica(const std::function<void(std::int64_t)>& body) {
  if (!gpus_) return pool_.forEach(replicas(), body);
  for (int r = 0; r < replicas(); ++r) body(r);
}

void Cluster::forEachReplica(const std::function<void(Replica&)>& body) {
  std::atomic<std::int64_t> done{0};
  const auto act = [&](Replica& replica) {
    body(replica);
    // Before the first step their memory is made, which takes long where they are many.
    if (step() == 0) telemetry_.preparing({Preparation::Part::Weights, ++done, replicas()});
  };
  if (!gpus_ && replicasInParallel(replicas(), pool_.threads()))
    pool_.forEach(replicas(), [&](std::int64_t r) { act(*replicas_[static_cast<std::size_t>(r)]); });
  else
    for (const auto& r : replicas_) act(*r);
  takeApart();
}

std::vector<float*> Cluster::buffers(AlignedBuffer<float> Variables::*buffer) {
  std::vector<float*> all(static_cast<std::size_t>(topology_.parties()), nullptr);
  for (int r = 0; r < replicas(); ++r) all[static_cast<std::size_t>(r)] = (replica(r).variables.*buffer).data();
  for (int i = 0; i < parameterDevices(); ++i)
    all[static_cast<std::size_t>(topology_.parameterDevice(i))] = (parameterDevice(i).variables.*buffer).data();
  return all;
}

std::vector<DeviceClock*> Cluster::clocks() {
  std::vector<DeviceClock*> all(static_cast<std::size_t>(topology_.parties()), nullptr);
  for (int r = 0; r < replicas(); ++r) all[static_cast<std::size_t>(r)] = &replica(r).clock;
  for (int i = 0; i < parameterDevices(); ++i)
    all[static_cast<std::size_t>(topology_.parameterDevice(i))] = &parameterDevice(i).clock;
  return all;
}

void Cluster::runCollective(const Schedule& schedule, std::int64_t base, std::span<float* const> buffers, Label label,
                            int pack) {
  const std::int64_t beganNs = steadyNs();
  collective_.run(schedule, base, buffers, clocks(), label, pack);
  if (!schedule.transfers.empty()) measuredCommunicationNs_ += steadyNs() - beganNs;
}

void Cluster::allReduce(const ReductionPlan& plan) {
  if (gpus_) return allReduceOnGpus(plan);
  plan_ = &plan;
  if (recording_) unmeasured([this] { recording_->keepOwnGradients(); });
  const std::vector<LocalGradient> local = localGradients();
  const std::vector<float*> gradients = buffers(&Variables::gradients);
  for (std::size_t i = 0; i < plan.packs.size(); ++i)
    runCollective(plan.packs[i].schedule, plan.packs[i].pack.offset, gradients, Label::AllReduce, static_cast<int>(i));
  noteNoise(local, replica(0).variables.gradients.data());
}

// Of each replica's own mean gradient, before anything is added. Empty where nobody asked, or where the sum to come is
// not the mean over all examples: with Keras's scaling that needs equal shares.
std::vector<LocalGradient> Cluster::localGradients() {
  std::vector<LocalGradient> local;
  if (!settings_.noiseScale) return local;
  unmeasured([&] {
    std::vector<const float*> gradients;
    for (int r = 0; r < replicas(); ++r) {
      const auto examples = static_cast<double>(replica(r).shard().size());
      if (settings_.lossScaling == LossScaling::Fit && replica(r).shard().size() != replica(0).shard().size()) return;
      local.push_back({examples, 0});
      gradients.push_back(replica(r).variables.gradients.data());
    }
    const std::vector<double> norms = squaredNorms(gradients, layout().size(), pool_);
    for (std::size_t r = 0; r < local.size(); ++r) {
      // The buffers hold the sum over examples times the loss scale.
      const double scale = lossScale(static_cast<std::int64_t>(local[r].examples)) * local[r].examples;
      local[r].squaredNorm = scale > 0 ? norms[r] / (scale * scale) : 0;
    }
  });
  return static_cast<int>(local.size()) == replicas() ? local : std::vector<LocalGradient>();
}

void Cluster::noteNoise(std::span<const LocalGradient> local, const float* sum) {
  if (local.empty()) return;
  unmeasured([&] {
    double scale = 0;
    for (const LocalGradient& each : local)
      scale += lossScale(static_cast<std::int64_t>(each.examples)) * each.examples;
    if (scale <= 0) return;
    const std::vector<double> norms = squaredNorms(std::span(&sum, 1), layout().size(), pool_);
    noise_ = noiseSample(local, norms.front() / (scale * scale));
  });
}

void Cluster::broadcast(From from) {
  if (gpus_ && from == From::Replica0) {
    gpus_->upload(0, replica(0).variables);
    gpus_->run(initialBroadcast_, 0, GpuReplicas::Buffer::Weights, Label::Broadcast, -1);
    copiedBytes_ += initialBroadcast_.bytesSent();
    return;
  }
  if (gpus_) {
    for (int r = 0; r < replicas(); ++r)
      gpus_->sendWeights(r, parameterDevice(0).variables.weights.data(), topology_.parameterDevice(0));
    copiedBytes_ += pullSchedule_.bytesSent();
    return;
  }
  if (modelled_ && from == From::Replica0) startupBroadcast();
  runCollective(from == From::Replica0 ? initialBroadcast_ : pullSchedule_, 0, buffers(&Variables::weights),
                from == From::Replica0 ? Label::Broadcast : Label::PullWeights, -1);
}

void Cluster::reduceTo(ParameterDevice& device) {
  if (gpus_) return reduceOnHost(device);
  if (recording_) unmeasured([this] { recording_->keepOwnGradients(); });
  const std::vector<LocalGradient> local = localGradients();
  std::ranges::fill(device.variables.gradients.span(), 0.0F);
  runCollective(pushSchedule_, 0, buffers(&Variables::gradients), Label::PushGradients, -1);
  noteNoise(local, device.variables.gradients.data());
}

// ---- checks and state

std::optional<bool> Cluster::mirrorsIdentical() {
  if (replicas() == 1) return std::nullopt;
  if (gpus_ && gpus_->stepIsOpen()) {
    gpus_->compareMirrors();  // the answer comes with the step's other results
    return true;
  }
  if (gpus_) return gpus_->mirrorsIdentical();
  // Blocks in parallel; each block of the first copy is read once and held against all others.
  constexpr std::int64_t kBlock = 16384;
  const std::int64_t size = layout().size();
  std::atomic<bool> same{true};
  pool_.forEach((size + kBlock - 1) / kBlock, [&](std::int64_t block) {
    const std::int64_t begin = block * kBlock, count = std::min(kBlock, size - begin);
    for (int r = 1; r < replicas(); ++r)
      if (!backend_->identical(count, replica(0).variables.weights.data() + begin,
                               replica(r).variables.weights.data() + begin))
        same.store(false, std::memory_order_relaxed);
  });
  return same.load();
}

void Cluster::startup(Label label) {
  DeviceClock& clock0 = replica(0).clock;
  clock0.begin();
  clock0.end(SpanKind::Startup, labelOf(label), 0);
}

void Cluster::declareLinks(const ReductionPlan& plan) {
  if (usesNccl(plan)) gpus_->createRanks();
  for (const PackedSchedule& packed : plan.packs) collective_.declare(packed.schedule);
}

void Cluster::declareBroadcast(From from) {
  collective_.declare(from == From::Replica0 ? initialBroadcast_ : pullSchedule_);
  if (from == From::ParameterDevice) collective_.declare(pushSchedule_);
}

}  // namespace lab
