// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/playback/aggregation.h"

#include <algorithm>
#include <limits>

#include "core/base/error.h"
#include "core/cluster/labels.h"

namespace lab {
namespace {

// Where transfers are not recorded (NCCL between GPUs): when every replica's all-reduce was done, from which on all
// have the sum.
std::int64_t summedNs(const StepRecord& record) {
  std::int64_t ns = std::numeric_limits<std::int64_t>::max();
  for (const Span& span : record.spans) {
    if (span.kind != SpanKind::Reduce || span.label != labelOf(Label::AllReduce) || span.step != record.metric.step)
      continue;
    const std::int64_t endNs = span.startNs + span.durationNs;
    ns = ns == std::numeric_limits<std::int64_t>::max() ? endNs : std::max(ns, endNs);
  }
  return ns;
}

}  // namespace

Aggregation::Aggregation(const TraceLegend& legend, const StepRecord& record)
    : record_(record), endpoints_(legend.endpoints.size()), summedNs_(summedNs(record)) {
  std::vector<std::int64_t> edges{0, std::ssize(record.gradients)};
  for (std::size_t i = 0; i < record.spans.size(); ++i) {
    const Span& span = record.spans[i];
    if (span.kind != SpanKind::Transfer || span.count == 0) continue;
    if (span.label != labelOf(Label::AllReduce) && span.label != labelOf(Label::PushGradients)) continue;
    transfers_.push_back(i);
    // A server's share may lie in pieces all over the network; it is drawn on a shard, not as cells.
    if (span.round < 0) continue;
    edges.push_back(span.offset);
    edges.push_back(span.offset + span.count);
  }
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  for (std::size_t i = 1; i < edges.size(); ++i) cells_.push_back({edges[i - 1], edges[i] - edges[i - 1]});
}

std::size_t Aggregation::firstCell(const Span& transfer) const {
  if (transfer.round < 0) return 0;
  const auto found = std::ranges::lower_bound(cells_, transfer.offset, {}, &GradientCell::offset);
  return static_cast<std::size_t>(found - cells_.begin());
}

std::size_t Aggregation::endCell(const Span& transfer) const {
  if (transfer.round < 0) return cells_.size();
  const auto found = std::ranges::lower_bound(cells_, transfer.offset + transfer.count, {}, &GradientCell::offset);
  return static_cast<std::size_t>(found - cells_.begin());
}

Aggregation::State Aggregation::stateAt(std::int64_t ns) const {
  State state;
  state.of.resize(endpoints_ * cells_.size());
  for (std::size_t r = 0; r < record_.replicas.size() && r < endpoints_; ++r)
    for (std::size_t c = 0; c < cells_.size(); ++c) state.of[r * cells_.size() + c].set(r);
  if (isSummed(ns)) {
    const std::size_t replicas = std::min(record_.replicas.size(), endpoints_);
    for (std::size_t i = 0; i < replicas * cells_.size(); ++i)
      for (std::size_t r = 0; r < replicas; ++r) state.of[i].set(r);
  }
  for (const std::size_t i : transfers_) {
    const Span& span = record_.spans[i];
    if (span.startNs + span.durationNs > ns) continue;
    for (std::size_t c = firstCell(span); c < endCell(span); ++c) {
      const Contributions& from = state.of[static_cast<std::size_t>(span.from) * cells_.size() + c];
      Contributions& to = state.of[static_cast<std::size_t>(span.to) * cells_.size() + c];
      to = span.add ? to | from : from;
    }
  }
  return state;
}

namespace {

// Elements [offset, offset + count) of every endpoint's buffer.
using Buffers = std::vector<std::vector<float>>;

Buffers startOf(const StepRecord& record, std::size_t endpoints, std::int64_t offset, std::int64_t count) {
  Buffers buffers(endpoints, std::vector<float>(static_cast<std::size_t>(count), 0.0F));
  for (std::size_t r = 0; r < record.replicas.size() && r < endpoints; ++r) {
    const ReplicaStep& replica = record.replicas[r];
    const std::vector<float>& own = record.averagesWeights() ? replica.ownWeights : replica.gradients;
    if (own.empty()) continue;
    LAB_CHECK(offset >= 0 && offset + count <= std::ssize(own));
    std::copy_n(own.begin() + offset, count, buffers[r].begin());
  }
  return buffers;
}

// The part of the transfer that lies in the range.
void apply(const Span& transfer, std::int64_t offset, std::int64_t count, Buffers& buffers) {
  const bool whole = transfer.round < 0;  // a server's share: its elements are not one range
  const std::int64_t begin = whole ? offset : std::max(offset, transfer.offset);
  const std::int64_t end = whole ? offset + count : std::min(offset + count, transfer.offset + transfer.count);
  const std::vector<float>& from = buffers[static_cast<std::size_t>(transfer.from)];
  std::vector<float>& to = buffers[static_cast<std::size_t>(transfer.to)];
  for (std::int64_t i = begin; i < end; ++i) {
    const auto at = static_cast<std::size_t>(i - offset);
    to[at] = transfer.add ? to[at] + from[at] : from[at];
  }
}

}  // namespace

Aggregation::Numbers Aggregation::numbers(std::size_t transfer, std::int64_t offset, std::int64_t count) const {
  LAB_CHECK(transfer < record_.spans.size() && count >= 0);
  Buffers buffers = startOf(record_, endpoints_, offset, count);
  for (const std::size_t i : transfers_) {
    const Span& span = record_.spans[i];
    if (i != transfer) {
      apply(span, offset, count, buffers);
      continue;
    }
    Numbers numbers;
    numbers.source = buffers[static_cast<std::size_t>(span.from)];
    numbers.before = buffers[static_cast<std::size_t>(span.to)];
    apply(span, offset, count, buffers);
    numbers.after = buffers[static_cast<std::size_t>(span.to)];
    return numbers;
  }
  return {};
}

std::vector<float> Aggregation::bufferAt(int endpoint, std::int64_t ns, std::int64_t offset, std::int64_t count) const {
  LAB_CHECK(endpoint >= 0 && static_cast<std::size_t>(endpoint) < endpoints_ && count >= 0);
  const std::vector<float>& all = record_.averagesWeights() ? record_.weightsAfter : record_.gradients;
  if (isSummed(ns) && offset + count <= std::ssize(all)) return {all.begin() + offset, all.begin() + offset + count};
  return std::move(buffersAt(ns, offset, count)[static_cast<std::size_t>(endpoint)]);
}

std::vector<std::vector<float>> Aggregation::buffersAt(std::int64_t ns, std::int64_t offset, std::int64_t count) const {
  const std::vector<float>& all = record_.averagesWeights() ? record_.weightsAfter : record_.gradients;
  if (isSummed(ns) && offset + count <= std::ssize(all))
    return Buffers(endpoints_, {all.begin() + offset, all.begin() + offset + count});
  Buffers buffers = startOf(record_, endpoints_, offset, count);
  for (const std::size_t i : transfers_) {
    const Span& span = record_.spans[i];
    if (span.startNs + span.durationNs <= ns) apply(span, offset, count, buffers);
  }
  return buffers;
}

}  // namespace lab
