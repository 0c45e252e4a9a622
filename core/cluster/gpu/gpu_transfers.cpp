// SPDX-License-Identifier: GPL-3.0-or-later
// How values travel between GPUs, and between them and the host: as commands, with just the events that the order of a
// schedule's transfers needs.
#include <algorithm>
#include <utility>

#include "core/base/aligned_buffer.h"
#include "core/base/error.h"
#include "core/cluster/gpu/gpu_device.h"
#include "core/cluster/gpu/gpu_replicas.h"
#include "core/cluster/parameter_device.h"
#include "core/comm/execute.h"

namespace lab {
namespace {

// What others must wait for before they touch a replica's buffer.
struct Access {
  int written = -1;          // event: its own last write
  std::vector<int> readers;  // events: reads by others since
};

Span transferSpan(Topology& topology, int from, int to, Label label, std::int64_t offset, std::int64_t count) {
  Span span;
  span.bytes = count * 4;
  span.offset = offset;
  span.count = count;
  span.lane = topology.linkLane(from, to);
  span.from = from;
  span.to = to;
  span.label = labelOf(label);
  span.kind = SpanKind::Transfer;
  span.clock = TimeSource::Measured;
  return span;
}

}  // namespace

void GpuReplicas::carry(const Transfer& transfer, std::int64_t base, Buffer buffer, Label label, int pack) {
  Device &from = device(transfer.from), &to = device(transfer.to);
  const std::int64_t at = base + transfer.offset;
  const float* source = (buffer == Buffer::Weights ? from.weights : from.gradients) + at;
  float* destination = (buffer == Buffer::Weights ? to.weights : to.gradients) + at;
  Span span = transferSpan(topology_, transfer.from, transfer.to, label, at, transfer.count);
  span.step = step_;
  span.round = transfer.round;
  span.pack = pack;
  span.add = transfer.add;
  timed(to, span, [&] {
    if (!transfer.add) {
      list_.copy(to.stream, destination, source, transfer.count * 4);
      return;
    }
    if (from.gpu != to.gpu) {  // brought over first: not every pair of GPUs can read each other's memory
      list_.copy(to.stream, to.exchange, source, transfer.count * 4);
      source = to.exchange;
    }
    to.backend->add(transfer.count, source, destination);
  });
}

// The work of a transfer is done on the receiver's stream, which alone writes the receiver's buffer. It waits for the
// sender's last write of an earlier round, and for those that still read what it overwrites.
void GpuReplicas::run(const Schedule& schedule, std::int64_t base, Buffer buffer, Label label, int pack) {
  if (schedule.transfers.empty()) return;
  LAB_CHECK(schedule.ranks <= static_cast<int>(devices_.size()));
  list_.beginRange("collective");
  beginCommunication();
  const auto ranks = static_cast<std::size_t>(schedule.ranks);
  std::vector<Access> accesses(ranks);
  for (std::size_t r = 0; r < ranks; ++r) {
    accesses[r].written = dependency(*devices_[r]);
    list_.record(devices_[r]->stream, accesses[r].written);
  }
  std::vector<int> began(ranks, -1);
  if (spansWanted())
    for (std::size_t r = 0; r < ranks; ++r) began[r] = stamp(*devices_[r]);

  const std::vector<Transfer>& transfers = schedule.transfers;
  for (std::size_t first = 0, next = 0; first < transfers.size(); first = next) {
    while (next < transfers.size() && transfers[next].round == transfers[first].round) ++next;
    std::vector<std::pair<std::size_t, int>> written, read;
    for (std::size_t i = first; i < next; ++i) {
      const Transfer& transfer = transfers[i];
      Device& to = device(transfer.to);
      Access& target = accesses[static_cast<std::size_t>(transfer.to)];
      list_.wait(to.stream, accesses[static_cast<std::size_t>(transfer.from)].written);
      for (const int reader : std::exchange(target.readers, {})) list_.wait(to.stream, reader);
      carry(transfer, base, buffer, label, pack);
      const int done = dependency(to);
      list_.record(to.stream, done);
      written.emplace_back(static_cast<std::size_t>(transfer.to), done);
      read.emplace_back(static_cast<std::size_t>(transfer.from), done);
    }
    for (const auto& [rank, event] : written) accesses[rank].written = event;
    for (const auto& [rank, event] : read) accesses[rank].readers.push_back(event);
  }
  // The next writer of the buffer waits for its readers.
  for (std::size_t r = 0; r < ranks; ++r)
    for (const int reader : accesses[r].readers) list_.wait(devices_[r]->stream, reader);
  for (std::size_t r = 0; spansWanted() && r < ranks; ++r) {
    Span span = spanOn(static_cast<int>(r), SpanKind::Reduce, labelOf(label));
    span.pack = pack;
    slot_->spans.push_back({span, began[r], stamp(*devices_[r]), devices_[r]->gpu, slot_->pauses.size()});
  }
  endCommunication();
  list_.endRange();
}

void GpuReplicas::prepare(const ReductionPlan& plan) {
  if (!usesNccl(plan)) return;
  std::vector<int> gpus;
  for (const auto& each : devices_) gpus.push_back(each->gpu);
  layer_->createRanks(gpus);
}

void GpuReplicas::allReduceWithNccl(const Pack& range, Buffer buffer, int pack) {
  list_.beginRange("nccl all-reduce");
  beginCommunication();
  std::vector<int> began;
  if (spansWanted())
    for (const auto& each : devices_) began.push_back(stamp(*each));
  for (const auto& each : devices_)
    list_.allReduce(each->stream, each->index,
                    (buffer == Buffer::Weights ? each->weights : each->gradients) + range.offset, range.count);
  for (std::size_t r = 0; r < began.size(); ++r) {
    Span span = spanOn(static_cast<int>(r), SpanKind::Reduce, labelOf(Label::AllReduce));
    span.pack = pack;
    span.bytes = range.count * 4;
    slot_->spans.push_back({span, began[r], stamp(*devices_[r]), devices_[r]->gpu, slot_->pauses.size()});
  }
  endCommunication();
  list_.endRange();
}

void GpuReplicas::broadcast(const Schedule& schedule) {
  send(replica(0));
  run(schedule, 0, Buffer::Weights, Label::Broadcast, -1);
}

void GpuReplicas::allReduce(const ReductionPlan& plan, ReduceTarget what, ReduceOp then) {
  const Buffer buffer = what == ReduceTarget::Weights ? Buffer::Weights : Buffer::Gradients;
  for (std::size_t i = 0; i < plan.packs.size(); ++i) {
    const PackedSchedule& packed = plan.packs[i];
    if (usesNccl(plan))
      allReduceWithNccl(packed.pack, buffer, static_cast<int>(i));
    else
      run(packed.schedule, packed.pack.offset, buffer, Label::AllReduce, static_cast<int>(i));
  }
  if (then == ReduceOp::Mean)
    for (const auto& each : devices_) {
      float* values = what == ReduceTarget::Weights ? each->weights : each->gradients;
      divide(*each->backend, members().size(), {values, static_cast<std::size_t>(layout().size())});
    }
}

void GpuReplicas::exchangeOnHost(ReduceTarget what, const std::function<void()>& exchange) {
  const auto eachBuffer = [&](const auto& copy) {
    for (const auto& each : devices_) {
      Variables& host = replicaOf(*each).variables;
      AlignedBuffer<float>& buffer = what == ReduceTarget::Weights ? host.weights : host.gradients;
      pin(buffer.data(), buffer.bytes());
      copy(each->stream, buffer.data(), what == ReduceTarget::Weights ? each->weights : each->gradients,
           buffer.bytes());
    }
  };
  beginCommunication();
  eachBuffer([&](int stream, float* host, float* gpu, std::int64_t bytes) { list_.copy(stream, host, gpu, bytes); });
  flush();
  exchange();
  eachBuffer([&](int stream, float* host, float* gpu, std::int64_t bytes) { list_.copy(stream, gpu, host, bytes); });
  endCommunication();
}

void GpuReplicas::pullFrom(ParameterDevice& parameters, const Schedule&) {
  for (const auto& each : devices_)
    sendWeights(*each, parameters.variables.weights.data(), topology_.parameterDevice(0));
}

// The variables are in the host's memory, so the gradients come over and the host adds them, in the schedule's order.
void GpuReplicas::reduceTo(ParameterDevice& parameters, const Schedule& schedule) {
  const auto endpoint = static_cast<std::size_t>(topology_.parameterDevice(0));
  std::vector<float*> buffers(static_cast<std::size_t>(topology_.endpoints()), nullptr);
  buffers[endpoint] = parameters.variables.gradients.data();
  for (const auto& each : devices_) {
    float* host = replica(each->index).variables.gradients.data();
    buffers[static_cast<std::size_t>(each->index)] = host;
    fetchGradients(*each, host, static_cast<int>(endpoint));
    if (averages_) passStatistics(*each, true);
  }
  flush();
  if (std::exchange(averages_, false)) {
    for (const auto& each : devices_)
      std::ranges::copy(passedStatistics(*each), replica(each->index).variables.statistics.data());
    ReplicaGroup::averageStatistics();
    for (const auto& each : devices_) {
      std::ranges::copy(replica(each->index).variables.statistics.span(), passedStatistics(*each).begin());
      passStatistics(*each, false);
    }
  }
  parameters.clock.begin();
  std::ranges::fill(parameters.variables.gradients.span(), 0.0F);
  execute(schedule, 0, buffers, *settings_.backend, pool_);
  parameters.clock.end(SpanKind::Reduce, labelOf(Label::AddGradients), parameters.size());
}

// Several packs are one communication: the first begins it, the last ends it.
void GpuReplicas::beginCommunication() {
  if (!slot_->communications.empty() || members().size() == 1) return;
  for (const auto& each : devices_)
    slot_->communications.push_back({stamp(*each), -1, each->gpu, slot_->pauses.size(), 0});
}
void GpuReplicas::endCommunication() {
  for (std::size_t r = 0; r < slot_->communications.size(); ++r) {
    slot_->communications[r].end = stamp(*devices_[r]);
    slot_->communications[r].pauses = slot_->pauses.size();
  }
}

// A smaller buffer shares pages with others: CUDA refuses to lock a page twice, and copies that begin on a locked page
// and end on another.
void GpuReplicas::pin(void* memory, std::int64_t bytes) {
  if (bytes < static_cast<std::int64_t>(kLargeBufferBytes)) return;
  if (std::ranges::find(pinned_, memory) != pinned_.end()) return;
  layer_->pin(memory, bytes);
  pinned_.push_back(memory);
}

void GpuReplicas::sendWeights(Device& d, float* host, std::optional<int> endpoint) {
  pin(host, layout().bytes());
  const auto copy = [&] { list_.copy(d.stream, d.weights, host, layout().bytes()); };
  if (!endpoint) return copy();
  Span span = transferSpan(topology_, *endpoint, d.index, Label::PullWeights, 0, layout().size());
  span.step = step_;
  timed(d, span, copy);
}

void GpuReplicas::fetchGradients(Device& d, float* host, std::optional<int> endpoint) {
  pin(host, layout().bytes());
  const auto copy = [&] { list_.copy(d.stream, host, d.gradients, layout().bytes()); };
  if (!endpoint) return copy();
  Span span = transferSpan(topology_, d.index, *endpoint, Label::PushGradients, 0, layout().size());
  span.step = step_;
  span.add = true;  // the host adds what it gets
  timed(d, span, copy);
}

}  // namespace lab
