// SPDX-License-Identifier: GPL-3.0-or-later
// Networks other than the course's on GPUs: their layers one by one (gpu_layers.h), replicas that exchange statistics
// of a batch normalisation on the way, evaluation, and moving statistics: every replica's own, or passed on by the
// host.
#include <algorithm>

#include "core/base/error.h"
#include "core/cluster/gpu/gpu_device.h"
#include "core/cluster/gpu/gpu_layers.h"
#include "core/cluster/gpu/gpu_replicas.h"

namespace lab {

// What dropout counts from, with the step's other numbers; by themselves, where the step was interrupted.
void GpuReplicas::takePlace(Device& d, const Replica& replica) {
  d.takePlace(replica.version, replica.globalOffset);
  if (d.areParametersSent()) d.sendNumbers();
}

PassOf GpuReplicas::passOf(Device& d, float scale, bool again) {
  return {.examples = d.n,
          .scale = scale,
          .weights = d.weights,
          .statistics = d.statistics,
          .movesStatistics = !again,
          .seed = settings_.seed};
}

GpuLayerPass GpuReplicas::passOn(Device& d, float scale, bool again, const OperationObserver& observer) {
  std::int64_t all = 0;
  for (int r = 0; r < members().size(); ++r) all += std::ssize(members().replica(r).shard());
  const GpuLayerPass::On on{.backend = d.backend.get(),
                            .layers = d.layers.get(),
                            .replica = first_ + d.index,
                            .replicas = d.replicas,
                            .stepAndPlace = d.stepAndPlace(),
                            .allExamples = all,
                            .again = again};
  return {on,
          *settings_.network,
          settings_.precision,
          passOf(d, scale, again),
          d.activations,
          d.layerMemory,
          d.gradients,
          observer};
}

OperationObserver GpuReplicas::observerOf(Device& d, std::vector<TimedSpan>& spans, int& began) {
  return [this, &d, &spans, &began](int operation, bool begin) {
    if (begin) {
      began = stamp(d);
      return;
    }
    Span span = spanOn(d.index, SpanKind::Compute, labelOfOperation(operation));
    span.count = d.n;
    spans.push_back({span, began, stamp(d), d.gpu, slot_->pauses.size()});
  };
}

void GpuReplicas::computeNetwork(Device& d, float scale, std::vector<TimedSpan>* spans, bool again) {
  int began = -1;
  const OperationObserver observer = spans != nullptr ? observerOf(d, *spans, began) : OperationObserver();
  GpuLayerPass pass = passOn(d, scale, again, observer);
  LAB_CHECK(pass.run());
}

// Every replica's row of sums to all others, which add them in the replicas' order.
void GpuReplicas::exchange(std::vector<GpuLayerPass>& passes) {
  const std::int64_t everywhere = members().size();
  ledger_.addBytesSent(everywhere * (everywhere - 1) * passes.front().exchangedChannels() *
                       std::int64_t{sizeof(ChannelSums)});
  if (among_ != nullptr) return exchangeOverHosts(passes);
  std::vector<int> written;
  for (const auto& each : devices_) {
    written.push_back(dependency(*each));
    list_.record(each->stream, written.back());
  }
  for (std::size_t to = 0; to < passes.size(); ++to)
    for (std::size_t from = 0; from < passes.size(); ++from) {
      if (from == to) continue;
      const std::int64_t channels = passes[from].exchangedChannels(), row = static_cast<std::int64_t>(from) * channels;
      list_.wait(devices_[to]->stream, written[from]);
      list_.copy(devices_[to]->stream, passes[to].exchanged() + row, passes[from].exchanged() + row,
                 channels * std::int64_t{sizeof(ChannelSums)});
    }
}

// The same between processes. The step stops there, and is no graph.
void GpuReplicas::exchangeOverHosts(std::vector<GpuLayerPass>& passes) {
  const std::int64_t row = passes.front().exchangedChannels() * std::int64_t{sizeof(ChannelSums)};
  const std::int64_t here = std::ssize(devices_), everywhere = members().size();
  if (exchanged_.as<void>() == nullptr) {
    std::int64_t most = 0;  // channels
    for (const NetworkLayer& layer : settings_.network->layers())
      if (layer.synchronized) most = std::max(most, layer.output.back());
    exchanged_ = gpu::PinnedMemory(*layer_, (here + everywhere) * most * std::int64_t{sizeof(ChannelSums)});
  }
  auto *mine = exchanged_.as<std::byte>(), *all = mine + here * row;
  std::vector<int> began;
  for (const auto& each : devices_) {
    if (spansWanted()) began.push_back(stamp(*each));
    const ChannelSums* own = passes[static_cast<std::size_t>(each->index)].exchanged();
    list_.copy(each->stream, mine + each->index * row,
               reinterpret_cast<const std::byte*>(own) + (first_ + each->index) * row, row);
  }
  flush();
  among_->gather({mine, static_cast<std::size_t>(here * row)}, {all, static_cast<std::size_t>(everywhere * row)});
  for (const auto& each : devices_) {
    const auto index = static_cast<std::size_t>(each->index);
    list_.copy(each->stream, passes[index].exchanged(), all, everywhere * row);
    if (!spansWanted()) continue;
    const Span span = spanOn(each->index, SpanKind::Reduce, labelOf(Label::ExchangeSums));
    slot_->spans.push_back({span, began[index], stamp(*each), each->gpu, slot_->pauses.size()});
  }
}

// Their layers are enqueued in turn. Somebody who watches sees the stamps between them, for a layer of one replica
// alone would not have the others' sums.
void GpuReplicas::forwardBackwardTogether(const std::function<float(const Replica&)>& scaleOf, const SumsSchedule&) {
  list_.beginRange("forward and backward");
  std::vector<int> began(devices_.size(), -1);
  std::vector<GpuLayerPass> passes;
  passes.reserve(devices_.size());
  for (const auto& each : devices_) {
    const auto index = static_cast<std::size_t>(each->index);
    takePlace(*each, replicaOf(*each));
    OperationObserver observer;
    if (spansWanted()) observer = observerOf(*each, slot_->spans, began[index]);
    passes.push_back(passOn(*each, scaleOf(replicaOf(*each)), false, observer));
  }
  for (bool done = false; !done;) {
    const auto ended = std::ranges::count_if(passes, [](GpuLayerPass& pass) { return pass.run(); });
    LAB_CHECK(ended == 0 || ended == std::ssize(passes));
    done = ended != 0;
    if (!done) exchange(passes);
  }
  for (const auto& each : devices_) tally(*each, each->stream);
  list_.endRange();
}

void GpuReplicas::evaluateNetwork(Device& d, std::int64_t n) {
  LAB_CHECK(std::ssize(evaluated_) == settings_.network->statistics().size());
  list_.copy(d.stream, d.evaluatedStatistics, evaluated_.data(), settings_.network->statistics().bytes());
  PassOf of = passOf(d, 0, true);
  of.examples = n;
  of.weights = d.evaluated;
  of.statistics = d.evaluatedStatistics;
  of.training = false;
  const GpuLayerPass::On on{.backend = d.backend.get(), .layers = d.layers.get()};
  LAB_CHECK(GpuLayerPass(on, *settings_.network, settings_.precision, of, d.activations, d.layerMemory, nullptr).run());
}

std::span<float> GpuReplicas::passedStatistics(const Device& d) {
  const std::int64_t size = settings_.network->statistics().size();
  if (size == 0) return {};
  if (passed_.as<void>() == nullptr) passed_ = gpu::PinnedMemory(*layer_, std::ssize(devices_) * size * 4);
  return {passed_.as<float>() + d.index * size, static_cast<std::size_t>(size)};
}

void GpuReplicas::passStatistics(Device& d, bool toHost) {
  const std::span<float> host = passedStatistics(d);
  list_.copy(d.stream, toHost ? host.data() : d.statistics, toHost ? d.statistics : host.data(),
             static_cast<std::int64_t>(host.size_bytes()));
}

// Of an asynchronous worker the host's are what counts.
void GpuReplicas::copyStatistics(bool toHost) {
  if (settings_.network->statistics().size() == 0 || asynchronous_) return;
  waitForAll();
  for (const auto& each : devices_) {
    AlignedBuffer<float>& host = replicaOf(*each).variables.statistics;
    gpu::CommandList list;
    if (toHost)
      list.copy(each->stream, host.data(), each->statistics, host.bytes());
    else
      list.copy(each->stream, each->statistics, host.data(), host.bytes());
    layer_->submit(list.commands());
    layer_->waitForStream(each->stream);
  }
}

void GpuReplicas::fetchStatistics() {
  copyStatistics(true);
}
void GpuReplicas::sendStatistics() {
  copyStatistics(false);
}

}  // namespace lab
