// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/gpu/gpu_replicas.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "core/base/ceil_divide.h"
#include "core/base/error.h"
#include "core/cluster/gpu/gpu_device.h"

namespace lab {
namespace {

// Lists that are remembered: a step of full batches and one of the last batch of a pass, for each slot, with and
// without spans, and some to spare.
constexpr std::size_t kCachedLists = 12;
constexpr std::int64_t kSlots = 2;

}  // namespace

GpuReplicas::GpuReplicas(std::shared_ptr<gpu::Layer> layer, const ReplicaSettings& settings, const Dataset& dataset,
                         Topology& topology, StepLedger& ledger, ThreadPool& pool, std::int64_t examples,
                         bool ncclForOne, const ReadProgress& uploaded, Among* among)
    : layer_(std::move(layer)),
      settings_(settings),
      dataset_(dataset),
      topology_(topology),
      ledger_(ledger),
      pool_(pool),
      ncclForOne_(ncclForOne),
      asynchronous_(topology.settings().separateHosts),
      course_(isCourseNetwork(*settings.network)),
      among_(among) {
  const std::vector<int>& all = topology.settings().gpuOfReplica;
  const auto isHere = [](int gpu) { return gpu >= 0; };
  first_ = static_cast<int>(std::ranges::find_if(all, isHere) - all.begin());
  std::ranges::copy_if(all, std::back_inserter(gpus_), isHere);
  const std::vector<int>& gpus = gpus_;
  LAB_CHECK(!gpus.empty());
  data_.resize(layer_->gpus().size());
  dependencies_.resize(data_.size());
  dependenciesUsed_.resize(data_.size());
  sending_.resize(data_.size());
  // Said before anything is allocated: what it takes, where it does not fit.
  for (std::size_t gpu = 0; gpu < data_.size(); ++gpu) {
    const auto replicas = std::ranges::count(gpus, static_cast<int>(gpu));
    if (replicas == 0) continue;
    const std::int64_t needed =
        replicas * Device::bytes(settings, examples, static_cast<int>(std::ssize(all))) + DataOfGpu::bytes(dataset);
    const std::int64_t free = layer_->freeBytes(static_cast<int>(gpu));
    if (needed > free) throw gpu::outOfMemory("GPU " + std::to_string(gpu), needed, free);
  }
  const bool several = std::ranges::any_of(gpus, [&](int gpu) { return gpu != gpus.front(); });
  const auto used = std::ssize(std::set<int>(gpus.begin(), gpus.end()));
  std::int64_t images = 0;
  const auto count = [&](std::int64_t more) {
    uploaded(images += more, used * (dataset.train.count + dataset.test.count));
  };
  for (std::size_t r = 0; r < gpus.size(); ++r) {
    auto& data = data_.at(static_cast<std::size_t>(gpus[r]));
    if (!data) {
      data = std::make_unique<DataOfGpu>(*layer_, gpus[r], dataset, count);
      sending_.at(static_cast<std::size_t>(gpus[r])) = {
          layer_->createStream(gpus[r]), {layer_->createEvent(gpus[r], false), layer_->createEvent(gpus[r], false)}};
    }
    devices_.push_back(std::make_unique<Device>(*layer_, static_cast<int>(r), static_cast<int>(std::ssize(all)),
                                                gpus[r], settings, several));
    Device& device = *devices_.back();
    device.firstOfGpu = std::ranges::none_of(std::span(gpus).first(r), [&](int gpu) { return gpu == gpus[r]; });
    reserve(device, std::max<std::int64_t>(1, examples));
  }
  for (std::int64_t i = 0; i < kSlots; ++i)
    slots_.push_back(
        std::make_unique<Slot>(*layer_, gpus.front(), static_cast<std::size_t>(i), gpus.size(), data_.size()));
}

GpuReplicas::~GpuReplicas() {
  try {
    waitForAll();  // nothing may use what is freed now
    finishUntil(step_);
  } catch (const std::exception&) {
    // The GPU is lost, and with it whatever it was doing.
  }
  for (const auto& slot : slots_) slot->outcome.giveUp();
  dropGraphs();
  for (void* memory : pinned_) layer_->unpin(memory);
}

Replica& GpuReplicas::replicaOf(const Device& device) const {
  return members().replica(first_ + device.index);
}

GpuReplicas::Slot& GpuReplicas::slotOf(std::int64_t step) {
  return *slots_[static_cast<std::size_t>(step % kSlots)];
}

// The first stream first: it alone knows when a graph is done.
void GpuReplicas::waitForAll() {
  for (const auto& device : devices_) layer_->waitForStream(device->stream);
}

void GpuReplicas::dropGraphs() noexcept {
  for (const Cached& cached : cache_)
    if (cached.graph != 0) layer_->destroyGraph(cached.graph);
  cache_.clear();
}

void GpuReplicas::reserve(Device& device, std::int64_t examples) {
  if (examples <= device.capacity) return;
  if (device.capacity > 0) waitForAll();  // earlier steps may still use what is freed
  dropGraphs();                           // they know the old addresses
  device.reserve(*layer_, settings_, examples, list_);
}

// ---- a step

void GpuReplicas::beginStep(std::int64_t step, Watch watch) {
  step_ = step;
  watch_ = watch;
  toTakeApart_.clear();
  Slot& slot = slotOf(step);
  if (slot.underWay) finishUntil(slot.step);
  slot_ = &slot;
  slot_->begin(step);
  list_.erase();
  flushed_ = false;
  std::ranges::fill(dependenciesUsed_, 0);
  // All streams begin behind the first one, which has seen the end of the step before.
  Device& origin = device(0);
  const int fork = dependency(origin);
  list_.record(origin.stream, fork);
  for (const auto& each : devices_) {
    each->beginStep(slot_->number);
    if (each->index == 0) continue;
    list_.wait(each->stream, fork);
    if (each->firstOfGpu && each->gpu != origin.gpu)
      slot_->beginOfGpu[static_cast<std::size_t>(each->gpu)] = stamp(*each);
  }
  slot_->beginOfGpu[static_cast<std::size_t>(origin.gpu)] = slot_->beginEvent;
}

int GpuReplicas::stamp(Device& device) {
  const int event = slot_->nextStamp(*layer_, device.gpu);
  list_.stamp(device.stream, event);
  return event;
}

int GpuReplicas::dependency(const Device& device) {
  const auto gpu = static_cast<std::size_t>(device.gpu);
  std::vector<int>& events = dependencies_[gpu];
  if (dependenciesUsed_[gpu] == events.size()) events.push_back(layer_->createEvent(device.gpu, false));
  return events[dependenciesUsed_[gpu]++];
}

Span GpuReplicas::spanOn(int replica, SpanKind kind, std::uint16_t label) const {
  Span span;
  span.step = step_;
  span.lane = topology_.deviceLane(first_ + replica);
  span.label = label;
  span.kind = kind;
  span.clock = TimeSource::Measured;
  return span;
}

void GpuReplicas::copyParameters(Device& device, std::int64_t indices) {
  list_.copy(device.stream, device.parameters(), device.hostParameters(), Device::parameterBytes(indices));
}

bool GpuReplicas::readsBytes() const {
  return course_ && watch_ != Watch::Spans && settings_.precision == Precision::Float32;
}

void GpuReplicas::gather(Device& device, std::int64_t n) {
  const ActivationPointers& a = device.activations;
  if (!course_)
    return device.layers->gather(n, dataset_.train.imageSize(), device.pixels, device.labels, device.indices(),
                                 a.images, a.labels);
  list_.launch(device.stream, gpu::KernelId::Gather,
               gpu::GatherArgs{device.pixels, device.labels, device.indices(), a.images, a.labels}, n);
}

// It only enqueues, so one thread does it all.
void GpuReplicas::forEach(const std::function<void(Replica&)>& body, bool) {
  for (int r = 0; r < members().size(); ++r) body(members().replica(r));
  if (!toTakeApart_.empty()) pause([this] { ledger_.unmeasured([this] { takeApart(); }); });
}

void GpuReplicas::load(Replica& replica) {
  Device& d = device(replica);
  const std::span<const std::int64_t> shard = replica.shard();
  reserve(d, std::ssize(shard));
  d.n = std::ssize(shard);
  d.takeIndices(shard, dataset_.train.count);
  const DataOfGpu& data = *data_[static_cast<std::size_t>(d.gpu)];
  d.pixels = data.trainPixels;
  d.labels = data.trainLabels;
  if (flushed_)
    copyParameters(d, d.n);
  else
    d.bytesToSend = Device::parameterBytes(d.n);
  if (!readsBytes()) timed(d, inputSpan(d), [&] { gather(d, d.n); });
}

Span GpuReplicas::inputSpan(const Device& d) const {
  Span span = spanOn(d.index, SpanKind::Input, labelOf(Label::Input));
  span.count = d.n;
  span.bytes = d.n * (dataset_.train.imageSize() + 1);
  return span;
}

void GpuReplicas::forwardBackward(Replica& replica, float scale) {
  Device& d = device(replica);
  takePlace(d, replica);
  if (!asynchronous_) return compute(d, scale);
  // Of a worker the host's copy of the weights is what counts, and that of the gradients is what others read.
  sendWeights(d, replica.variables.weights.data(), {});
  std::ranges::copy(replica.variables.statistics.span(), passedStatistics(d).begin());
  passStatistics(d, false);
  compute(d, scale);
  fetchGradients(d, replica.variables.gradients.data(), {});
  passStatistics(d, true);
  flush();
  std::ranges::copy(passedStatistics(d), replica.variables.statistics.data());
  downloadOutcome(d, replica.activations);
  if (!toTakeApart_.empty()) ledger_.unmeasured([this] { pause([this] { takeApart(); }); });
}

void GpuReplicas::restore(Replica& replica, float scale) {
  beginStep(0, Watch::None);
  load(replica);
  restoring_ = true;
  forwardBackward(replica, scale);
  restoring_ = false;
  (void)endStep();
}

void GpuReplicas::compute(Device& d, float scale) {
  list_.beginRange("forward and backward");
  // Layer by layer the numbers are the same, bit for bit.
  if (watch_ == Watch::Spans || settings_.precision != Precision::Float32) {
    computeLayers(d, scale, spansWanted() ? &slot_->spans : nullptr);
    tally(d, d.stream);
  } else if (watch_ == Watch::Record) {
    const int began = stamp(d);
    computeFused(d, scale);
    toTakeApart_.push_back({d.index, scale, {{}, began, stamp(d), d.gpu, slot_->pauses.size()}, 0, 0, {}});
  } else {
    computeFused(d, scale);
  }
  list_.endRange();
}

void GpuReplicas::computeLayers(Device& d, float scale, std::vector<TimedSpan>* spans) {
  if (!course_) return computeNetwork(d, scale, spans, restoring_);
  int began = -1;
  const auto observer = [&](CnnOp op, bool begin) {
    if (begin) {
      began = stamp(d);
      return;
    }
    Span span = spanOn(d.index, SpanKind::Compute, labelOf(op));
    span.count = d.n;
    spans->push_back({span, began, stamp(d), d.gpu, slot_->pauses.size()});
  };
  lab::forwardBackward(*d.backend, settings_.precision, d.n, scale, d.weights, d.activations, d.gradients,
                       spans != nullptr ? OpObserver(observer) : OpObserver());
}

// In a pause behind the replicas' computation: the same values in the same places.
void GpuReplicas::takeApart() {
  LAB_CHECK(list_.commands().empty());
  for (TakenApart& each : toTakeApart_) {
    Device& d = device(each.replica);
    each.begin = stamp(d);
    if (readsBytes()) {
      gather(d, d.n);
      each.layers.push_back({inputSpan(d), each.begin, stamp(d), d.gpu, slot_->pauses.size()});
    }
    course_ ? computeLayers(d, each.scale, &each.layers) : computeNetwork(d, each.scale, &each.layers, true);
    each.end = stamp(d);
    slot_->takenApart.push_back(std::move(each));
  }
  toTakeApart_.clear();
  layer_->submit(list_.commands());
  list_.erase();
  waitForAll();
}

void GpuReplicas::tally(Device& d, int stream) {
  list_.launch(
      stream, gpu::KernelId::Tally,
      gpu::TallyArgs{d.activations.losses, d.activations.predictions, d.activations.labels, slot_->tally(d.index), d.n},
      1);
}

// The network of model/cnn.cpp with as few launches in a row as there can be: the small layers are one kernel, and the
// gradients of the dense layers' variables are computed beside the way back to the convolution.
void GpuReplicas::computeFused(Device& d, float scale) {
  if (!course_) {
    computeNetwork(d, scale, nullptr, restoring_);
    return tally(d, d.stream);
  }
  const auto offset = [this](const char* name) { return layout().find(name).offset; };
  const std::int64_t convKernel = offset("conv2d/kernel"), convBias = offset("conv2d/bias"),
                     denseKernel = offset("dense/kernel"), denseBias = offset("dense/bias"),
                     logitsKernel = offset("dense_1/kernel"), logitsBias = offset("dense_1/bias");
  const ActivationPointers& a = d.activations;
  const float* w = d.weights;
  float* g = d.gradients;
  const gpu::ImageSource images{nullptr, d.pixels, d.indices()};
  gpu::launchConv(list_, d.stream, d.n, images, d.labels, w + convKernel, w + convBias, a.pooled, a.argmax, a.labels);
  const gpu::ProductSplits splits =
      gpu::launchDenseSplits(list_, d.stream, d.scratch(), d.n, kPooledSize, kHidden, a.pooled, w + denseKernel);
  list_.launch(d.stream, gpu::KernelId::Head,
               gpu::HeadArgs{d.scratch(), w + denseBias, w + logitsKernel, w + logitsBias, a.labels, a.hidden, a.losses,
                             a.predictions, a.dLogits, a.dHidden, d.n, splits.count, splits.perGroup, scale, 0},
               ceilDivide(d.n, gpu::kHeadRows));
  const int fork = dependency(d), join = dependency(d), joinSmall = dependency(d);
  list_.record(d.stream, fork);
  list_.wait(d.side, fork);
  list_.wait(d.small, fork);
  d.sideBackend->denseWeightGradient(d.n, kPooledSize, kHidden, a.pooled, a.dHidden, g + denseKernel);
  list_.record(d.side, join);
  gpu::launchSmallGradients(list_, d.small,
                            {a.hidden, a.dLogits, a.dHidden, a.losses, a.predictions, a.labels, g + logitsKernel,
                             g + logitsBias, g + denseBias, slot_->tally(d.index), d.n, 0, 0});
  list_.record(d.small, joinSmall);
  d.backend->denseInputGradient(d.n, kPooledSize, kHidden, a.dHidden, w + denseKernel, a.dPooled);
  gpu::launchConvBackward(list_, d.stream, d.scratch(), d.n, images, a.argmax, a.dPooled, a.dPooled, g + convKernel,
                          g + convBias);
  list_.wait(d.stream, join);
  list_.wait(d.stream, joinSmall);
}

void GpuReplicas::update(Replica& replica, double learningRate, std::int64_t iteration) {
  Device& d = device(replica);
  std::vector<float*> slots = d.slots;
  slots.resize(settings_.optimizer.slotNames().size());
  // Where the step was interrupted, its numbers go once more; without that they would have been with the others.
  if (d.areParametersSent()) {
    const int begin = stamp(d);
    d.sendNumbers();
    const int end = stamp(d);
    if (d.index == 0) slot_->pauses.push_back({begin, end});
  }
  Span span = spanOn(d.index, SpanKind::Update, labelOf(Label::Update));
  span.count = layout().size();
  timed(d, span, [&] {
    applyOptimizer(*d.backend, settings_.optimizer, learningRate, iteration, layout().size(), d.gradients, slots,
                   d.weights);
  });
}

void GpuReplicas::compare(Device& d, std::uint32_t* differs) {
  const std::int64_t size = layout().size();
  const float* other = device(0).weights;
  if (d.gpu != device(0).gpu) {
    list_.copy(d.stream, d.exchange, other, size * 4);
    other = d.exchange;
  }
  list_.launch(d.stream, gpu::KernelId::Compare,
               gpu::CompareArgs{reinterpret_cast<const std::uint32_t*>(other),
                                reinterpret_cast<const std::uint32_t*>(d.weights), differs, size},
               ceilDivide(size, gpu::kElementThreads));
}

void GpuReplicas::compareMirrors() {
  slot_->compared = true;
  const int updated = dependency(device(0));
  list_.record(device(0).stream, updated);
  for (std::size_t r = 1; r < devices_.size(); ++r) {
    list_.wait(devices_[r]->stream, updated);
    compare(*devices_[r], slot_->differs(static_cast<int>(r)));
  }
}

void GpuReplicas::submitStamp(int event) {
  gpu::CommandList one;
  one.stamp(device(0).stream, event);
  layer_->submit(one.commands());
}

// The copies go ahead while the step before computes, of which the host knows that the one before that is done: nobody
// reads their blocks any more. Whatever of them is late is time of this step.
void GpuReplicas::begin() {
  slot_->launchNs = ledger_.nowNs();
  gpu::CommandList ahead;
  for (const auto& each : devices_)
    if (each->bytesToSend > 0)
      ahead.copy(sending_[static_cast<std::size_t>(each->gpu)].stream, each->parameters(), each->hostParameters(),
                 each->bytesToSend);
  const bool sends = !ahead.commands().empty();
  for (const Sending& each : sending_)
    if (sends && each.stream >= 0) ahead.record(each.stream, each.sent[slot_->number]);
  ahead.stamp(device(0).stream, slot_->beginEvent);
  for (const Sending& each : sending_)
    if (sends && each.stream >= 0) ahead.wait(device(0).stream, each.sent[slot_->number]);
  layer_->submit(ahead.commands());
}

void GpuReplicas::flush() {
  LAB_CHECK(slot_ != nullptr);
  if (!std::exchange(flushed_, true)) begin();
  goOn();
  layer_->submit(list_.commands());
  list_.erase();
  waitForAll();
  for (const auto& each : devices_) each->parametersAreSent();
}

// The first stream waits for all others.
void GpuReplicas::join() {
  Device& origin = device(0);
  for (std::size_t r = 1; r < devices_.size(); ++r) {
    const int done = dependency(*devices_[r]);
    list_.record(devices_[r]->stream, done);
    list_.wait(origin.stream, done);
  }
}

void GpuReplicas::pause(const std::function<void()>& body) {
  Device& origin = device(0);
  join();
  const int begin = slot_->nextStamp(*layer_, origin.gpu), end = slot_->nextStamp(*layer_, origin.gpu);
  list_.stamp(origin.stream, begin);
  flush();
  body();
  slot_->pauses.push_back({begin, end});
  slot_->goOn = end;
}

// Just before the step's next commands, all streams behind it.
void GpuReplicas::goOn() {
  if (slot_->goOn >= 0) submitStamp(std::exchange(slot_->goOn, -1));
}

StepOutcome GpuReplicas::endStep() {
  join();
  if (!flushed_) begin();
  goOn();
  launch();
  submitStamp(slot_->endEvent);
  slot_->underWay = true;
  Slot& slot = *std::exchange(slot_, nullptr);
  slot.outcome = StepOutcome([this, step = step_] { finishUntil(step); });
  if (asynchronous_) finishUntil(step_);  // the worker has waited for what it needs
  return slot.outcome;
}

// A list that was seen before becomes a graph, and stays one.
void GpuReplicas::launch() {
  const std::vector<gpu::Command>& commands = list_.commands();
  if (flushed_) {
    layer_->submit(commands);
    return;
  }
  const auto found = std::ranges::find(cache_, commands, &Cached::commands);
  if (found == cache_.end()) {
    if (cache_.size() == kCachedLists) {
      if (cache_.front().graph != 0) layer_->destroyGraph(cache_.front().graph);
      cache_.erase(cache_.begin());
    }
    cache_.push_back({commands, 0});
    layer_->submit(commands);
    return;
  }
  if (found->graph == 0) {
    found->graph = layer_->createGraph(commands);
    ++graphs_;
  }
  layer_->launchGraph(found->graph);
}

}  // namespace lab
