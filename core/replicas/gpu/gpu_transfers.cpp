// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/replicas/gpu/gpu_transfers.h"

#include <algorithm>
#include <utility>

#include "core/base/aligned_buffer.h"
#include "core/base/at.h"
#include "core/base/error.h"
#include "core/comm/execute.h"

namespace lab {
namespace {

// The events that others must wait for before they touch a replica's buffer.
struct Access {
  int written = -1;          // event: its own last write
  std::vector<int> readers;  // events: reads by others since
};

// Calls body(the host's buffer, the GPU's) for what a replica keeps from step to step: whole, or its part.
template <typename AnyVariables, typename Body>
void forEachKept(const GpuDevice& d, AnyVariables& host, const Body& body) {
  auto& shard = host.shard;
  if (shard.isOf(Sharding::Weights))
    body(shard.weights, d.partOfWeights);
  else
    body(host.weights, d.weights);
  auto& slots = shard.what == Sharding::None ? host.slotValues : shard.slotValues;
  for (std::size_t i = 0; i < slots.size(); ++i) body(slots[i], d.slotValues[i]);
}

}  // namespace

GpuTransfers::~GpuTransfers() {
  for (void* memory : pinned_) parts_.layer->unpin(memory);
}

void GpuTransfers::carry(const Transfer& transfer, std::int64_t base, Buffer buffer, Label label, int pack) {
  GpuDevice &from = parts_.device(transfer.from), &to = parts_.device(transfer.to);
  const std::int64_t at = base + transfer.offset;
  const float* source = (buffer == Buffer::Weights ? from.weights : from.gradients) + at;
  float* destination = (buffer == Buffer::Weights ? to.weights : to.gradients) + at;
  Span span = parts_.topology.transferSpan(transfer, base, label, pack);
  span.step = step_.number();
  step_.timed(to, span, [&] {
    if (!transfer.add) {
      list_.copy(to.stream, destination, source, transfer.count * 4);
      return;
    }
    if (from.gpu != to.gpu) {  // copied over first, since not every pair of GPUs can read each other's memory
      list_.copy(to.stream, to.exchange, source, transfer.count * 4);
      source = to.exchange;
    }
    to.backend->add(transfer.count, source, destination);
  });
}

// A transfer runs on the receiver's stream, the only one that writes the receiver's buffer. This stream waits for the
// sender's last write in an earlier round, and for readers of the values that it overwrites.
void GpuTransfers::run(const Schedule& schedule, std::int64_t base, Buffer buffer, Label label, int pack) {
  if (schedule.transfers.empty()) return;
  LAB_CHECK(schedule.ranks <= static_cast<int>(parts_.devices.size()));
  list_.beginRange("collective");
  const auto ranks = static_cast<std::size_t>(schedule.ranks);
  std::vector<Access> accesses(ranks);
  for (std::size_t r = 0; r < ranks; ++r) {
    accesses[r].written = step_.dependency(*parts_.devices[r]);
    list_.record(parts_.devices[r]->stream, accesses[r].written);
  }
  std::vector<int> began(ranks, -1);
  if (step_.spansWanted())
    for (std::size_t r = 0; r < ranks; ++r) began[r] = step_.stamp(*parts_.devices[r]);

  const std::vector<Transfer>& transfers = schedule.transfers;
  for (std::size_t first = 0, next = 0; first < transfers.size(); first = next) {
    while (next < transfers.size() && transfers[next].round == transfers[first].round) ++next;
    std::vector<std::pair<std::size_t, int>> written, read;
    for (std::size_t i = first; i < next; ++i) {
      const Transfer& transfer = transfers[i];
      GpuDevice& to = parts_.device(transfer.to);
      Access& target = at(accesses, transfer.to);
      list_.wait(to.stream, at(accesses, transfer.from).written);
      for (const int reader : std::exchange(target.readers, {})) list_.wait(to.stream, reader);
      carry(transfer, base, buffer, label, pack);
      const int done = step_.dependency(to);
      list_.record(to.stream, done);
      written.emplace_back(static_cast<std::size_t>(transfer.to), done);
      read.emplace_back(static_cast<std::size_t>(transfer.from), done);
    }
    for (const auto& [rank, event] : written) accesses[rank].written = event;
    for (const auto& [rank, event] : read) accesses[rank].readers.push_back(event);
  }
  // The next write to a buffer waits for the buffer's readers.
  for (std::size_t r = 0; r < ranks; ++r)
    for (const int reader : accesses[r].readers) list_.wait(parts_.devices[r]->stream, reader);
  if (step_.spansWanted()) addReduceSpans(began, label, pack);
  list_.endRange();
}

// One span for each replica, from its stamp until now.
void GpuTransfers::addReduceSpans(const std::vector<int>& began, Label label, int pack) {
  for (std::size_t r = 0; r < began.size(); ++r) {
    Span span = step_.spanOn(static_cast<int>(r), SpanKind::Reduce, labelOf(label));
    span.pack = pack;
    step_.addSpan(*parts_.devices[r], span, began[r]);
  }
}

// w + (v - w) / inMean, as on the processor (comm/execute.cpp): v and w are what both had before.
void GpuTransfers::averageIn(const Transfer& transfer, std::int64_t base, std::size_t inMean) {
  GpuDevice &from = parts_.device(transfer.from), &to = parts_.device(transfer.to);
  const std::int64_t at = base + transfer.offset;
  list_.copy(to.stream, to.exchange, from.evaluated + at, transfer.count * 4);
  to.backend->sgd(transfer.count, 1, 0, to.evaluated + at, nullptr, to.exchange);
  to.backend->sgd(transfer.count, -1.0F / static_cast<float>(inMean), 0, to.exchange, nullptr, to.weights + at);
}

// Each replica keeps a copy of what it had, which it and its neighbours read while it changes its weights. Nobody
// writes to these copies again in this step, so the receivers wait for them and for nothing else.
void GpuTransfers::average(const Schedule& schedule, std::int64_t base, Label label, int pack) {
  if (schedule.transfers.empty()) return;
  LAB_CHECK(schedule.ranks == static_cast<int>(parts_.devices.size()));
  list_.beginRange("average");
  std::vector<int> began, kept;
  for (const auto& each : parts_.devices) {
    if (step_.spansWanted()) began.push_back(step_.stamp(*each));
    list_.copy(each->stream, each->evaluated + base, each->weights + base, schedule.elements * 4);
    kept.push_back(step_.dependency(*each));
    list_.record(each->stream, kept.back());
  }
  const std::vector<std::vector<int>> means = ranksInSums(schedule);
  for (const Transfer& transfer : schedule.transfers) {
    GpuDevice& to = parts_.device(transfer.to);
    list_.wait(to.stream, at(kept, transfer.from));
    Span span = parts_.topology.transferSpan(transfer, base, label, pack);
    span.step = step_.number();
    const std::size_t inMean = at(means, transfer.to).size();
    step_.timed(to, span, [&] { averageIn(transfer, base, inMean); });
  }
  addReduceSpans(began, label, pack);
  list_.endRange();
}

void GpuTransfers::broadcast(const Schedule& schedule) {
  step_.beginCommunication();
  run(schedule, 0, Buffer::Weights, Label::Broadcast, -1);
  step_.endCommunication();
}

void GpuTransfers::prepare(const ReductionPlan& plan) {
  for (const auto& each : parts_.devices)
    if (plan.ofNeighbours()) each->reserveExchange(*parts_.layer, parts_.layout());
  if (!usesNccl(plan)) return;
  std::vector<int> gpus;
  for (const auto& each : parts_.devices) gpus.push_back(each->gpu);
  parts_.layer->createRanks(gpus);
}

void GpuTransfers::allReduceWithNccl(const Pack& range, Buffer buffer, int pack) {
  list_.beginRange("nccl all-reduce");
  std::vector<int> began;
  if (step_.spansWanted())
    for (const auto& each : parts_.devices) began.push_back(step_.stamp(*each));
  for (const auto& each : parts_.devices)
    list_.allReduce(each->stream, each->index,
                    (buffer == Buffer::Weights ? each->weights : each->gradients) + range.offset, range.count);
  for (std::size_t r = 0; r < began.size(); ++r) {
    Span span = step_.spanOn(static_cast<int>(r), SpanKind::Reduce, labelOf(Label::AllReduce));
    span.pack = pack;
    span.bytes = range.count * 4;
    step_.addSpan(*parts_.devices[r], span, began[r]);
  }
  list_.endRange();
}

void GpuTransfers::allReduce(const ReductionPlan& plan, ReduceTarget what, ReduceOp then) {
  const Buffer buffer = what == ReduceTarget::Weights ? Buffer::Weights : Buffer::Gradients;
  LAB_CHECK(!plan.ofNeighbours() || buffer == Buffer::Weights);
  if (plan.ofNeighbours())
    for (const auto& each : parts_.devices) step_.sendNumbers(*each);
  step_.beginCommunication();
  for (std::size_t i = 0; i < plan.packs.size(); ++i) {
    const PackedSchedule& packed = plan.packs[i];
    if (usesNccl(plan))
      allReduceWithNccl(packed.pack, buffer, static_cast<int>(i));
    else if (plan.ofNeighbours())
      average(packed.schedule, packed.pack.offset, plan.label(), static_cast<int>(i));
    else
      run(packed.schedule, packed.pack.offset, buffer, plan.label(), static_cast<int>(i));
  }
  step_.endCommunication();
  if (plan.inParts) keepSummedGradients();
  if (then != ReduceOp::Mean) return;
  const std::vector<std::vector<int>> sums = plan.replicasInSums();
  for (const auto& each : parts_.devices) {
    if (each->areParametersSent()) each->sendNumbers();
    float* values = what == ReduceTarget::Weights ? each->weights : each->gradients;
    divide(*each->backend, at(sums, each->index).size(), {values, static_cast<std::size_t>(parts_.layout().size())});
  }
}

// ---- variables in parts

void GpuTransfers::copyPieces(const GpuDevice& d, float* whole, float* part, bool toPart) {
  for (const Pack& piece : parts_.replicaOf(d).variables.shard.pieces) {
    if (toPart)
      list_.copy(d.stream, part, whole + piece.offset, piece.count * 4);
    else
      list_.copy(d.stream, whole + piece.offset, part, piece.count * 4);
    part += piece.count;
  }
}

void GpuTransfers::keepSummedGradients() {
  for (const auto& each : parts_.devices) {
    Shard& shard = parts_.replicaOf(*each).variables.shard;
    shard.summed = true;
    if (shard.isOf(Sharding::Gradients)) copyPieces(*each, each->gradients, each->partOfGradients, true);
  }
}

void GpuTransfers::takeParts() {
  for (const auto& each : parts_.devices)
    if (each->partOfWeights != nullptr) copyPieces(*each, each->weights, each->partOfWeights, true);
}

void GpuTransfers::gather(const ReductionPlan& plan) {
  for (const auto& each : parts_.devices)
    if (each->partOfWeights != nullptr) copyPieces(*each, each->weights, each->partOfWeights, false);
  step_.beginCommunication();
  for (std::size_t i = 0; i < plan.packs.size(); ++i)
    run(plan.packs[i].gather, plan.packs[i].pack.offset, Buffer::Weights, Label::GatherWeights, static_cast<int>(i));
  step_.endCommunication();
}

void GpuTransfers::exchangeOnHost(ReduceTarget what, const std::function<void()>& exchange) {
  const auto eachBuffer = [&](const auto& copy) {
    for (const auto& each : parts_.devices) {
      Variables& host = parts_.replicaOf(*each).variables;
      AlignedBuffer<float>& buffer = what == ReduceTarget::Weights ? host.weights : host.gradients;
      pin(buffer.data(), buffer.bytes());
      copy(each->stream, buffer.data(), what == ReduceTarget::Weights ? each->weights : each->gradients,
           buffer.bytes());
    }
  };
  step_.beginCommunication();
  eachBuffer([&](int stream, float* host, float* gpu, std::int64_t bytes) { list_.copy(stream, host, gpu, bytes); });
  step_.flush();
  exchange();
  eachBuffer([&](int stream, float* host, float* gpu, std::int64_t bytes) { list_.copy(stream, gpu, host, bytes); });
  step_.endCommunication();
}

// Small buffers are not locked because they share pages with others: CUDA refuses to lock a page twice, and refuses
// copies that begin on a locked page and end on another.
void GpuTransfers::pin(void* memory, std::int64_t bytes) {
  if (bytes < static_cast<std::int64_t>(kLargeBufferBytes)) return;
  if (std::ranges::find(pinned_, memory) != pinned_.end()) return;
  parts_.layer->pin(memory, bytes);
  pinned_.push_back(memory);
}

void GpuTransfers::sendWeights(GpuDevice& d, float* host, std::optional<int> endpoint) {
  pin(host, parts_.layout().bytes());
  const auto copy = [&] { list_.copy(d.stream, d.weights, host, parts_.layout().bytes()); };
  if (!endpoint) return copy();
  const Transfer pull{-1, *endpoint, d.index, false, 0, parts_.layout().size()};
  Span span = parts_.topology.transferSpan(pull, 0, Label::PullWeights, -1);
  span.step = step_.number();
  step_.timed(d, span, copy);
}

void GpuTransfers::fetchGradients(GpuDevice& d, float* host, std::optional<int> endpoint) {
  pin(host, parts_.layout().bytes());
  const auto copy = [&] { list_.copy(d.stream, host, d.gradients, parts_.layout().bytes()); };
  if (!endpoint) return copy();
  const Transfer push{-1, d.index, *endpoint, true, 0, parts_.layout().size()};  // the host adds what it receives
  Span span = parts_.topology.transferSpan(push, 0, Label::PushGradients, -1);
  span.step = step_.number();
  step_.timed(d, span, copy);
}

std::span<float> GpuTransfers::passedStatistics(const GpuDevice& d) {
  const std::int64_t size = parts_.settings.network->statistics().size();
  if (size == 0) return {};
  if (passed_.as<void>() == nullptr) passed_ = gpu::PinnedMemory(*parts_.layer, std::ssize(parts_.devices) * size * 4);
  return {passed_.as<float>() + d.index * size, static_cast<std::size_t>(size)};
}

void GpuTransfers::passStatistics(GpuDevice& d, bool toHost) {
  const std::span<float> host = passedStatistics(d);
  list_.copy(d.stream, toHost ? host.data() : d.statistics, toHost ? d.statistics : host.data(),
             static_cast<std::int64_t>(host.size_bytes()));
}

// For an asynchronous worker the host's statistics are the valid ones, so nothing is copied.
void GpuTransfers::copyStatistics(bool toHost) {
  if (parts_.settings.network->statistics().size() == 0 || parts_.asynchronous) return;
  parts_.waitForAll();
  for (const auto& each : parts_.devices) {
    AlignedBuffer<float>& host = parts_.replicaOf(*each).variables.statistics;
    gpu::CommandList list;
    if (toHost)
      list.copy(each->stream, host.data(), each->statistics, host.bytes());
    else
      list.copy(each->stream, each->statistics, host.data(), host.bytes());
    parts_.layer->submit(list.commands());
    parts_.layer->waitForStream(each->stream);
  }
}

void GpuTransfers::upload(GpuDevice& d, const Variables& host) {
  parts_.waitForAll();
  gpu::CommandList list;
  forEachKept(d, host,
              [&](const AlignedBuffer<float>& from, float* to) { list.copy(d.stream, to, from.data(), from.bytes()); });
  parts_.layer->submit(list.commands());
  parts_.layer->waitForStream(d.stream);
}

void GpuTransfers::download(GpuDevice& d, Variables& host) {
  parts_.waitForAll();
  Shard& shard = host.shard;
  if (shard.what != Sharding::None && !shard.summed) widenGradients(host);
  gpu::CommandList list;
  const auto copy = [&](AlignedBuffer<float>& to, const float* from) {
    list.copy(d.stream, to.data(), from, to.bytes());
  };
  forEachKept(d, host, copy);
  if (shard.summed && shard.isOf(Sharding::Gradients))
    copy(shard.gradients, d.partOfGradients);
  else
    copy(host.gradients, d.gradients);
  copy(host.statistics, d.statistics);
  parts_.layer->submit(list.commands());
  parts_.layer->waitForStream(d.stream);
}

void GpuTransfers::downloadWeights(GpuDevice& d, Variables& host) {
  parts_.waitForAll();
  gpu::CommandList list;
  list.copy(d.stream, host.weights.data(), d.weights, host.weights.bytes());
  parts_.layer->submit(list.commands());
  parts_.layer->waitForStream(d.stream);
}

void GpuTransfers::downloadOutcome(GpuDevice& d, Activations& host) {
  parts_.waitForAll();
  if (host.losses.size() < d.n) {
    host.losses = AlignedBuffer<float>(d.n);
    host.predictions = AlignedBuffer<std::uint8_t>(d.n);
    host.labels = AlignedBuffer<std::uint8_t>(d.n);
  }
  gpu::CommandList list;
  list.copy(d.stream, host.losses.data(), d.activations.losses, d.n * 4);
  list.copy(d.stream, host.predictions.data(), d.activations.predictions, d.n);
  list.copy(d.stream, host.labels.data(), d.activations.labels, d.n);
  parts_.layer->submit(list.commands());
  parts_.layer->waitForStream(d.stream);
}

}  // namespace lab
