// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/playback/aggregation.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <ranges>
#include <utility>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/replicas/labels.h"

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

// Where cells begin and end, ascending. A ring names each edge thousands of times, mostly one after the other.
class Edges {
 public:
  void add(std::int64_t edge) {
    if (next_ > 0 && edges_[next_ - 1] == edge) return;
    if (next_ == edges_.size() || edges_[next_] != edge) {
      const auto found = std::ranges::lower_bound(edges_, edge);
      next_ = static_cast<std::size_t>(found - edges_.begin());
      if (found == edges_.end() || *found != edge) edges_.insert(found, edge);
    }
    ++next_;
  }
  const std::vector<std::int64_t>& all() const { return edges_; }

 private:
  std::vector<std::int64_t> edges_;
  std::size_t next_ = 0;  // behind the last one
};

std::vector<GradientCell> cellsBetween(const std::vector<std::int64_t>& edges) {
  std::vector<GradientCell> cells;
  for (std::size_t i = 1; i < edges.size(); ++i) cells.push_back({edges[i - 1], edges[i] - edges[i - 1]});
  return cells;
}

std::vector<std::size_t> reductionsOf(const StepRecord& record) {
  std::vector<std::size_t> transfers;
  for (std::size_t i = 0; i < record.spans.size(); ++i) {
    const Span& span = record.spans[i];
    if (span.kind == SpanKind::Transfer && span.count > 0 && isReduction(span.label)) transfers.push_back(i);
  }
  return transfers;
}

}  // namespace

Aggregation::Aggregation(const TraceLegend& legend, const StepRecord& record)
    : record_(record),
      endpoints_(legend.endpoints.size()),
      summedNs_(summedNs(record)),
      firstNs_(std::numeric_limits<std::int64_t>::max()),
      lastNs_(std::numeric_limits<std::int64_t>::min()),
      transfers_(reductionsOf(record)),
      times_(record.spans, transfers_) {
  Edges edges;
  edges.add(0);
  edges.add(std::ssize(record.gradients));
  for (const std::size_t i : transfers_) {
    const Span& span = record.spans[i];
    firstNs_ = std::min(firstNs_, span.startNs);
    lastNs_ = std::max(lastNs_, span.startNs + span.durationNs);
    const Span& first = record.spans[transfers_.front()];
    if (span.label == labelOf(Label::ShareWeights) && span.to == first.to && span.offset == first.offset)
      inMean_ = std::max<std::size_t>(inMean_, 1) + 1;
    // A server's share may consist of pieces from all over the network; it is drawn on a shard, not as cells.
    if (span.round < 0) continue;
    edges.add(span.offset);
    edges.add(span.offset + span.count);
  }
  cells_ = cellsBetween(edges.all());
}

bool Aggregation::holdsWeights(std::int64_t ns) const {
  return record_.averagesWeights() && (transfers_.empty() || firstNs_ <= ns) && (inMean_ == 0 || ns <= lastNs_);
}

// `hint`: where it probably is. The transfers of a round follow each other in the buffer.
std::size_t Aggregation::cellAt(std::int64_t offset, std::size_t hint) const {
  if (hint < cells_.size() && cells_[hint].offset == offset) return hint;
  const auto found = std::ranges::lower_bound(cells_, offset, {}, &GradientCell::offset);
  return static_cast<std::size_t>(found - cells_.begin());
}

std::size_t Aggregation::firstCell(const Span& transfer) const {
  return transfer.round < 0 ? 0 : cellAt(transfer.offset, 0);
}

std::size_t Aggregation::endCell(const Span& transfer) const {
  return transfer.round < 0 ? cells_.size() : cellAt(transfer.offset + transfer.count, 0);
}

bool Aggregation::hasEnded(std::size_t i, std::int64_t ns) const {
  const Span& span = record_.spans[transfers_[i]];
  return span.startNs + span.durationNs <= ns;
}

void Aggregation::Applied::take(const std::vector<std::size_t>& ended, std::int64_t until) {
  ns = until;
  if (!ended.empty()) last = std::max(last, static_cast<std::ptrdiff_t>(ended.back()));
}

Contributions Aggregation::State::joined(const Contributions& a, const Contributions& b) {
  if (const auto runs = Contributions::joined(a, b)) return *runs;
  if (latest_.a == a && latest_.b == b) return latest_.sum;
  const Contributions::Bits all = a.bits() | b.bits();
  std::optional<Contributions> sum = Contributions::runsOf(all);
  if (!sum) sum = Contributions(&others_.emplace_back(all));
  latest_ = {a, b, *sum};
  return *sum;
}

void Aggregation::apply(State& state, const Span& transfer, std::size_t& hint) const {
  std::size_t first = 0, end = cells_.size();
  if (transfer.round >= 0) {
    first = cellAt(transfer.offset, hint);
    end = cellAt(transfer.offset + transfer.count, first + 1);
    hint = end;
  }
  first = std::max(first, state.first_);
  end = std::min(end, state.first_ + state.cells_);
  const auto rowOf = [&](int endpoint) {
    return state.of.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(endpoint) * state.cells_);
  };
  const auto from = rowOf(transfer.from), to = rowOf(transfer.to);
  for (std::size_t c = first; c < end; ++c) {
    const auto at = static_cast<std::ptrdiff_t>(c - state.first_);
    if (inMean_ > 0)
      to[at] = state.joined(to[at], Contributions::of(static_cast<std::size_t>(transfer.from)));
    else
      to[at] = transfer.add ? state.joined(to[at], from[at]) : from[at];
  }
}

Aggregation::State Aggregation::stateOf(std::int64_t ns, std::size_t first, std::size_t end) const {
  State state;
  state.first_ = first;
  state.cells_ = end - first;
  state.of.resize(endpoints_ * state.cells_);
  const std::size_t replicas = std::min(record_.replicas.size(), endpoints_);
  const bool summed = isSummed(ns);
  for (std::size_t r = 0; r < replicas; ++r) {
    const auto row = state.of.begin() + static_cast<std::ptrdiff_t>(r * state.cells_);
    std::fill(row, row + static_cast<std::ptrdiff_t>(state.cells_),
              summed ? Contributions::range(0, replicas) : Contributions::of(r));
  }
  if (inMean_ > 0 && !holdsWeights(ns)) return state;
  state.applied_.ns = ns;
  std::size_t hint = 0;
  for (std::size_t i = 0; i < transfers_.size(); ++i) {
    if (!hasEnded(i, ns)) continue;
    apply(state, record_.spans[transfers_[i]], hint);
    state.applied_.last = static_cast<std::ptrdiff_t>(i);
  }
  return state;
}

Aggregation::State Aggregation::stateAt(std::int64_t ns) const {
  return stateOf(ns, 0, cells_.size());
}

Aggregation::State Aggregation::stateAt(std::int64_t ns, std::size_t cell) const {
  LAB_CHECK(cell < cells_.size());
  return stateOf(ns, cell, cell + 1);
}

Aggregation::State Aggregation::takeState(std::int64_t ns) const {
  State state;
  {
    const std::lock_guard lock(mutex_);
    state = std::exchange(kept_, {});
  }
  // Means, and sums without transfers, do not only grow; they have few cells.
  const bool grows = !state.of.empty() && inMean_ == 0 && !transfers_.empty();
  const auto ended = grows ? endedSince(state.applied_, ns) : std::nullopt;
  if (!ended) return stateAt(ns);
  std::size_t hint = 0;
  for (const std::size_t i : *ended) apply(state, record_.spans[transfers_[i]], hint);
  state.applied_.take(*ended, ns);
  return state;
}

void Aggregation::giveBack(State state) const {
  if (state.cells_ != cells_.size()) return;
  const std::lock_guard lock(mutex_);
  kept_ = std::move(state);
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
  return at(own_.empty() ? of_ : own_, transfer.from);
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
  const std::span<const float> own = at(buffers, endpoint);
  return {own.begin(), own.end()};
}

Aggregation::Buffers Aggregation::buffersAt(std::int64_t ns, std::int64_t offset, std::int64_t count) const {
  const std::vector<float>& all = record_.averagesWeights() ? record_.weightsAfter : record_.gradients;
  Buffers buffers = startOf(offset, count, holdsWeights(ns));
  if (isSummed(ns) && offset + count <= std::ssize(all))
    std::ranges::fill(buffers.of_,
                      std::span(all).subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(count)));
  if (transfers_.empty() || (record_.averagesWeights() && !buffers.weights_)) return buffers;
  for (std::size_t i = 0; i < transfers_.size(); ++i) {
    if (!hasEnded(i, ns)) continue;
    buffers.apply(record_.spans[transfers_[i]]);
    buffers.applied_.last = static_cast<std::ptrdiff_t>(i);
  }
  buffers.applied_.ns = ns;
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

std::optional<std::vector<std::size_t>> Aggregation::endedSince(const Applied& applied, std::int64_t ns) const {
  if (ns < applied.ns && !times_.ended(ns, applied.ns).empty()) return std::nullopt;
  std::vector<std::size_t> ended = times_.ended(applied.ns, ns);  // none if the clock went back
  // Sums depend on their order: if an ended transfer precedes one that is already applied, and both touch the same
  // elements, start all over.
  const auto isLate = [&](std::size_t i) {
    for (std::size_t later = i + 1; std::cmp_less_equal(later, applied.last); ++later)
      if (hasEnded(later, applied.ns) && touchSame(record_.spans[transfers_[i]], record_.spans[transfers_[later]]))
        return true;
    return false;
  };
  if (std::ranges::any_of(ended, isLate)) return std::nullopt;
  return ended;
}

void Aggregation::advance(Buffers& buffers, std::int64_t ns) const {
  const bool isOther = transfers_.empty() || buffers.weights_ != holdsWeights(ns);
  if (!isOther && record_.averagesWeights() && !buffers.weights_) return;
  const auto ended = isOther ? std::nullopt : endedSince(buffers.applied_, ns);
  if (!ended) {
    buffers = buffersAt(ns, buffers.offset_, buffers.count_);
    return;
  }
  for (const std::size_t i : *ended) buffers.apply(record_.spans[transfers_[i]]);
  buffers.applied_.take(*ended, ns);
}

}  // namespace lab
