// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/replicas/gpu/gpu_compute.h"

#include <algorithm>
#include <utility>

#include "core/base/at.h"
#include "core/base/ceil_divide.h"
#include "core/base/error.h"

namespace lab {

void GpuCompute::reserve(GpuDevice& device, std::int64_t examples) {
  if (examples <= device.capacity) return;
  if (device.capacity > 0) parts_.waitForAll();  // earlier steps may still use the buffers that are freed
  step_.dropGraphs();                            // graphs contain the old addresses
  device.reserve(*parts_.layer, parts_.settings, examples, list_);
}

void GpuCompute::copyParameters(GpuDevice& device, std::int64_t indices) {
  list_.copy(device.stream, device.parameters(), device.hostParameters(), GpuDevice::parameterBytes(indices));
}

bool GpuCompute::readsBytes() const {
  return parts_.course && step_.watch() != GpuStep::Watch::Spans && parts_.settings.precision == Precision::Float32;
}

void GpuCompute::gather(GpuDevice& device, std::int64_t n) {
  const ActivationPointers& a = device.activations;
  if (!parts_.course)
    return device.layers->gather(n, parts_.dataset.train.imageSize(), device.pixels, device.labels, device.indices(),
                                 a.images, a.labels);
  list_.launch(device.stream, gpu::KernelId::Gather,
               gpu::GatherArgs{device.pixels, device.labels, device.indices(), a.images, a.labels}, n);
}

void GpuCompute::load(const Replica& replica) {
  GpuDevice& d = parts_.device(replica);
  const std::span<const std::int64_t> shard = replica.shard();
  reserve(d, std::ssize(shard));
  d.n = std::ssize(shard);
  d.takeIndices(shard, parts_.dataset.train.count);
  const GpuExamples& data = *at(parts_.data, d.gpu);
  d.pixels = data.trainPixels;
  d.labels = data.trainLabels;
  if (step_.isFlushed())
    copyParameters(d, d.n);
  else
    d.bytesToSend = GpuDevice::parameterBytes(d.n);
  if (!readsBytes()) step_.timed(d, inputSpan(d), [&] { gather(d, d.n); });
}

Span GpuCompute::inputSpan(const GpuDevice& d) const {
  Span span = step_.spanOn(d.index, SpanKind::Input, labelOf(Label::Input));
  span.count = d.n;
  span.bytes = d.n * (parts_.dataset.train.imageSize() + 1);
  return span;
}

void GpuCompute::compute(const Replica& replica, float scale, bool again) {
  GpuDevice& d = parts_.device(replica);
  takePlace(d, replica);
  computePart(d, PassPart::Whole, scale, again);
}

void GpuCompute::computePart(GpuDevice& d, PassPart part, float scale, bool again) {
  list_.beginRange(part == PassPart::Whole     ? "forward and backward"
                   : part == PassPart::Forward ? "forward"
                                               : "backward");
  // Layer by layer gives the same numbers, bit for bit.
  if (step_.watch() == GpuStep::Watch::Spans || parts_.settings.precision != Precision::Float32) {
    computeLayers(d, part, scale, step_.spansWanted() ? &step_.spans() : nullptr, again);
    if (part != PassPart::Forward) tally(d, d.stream);
  } else if (step_.watch() == GpuStep::Watch::Record) {
    const int began = step_.stamp(d);
    computeFused(d, part, scale, again);
    toTakeApart_.push_back({d.index, part, scale, step_.endSpan(d, {}, began), 0, 0, {}});
  } else {
    computeFused(d, part, scale, again);
  }
  list_.endRange();
}

void GpuCompute::computeGathering(const std::function<float(const Replica&)>& scaleOf,
                                  const std::function<void()>& gather) {
  gather();
  if (!parts_.course) return computeTogether(scaleOf, &gather);
  for (const auto& each : parts_.devices) {
    const Replica& replica = parts_.replicaOf(*each);
    takePlace(*each, replica);
    computePart(*each, PassPart::Forward, scaleOf(replica), false);
  }
  gather();
  for (const auto& each : parts_.devices) computePart(*each, PassPart::Backward, 0, false);
}

void GpuCompute::computeLayers(GpuDevice& d, PassPart part, float scale, std::vector<GpuTimedSpan>* spans, bool again) {
  if (!parts_.course) return computeNetwork(d, scale, spans, again);
  int began = -1;
  const auto observer = [&](CnnOp op, bool begin) {
    if (begin) {
      began = step_.stamp(d);
      return;
    }
    Span span = step_.spanOn(d.index, SpanKind::Compute, labelOf(op));
    span.count = d.n;
    spans->push_back(step_.endSpan(d, span, began));
  };
  const OpObserver told = spans != nullptr ? OpObserver(observer) : OpObserver();
  if (part != PassPart::Backward)
    forwardToLoss(*d.backend, parts_.settings.precision, d.n, scale, d.weights, d.activations, told);
  if (part != PassPart::Forward)
    backward(*d.backend, parts_.settings.precision, d.n, d.weights, d.activations, d.gradients, told);
}

// Runs in a pause after the replicas' computation, and writes the same values to the same places.
void GpuCompute::takeApart() {
  LAB_CHECK(list_.commands().empty());
  for (GpuTakenApart& each : toTakeApart_) {
    GpuDevice& d = parts_.device(each.replica);
    each.begin = step_.stamp(d);
    if (readsBytes() && each.part != PassPart::Backward) {
      gather(d, d.n);
      each.layers.push_back(step_.endSpan(d, inputSpan(d), each.begin));
    }
    computeLayers(d, each.part, each.scale, &each.layers, true);
    each.end = step_.stamp(d);
    step_.takenApart().push_back(std::move(each));
  }
  toTakeApart_.clear();
  parts_.layer->submit(list_.commands());
  list_.erase();
  parts_.waitForAll();
}

void GpuCompute::tally(GpuDevice& d, int stream) {
  list_.launch(
      stream, gpu::KernelId::Tally,
      gpu::TallyArgs{d.activations.losses, d.activations.predictions, d.activations.labels, step_.tally(d.index), d.n},
      1);
}

// Runs the network of model/cnn.cpp with as few successive launches as possible: the small layers are one kernel, and
// the gradients of the dense layers' variables are computed in parallel with the way back to the convolution.
void GpuCompute::computeFused(GpuDevice& d, PassPart part, float scale, bool again) {
  if (!parts_.course) {
    computeNetwork(d, scale, nullptr, again);
    return tally(d, d.stream);
  }
  if (part != PassPart::Backward) forwardFused(d, scale);
  if (part != PassPart::Forward) backwardFused(d);
}

void GpuCompute::forwardFused(GpuDevice& d, float scale) {
  const auto weight = [&](const char* name) { return d.weights + parts_.layout().find(name).offset; };
  const ActivationPointers& a = d.activations;
  gpu::launchConv(list_, d.stream, d.n, {nullptr, d.pixels, d.indices()}, d.labels, weight("conv2d/kernel"),
                  weight("conv2d/bias"), a.pooled, a.argmax, a.labels);
  const gpu::ProductSplits splits =
      gpu::launchDenseSplits(list_, d.stream, d.scratch(), d.n, kPooledSize, kHidden, a.pooled, weight("dense/kernel"));
  list_.launch(d.stream, gpu::KernelId::Head,
               gpu::HeadArgs{d.scratch(), weight("dense/bias"), weight("dense_1/kernel"), weight("dense_1/bias"),
                             a.labels, a.hidden, a.losses, a.predictions, a.dLogits, a.dHidden, d.n, splits.count,
                             splits.perGroup, scale, 0},
               ceilDivide(d.n, gpu::kHeadRows));
}

void GpuCompute::backwardFused(GpuDevice& d) {
  const auto offset = [this](const char* name) { return parts_.layout().find(name).offset; };
  const ActivationPointers& a = d.activations;
  const float* w = d.weights;
  float* g = d.gradients;
  const gpu::ImageSource images{nullptr, d.pixels, d.indices()};
  const std::int64_t denseKernel = offset("dense/kernel");
  const int fork = step_.dependency(d), join = step_.dependency(d), joinSmall = step_.dependency(d);
  list_.record(d.stream, fork);
  list_.wait(d.side, fork);
  list_.wait(d.small, fork);
  d.sideBackend->denseWeightGradient(d.n, kPooledSize, kHidden, a.pooled, a.dHidden, g + denseKernel);
  list_.record(d.side, join);
  gpu::launchSmallGradients(
      list_, d.small,
      {a.hidden, a.dLogits, a.dHidden, a.losses, a.predictions, a.labels, g + offset("dense_1/kernel"),
       g + offset("dense_1/bias"), g + offset("dense/bias"), step_.tally(d.index), d.n, 0, 0});
  list_.record(d.small, joinSmall);
  d.backend->denseInputGradient(d.n, kPooledSize, kHidden, a.dHidden, w + denseKernel, a.dPooled);
  gpu::launchConvBackward(list_, d.stream, d.scratch(), d.n, images, a.argmax, a.dPooled, a.dPooled,
                          g + offset("conv2d/kernel"), g + offset("conv2d/bias"));
  list_.wait(d.stream, join);
  list_.wait(d.stream, joinSmall);
}

// Sends what dropout counts from together with the step's other numbers, or separately if the step was interrupted.
void GpuCompute::takePlace(GpuDevice& d, const Replica& replica) {
  d.takePlace(replica.version, replica.globalOffset);
  if (d.areParametersSent()) d.sendNumbers();
}

PassOf GpuCompute::passOf(GpuDevice& d, float scale, bool again) {
  return {.examples = d.n,
          .scale = scale,
          .weights = d.weights,
          .statistics = d.statistics,
          .movesStatistics = !again,
          .seed = parts_.settings.seed};
}

GpuLayerPass GpuCompute::passOn(GpuDevice& d, float scale, bool again, const OperationObserver& observer) {
  std::int64_t all = 0;
  for (int r = 0; r < parts_.members().size(); ++r) all += std::ssize(parts_.members().replica(r).shard());
  const GpuLayerPass::On on{.backend = d.backend.get(),
                            .layers = d.layers.get(),
                            .replica = parts_.first + d.index,
                            .replicas = d.replicas,
                            .stepAndPlace = d.stepAndPlace(),
                            .allExamples = all,
                            .again = again};
  return {on,
          *parts_.settings.network,
          parts_.settings.precision,
          passOf(d, scale, again),
          d.activations,
          d.layerMemory,
          d.gradients,
          observer};
}

OperationObserver GpuCompute::observerOf(GpuDevice& d, std::vector<GpuTimedSpan>& spans, int& began) {
  return [this, &d, &spans, &began](int operation, bool begin) {
    if (begin) {
      began = step_.stamp(d);
      return;
    }
    Span span = step_.spanOn(d.index, SpanKind::Compute, labelOfOperation(operation));
    span.count = d.n;
    spans.push_back(step_.endSpan(d, span, began));
  };
}

void GpuCompute::computeNetwork(GpuDevice& d, float scale, std::vector<GpuTimedSpan>* spans, bool again) {
  int began = -1;
  const OperationObserver observer = spans != nullptr ? observerOf(d, *spans, began) : OperationObserver();
  GpuLayerPass pass = passOn(d, scale, again, observer);
  LAB_CHECK(pass.run());
}

// Sends every replica's row of sums to all others, which add the rows in the order of replicas.
void GpuCompute::exchange(std::vector<GpuLayerPass>& passes) {
  const std::int64_t everywhere = parts_.members().size();
  parts_.ledger.addBytesSent(everywhere * (everywhere - 1) * passes.front().exchangedChannels() *
                             std::int64_t{sizeof(ChannelSums)});
  if (parts_.among != nullptr) return exchangeOverHosts(passes);
  std::vector<int> written;
  for (const auto& each : parts_.devices) {
    written.push_back(step_.dependency(*each));
    list_.record(each->stream, written.back());
  }
  for (std::size_t to = 0; to < passes.size(); ++to)
    for (std::size_t from = 0; from < passes.size(); ++from) {
      if (from == to) continue;
      const std::int64_t channels = passes[from].exchangedChannels(), row = static_cast<std::int64_t>(from) * channels;
      list_.wait(parts_.devices[to]->stream, written[from]);
      list_.copy(parts_.devices[to]->stream, passes[to].exchanged() + row, passes[from].exchanged() + row,
                 channels * std::int64_t{sizeof(ChannelSums)});
    }
}

// Does the same between processes. The step is interrupted here, so it cannot be a graph.
void GpuCompute::exchangeOverHosts(std::vector<GpuLayerPass>& passes) {
  const std::int64_t row = passes.front().exchangedChannels() * std::int64_t{sizeof(ChannelSums)};
  const std::int64_t here = std::ssize(parts_.devices), everywhere = parts_.members().size();
  std::int64_t most = 0;  // bytes of the widest layer's row
  for (const NetworkLayer& layer : parts_.settings.network->layers())
    if (layer.synchronized) most = std::max(most, layer.output.back() * std::int64_t{sizeof(ChannelSums)});
  if (exchanged_.as<void>() == nullptr) exchanged_ = gpu::PinnedMemory(*parts_.layer, (here + everywhere) * most);
  // The two halves lie apart for layers of any width: one replica's stream may still read the last layer's sums when
  // another one writes its own for the next layer.
  auto *mine = exchanged_.as<std::byte>(), *all = mine + here * most;
  std::vector<int> began;
  for (const auto& each : parts_.devices) {
    if (step_.spansWanted()) began.push_back(step_.stamp(*each));
    const ChannelSums* own = at(passes, each->index).exchanged();
    list_.copy(each->stream, mine + each->index * row,
               reinterpret_cast<const std::byte*>(own) + (parts_.first + each->index) * row, row);
  }
  step_.flush();
  parts_.among->gather({mine, static_cast<std::size_t>(here * row)}, {all, static_cast<std::size_t>(everywhere * row)});
  for (const auto& each : parts_.devices) {
    const auto index = static_cast<std::size_t>(each->index);
    list_.copy(each->stream, passes[index].exchanged(), all, everywhere * row);
    if (!step_.spansWanted()) continue;
    const Span span = step_.spanOn(each->index, SpanKind::Reduce, labelOf(Label::ExchangeSums));
    step_.addSpan(*each, span, began[index]);
  }
}

// Enqueues the replicas' layers in turn. For a watched step, stamps are set between the layers at once: one replica's
// layers cannot be run alone later, because the other replicas' sums would be missing. If `gatherAgain` is given, all
// passes stop for it between forward and backward.
void GpuCompute::computeTogether(const std::function<float(const Replica&)>& scaleOf,
                                 const std::function<void()>* gatherAgain) {
  list_.beginRange("forward and backward");
  std::vector<int> began(parts_.devices.size(), -1);
  std::vector<GpuLayerPass> passes;
  passes.reserve(parts_.devices.size());
  for (const auto& each : parts_.devices) {
    const auto index = static_cast<std::size_t>(each->index);
    takePlace(*each, parts_.replicaOf(*each));
    OperationObserver observer;
    if (step_.spansWanted()) observer = observerOf(*each, step_.spans(), began[index]);
    passes.push_back(passOn(*each, scaleOf(parts_.replicaOf(*each)), false, observer));
    if (gatherAgain != nullptr) passes.back().stopToTurn();
  }
  while (true) {
    const auto ended = std::ranges::count_if(passes, [](GpuLayerPass& pass) { return pass.run(); });
    LAB_CHECK(ended == 0 || ended == std::ssize(passes));
    if (ended > 0) break;
    if (passes.front().isTurning())
      (*gatherAgain)();
    else
      exchange(passes);
  }
  for (const auto& each : parts_.devices) tally(*each, each->stream);
  list_.endRange();
}

void GpuCompute::evaluate(const Replica& replica, const Examples& examples, std::span<const std::int64_t> indices,
                          const float* weights, std::span<const float> statistics, float* losses, std::uint8_t* right) {
  const std::lock_guard lock(evaluating_);
  LAB_CHECK(!step_.isUnderWay() && (&examples == &parts_.dataset.train || &examples == &parts_.dataset.test));
  GpuDevice& d = parts_.device(replica);
  const auto n = std::ssize(indices);
  reserve(d, n);
  parts_.waitForAll();  // its parameters are overwritten next
  d.beginStep(0);
  d.takeIndices(indices, examples.count);
  const GpuExamples& data = *at(parts_.data, d.gpu);
  const bool test = &examples == &parts_.dataset.test;
  d.pixels = test ? data.testPixels : data.trainPixels;
  d.labels = test ? data.testLabels : data.trainLabels;
  std::vector<std::uint8_t> predictions(indices.size());
  list_.erase();
  list_.copy(d.stream, d.evaluated, weights, parts_.layout().bytes());
  copyParameters(d, n);
  gather(d, n);
  if (parts_.course)
    forward(*d.backend, parts_.settings.precision, n, d.evaluated, d.activations);
  else
    evaluateNetwork(d, n, statistics);
  list_.copy(d.stream, losses, d.activations.losses, n * 4);
  list_.copy(d.stream, predictions.data(), d.activations.predictions, n);
  parts_.layer->submit(list_.commands());
  list_.erase();
  parts_.layer->waitForStream(d.stream);
  for (std::size_t i = 0; i < indices.size(); ++i) right[i] = predictions[i] == at(examples.labels, indices[i]) ? 1 : 0;
}

void GpuCompute::evaluateNetwork(GpuDevice& d, std::int64_t n, std::span<const float> statistics) {
  LAB_CHECK(std::ssize(statistics) == parts_.settings.network->statistics().size());
  list_.copy(d.stream, d.evaluatedStatistics, statistics.data(), parts_.settings.network->statistics().bytes());
  PassOf of = passOf(d, 0, true);
  of.examples = n;
  of.weights = d.evaluated;
  of.statistics = d.evaluatedStatistics;
  of.training = false;
  const GpuLayerPass::On on{.backend = d.backend.get(), .layers = d.layers.get()};
  LAB_CHECK(
      GpuLayerPass(on, *parts_.settings.network, parts_.settings.precision, of, d.activations, d.layerMemory, nullptr)
          .run());
}

}  // namespace lab
