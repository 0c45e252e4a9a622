// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/playback/aggregation.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <ranges>
#include <utility>

#include "core/base/error.h"
#include "core/cluster/labels.h"

namespace lab {
namespace {

// If transfers are not recorded (NCCL between GPUs): when every replica's all-reduce was done; from then on all
// replicas have the sum.
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
    : record_(record),
      endpoints_(legend.endpoints.size()),
      summedNs_(summedNs(record)),
      firstNs_(std::numeric_limits<std::int64_t>::max()),
      lastNs_(std::numeric_limits<std::int64_t>::min()) {
  std::vector<std::int64_t> edges{0, std::ssize(record.gradients)};
  for (std::size_t i = 0; i < record.spans.size(); ++i) {
    const Span& span = record.spans[i];
    if (span.kind != SpanKind::Transfer || span.count == 0) continue;
    if (!isReduction(span.label)) continue;
    transfers_.push_back(i);
    firstNs_ = std::min(firstNs_, span.startNs);
    lastNs_ = std::max(lastNs_, span.startNs + span.durationNs);
    const Span& first = record.spans[transfers_.front()];
    if (span.label == labelOf(Label::ShareWeights) && span.to == first.to && span.offset == first.offset)
      inMean_ = std::max<std::size_t>(inMean_, 1) + 1;
    // A server's share may consist of pieces from all over the network; it is drawn on a shard, not as cells.
    if (span.round < 0) continue;
    edges.push_back(span.offset);
    edges.push_back(span.offset + span.count);
  }
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  for (std::size_t i = 1; i < edges.size(); ++i) cells_.push_back({edges[i - 1], edges[i] - edges[i - 1]});
}

bool Aggregation::holdsWeights(std::int64_t ns) const {
  return record_.averagesWeights() && (transfers_.empty() || firstNs_ <= ns) && (inMean_ == 0 || ns <= lastNs_);
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
  if (inMean_ > 0 && !holdsWeights(ns)) return state;
  for (const std::size_t i : transfers_) {
    const Span& span = record_.spans[i];
    if (span.startNs + span.durationNs > ns) continue;
    for (std::size_t c = firstCell(span); c < endCell(span); ++c) {
      const Contributions& from = state.of[static_cast<std::size_t>(span.from) * cells_.size() + c];
      Contributions& to = state.of[static_cast<std::size_t>(span.to) * cells_.size() + c];
      if (inMean_ > 0)
        to.set(static_cast<std::size_t>(span.from));
      else
        to = span.add ? to | from : from;
    }
  }
  return state;
}

namespace {

// Keeps the memory of finished buffers for those of the next moment: fresh memory costs more than the sums in it,
// because the system hands it out page by page. Any thread.
class SpareMemory {
 public:
  std::vector<float> take() {
    const std::lock_guard lock(mutex_);
    if (kept_.empty()) return {};
    std::vector<float> memory = std::move(kept_.back());
    kept_.pop_back();
    return memory;
  }
  void give(std::vector<float> memory) {
    // 45 MB for the course's network; smaller buffers come from memory that the process already has.
    constexpr std::size_t kMostBuffers = 16, kFewestElements = 1 << 15, kMostElements = 1 << 20;
    if (memory.capacity() < kFewestElements || memory.capacity() > kMostElements) return;
    const std::lock_guard lock(mutex_);
    if (kept_.size() < kMostBuffers) kept_.push_back(std::move(memory));
  }

 private:
  std::mutex mutex_;
  std::vector<std::vector<float>> kept_;
};

SpareMemory& spareMemory() {
  static SpareMemory memory;
  return memory;
}

}  // namespace

struct Aggregation::Buffers::Written {
  explicit Written(std::span<const float> copied) : values(spareMemory().take()) {
    values.assign(copied.begin(), copied.end());
  }
  ~Written() { spareMemory().give(std::move(values)); }
  Written(const Written&) = delete;
  Written& operator=(const Written&) = delete;
  std::vector<float> values;
};

Aggregation::Buffers Aggregation::startOf(std::int64_t offset, std::int64_t count, bool weights) const {
  LAB_CHECK(offset >= 0 && count >= 0);
  Buffers buffers;
  buffers.offset_ = offset;
  buffers.count_ = count;
  buffers.weights_ = weights;
  if (inMean_ > 0) buffers.share_ = 1.0F / static_cast<float>(inMean_);
  buffers.written_.resize(endpoints_);
  buffers.applied_.resize(transfers_.size());
  const auto first = static_cast<std::size_t>(offset), size = static_cast<std::size_t>(count);
  for (std::size_t r = 0; r < endpoints_; ++r) {
    const ReplicaStep* replica = r < record_.replicas.size() ? &record_.replicas[r] : nullptr;
    if (replica != nullptr) {
      const std::vector<float>& own = weights ? replica->ownWeights : replica->gradients;
      LAB_CHECK(own.empty() || first + size <= own.size());
      if (!own.empty()) {
        buffers.of_.push_back(std::span(own).subspan(first, size));
        continue;
      }
    }
    buffers.zeros_.resize(size);
    buffers.of_.emplace_back(buffers.zeros_);
  }
  if (inMean_ > 0) buffers.own_ = buffers.of_;
  return buffers;
}

// A neighbour receives what the sender had before it received anything from its own neighbours.
std::span<const float> Aggregation::Buffers::sentBy(const Span& transfer) const {
  return (own_.empty() ? of_ : own_)[static_cast<std::size_t>(transfer.from)];
}

void Aggregation::Buffers::apply(const Span& transfer) {
  const bool whole = transfer.round < 0;  // a server's share: its elements are not one range
  const std::int64_t begin = whole ? offset_ : std::max(offset_, transfer.offset);
  const std::int64_t end = whole ? offset_ + count_ : std::min(offset_ + count_, transfer.offset + transfer.count);
  if (begin >= end) return;
  const auto from = static_cast<std::size_t>(transfer.from), to = static_cast<std::size_t>(transfer.to);
  if (!transfer.add && end - begin == count_) {
    of_[to] = of_[from];
    written_[to] = written_[from];
    return;
  }
  std::vector<float>& sum = writeTo(to);
  const std::span<const float> added = sentBy(transfer);
  for (std::int64_t i = begin; i < end; ++i) {
    const auto at = static_cast<std::size_t>(i - offset_);
    if (!own_.empty())
      sum[at] += share_ * (added[at] - own_[to][at]);
    else
      sum[at] = transfer.add ? sum[at] + added[at] : added[at];
  }
}

// From now on the endpoint has memory of its own.
std::vector<float>& Aggregation::Buffers::writeTo(std::size_t endpoint) {
  std::shared_ptr<Written>& own = written_[endpoint];
  if (own == nullptr || own.use_count() > 1) {
    own = std::make_shared<Written>(of_[endpoint]);
    of_[endpoint] = own->values;
  }
  return own->values;
}

Aggregation::Numbers Aggregation::numbers(std::size_t transfer, std::int64_t offset, std::int64_t count) const {
  LAB_CHECK(transfer < record_.spans.size());
  if (!std::ranges::binary_search(transfers_, transfer)) return {};
  const auto copy = [](std::span<const float> values) { return std::vector<float>(values.begin(), values.end()); };
  const Span& span = record_.spans[transfer];
  const auto to = static_cast<std::size_t>(span.to);
  Buffers buffers = buffersBefore(transfer, offset, count);
  Numbers numbers{.source = copy(buffers.sentBy(span)), .before = copy(buffers[to])};
  buffers.apply(span);
  numbers.after = copy(buffers[to]);
  return numbers;
}

Aggregation::Buffers Aggregation::buffersBefore(std::size_t transfer, std::int64_t offset, std::int64_t count) const {
  Buffers buffers = startOf(offset, count, record_.averagesWeights());
  for (const std::size_t i : transfers_ | std::views::take_while([=](std::size_t each) { return each < transfer; }))
    buffers.apply(record_.spans[i]);
  return buffers;
}

std::vector<float> Aggregation::bufferAt(int endpoint, std::int64_t ns, std::int64_t offset, std::int64_t count) const {
  LAB_CHECK(endpoint >= 0 && static_cast<std::size_t>(endpoint) < endpoints_);
  const Buffers buffers = buffersAt(ns, offset, count);
  const std::span<const float> own = buffers[static_cast<std::size_t>(endpoint)];
  return {own.begin(), own.end()};
}

Aggregation::Buffers Aggregation::buffersAt(std::int64_t ns, std::int64_t offset, std::int64_t count) const {
  const std::vector<float>& all = record_.averagesWeights() ? record_.weightsAfter : record_.gradients;
  Buffers buffers = startOf(offset, count, holdsWeights(ns));
  if (isSummed(ns) && offset + count <= std::ssize(all))
    std::ranges::fill(buffers.of_,
                      std::span(all).subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(count)));
  if (!transfers_.empty()) advance(buffers, ns);
  return buffers;
}

namespace {

// True if one of them changes what the other reads or changes.
bool touchSame(const Span& a, const Span& b) {
  if (a.to != b.to && a.to != b.from && a.from != b.to) return false;
  const bool whole = a.round < 0 || b.round < 0;  // a server's share: its elements are not one range
  return whole || (a.offset < b.offset + b.count && b.offset < a.offset + a.count);
}

}  // namespace

void Aggregation::advance(Buffers& buffers, std::int64_t ns) const {
  if (transfers_.empty() || buffers.weights_ != holdsWeights(ns)) {
    buffers = buffersAt(ns, buffers.offset_, buffers.count_);
    return;
  }
  if (record_.averagesWeights() && !buffers.weights_) return;
  const auto hasEnded = [&](std::size_t i) {
    const Span& span = record_.spans[transfers_[i]];
    return span.startNs + span.durationNs <= ns;
  };
  // Sums depend on their order: if an ended transfer precedes one that is already applied, and both touch the same
  // elements, start all over.
  const auto last = std::ranges::find(buffers.applied_ | std::views::reverse, true).base() - buffers.applied_.begin();
  const auto isLate = [&](std::size_t i) {
    for (std::size_t later = i + 1; std::cmp_less(later, last); ++later)
      if (buffers.applied_[later] && touchSame(record_.spans[transfers_[i]], record_.spans[transfers_[later]]))
        return true;
    return false;
  };
  for (std::size_t i = 0; i < transfers_.size(); ++i) {
    const bool ended = hasEnded(i);
    if (ended == buffers.applied_[i]) continue;
    if (!ended || isLate(i)) {
      buffers = buffersAt(ns, buffers.offset_, buffers.count_);
      return;
    }
    buffers.apply(record_.spans[transfers_[i]]);
    buffers.applied_[i] = true;
  }
}

}  // namespace lab
