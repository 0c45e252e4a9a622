// SPDX-License-Identifier: GPL-3.0-or-later
// The contents of the gradient buffers while gradients are being added: applies the recorded transfers one by one, in
// order, to the recorded gradients of the replicas. Gives the stage its fill levels and the inspector its numbers. If
// weights are averaged, the buffers hold weights while these are in transit, and gradients before. NCCL between GPUs
// records no transfers: there every replica has the recorded sum once the last all-reduce has ended.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/trace/span.h"
#include "core/trace/step_record.h"
#include "ui/playback/contributions.h"
#include "ui/playback/transfer_times.h"

namespace lab {

// The gradient buffer is drawn as cells: the smallest ranges of elements that transfers of the step begin or end at.
struct GradientCell {
  std::int64_t offset = 0, count = 0;
};

class Aggregation {
  // What has been applied: the transfers that have ended by a time, and the last of them in the order of transfers().
  struct Applied {
    std::int64_t ns = std::numeric_limits<std::int64_t>::min();
    std::ptrdiff_t last = -1;
    void take(const std::vector<std::size_t>& ended, std::int64_t until);  // as indices into transfers(), ascending
  };

 public:
  // Over `endpoints` endpoints; `record` must outlive this. Only transfers of gradients take part (all-reduce,
  // reduce-scatter and push).
  Aggregation(const TraceLegend& legend, const StepRecord& record);

  const std::vector<GradientCell>& cells() const { return cells_; }
  // Indices into record.spans of the transfers of gradients, in the order in which they are applied.
  const std::vector<std::size_t>& transfers() const { return transfers_; }
  // True if the buffers hold weights at that time; otherwise each holds its own gradient.
  bool holdsWeights(std::int64_t ns) const;
  // True if no transfer ends after that time.
  bool haveAllEnded(std::int64_t ns) const { return lastNs_ <= ns; }
  // Indices into record.spans of the transfers that were under way at some time from `since` to `until`, in order.
  std::vector<std::size_t> underWay(std::int64_t since, std::int64_t until) const {
    return times_.underWay(since, until);
  }
  // How many copies are in the mean that a replica makes with its neighbours; 0: no such mean is made.
  std::size_t inMean() const { return inMean_; }
  // The cells that a transfer covers: first, and one past the last.
  std::size_t firstCell(const Span& transfer) const;
  std::size_t endCell(const Span& transfer) const;

  // Whose gradients are contained in each endpoint's cell after the transfers that have ended by some time.
  class State {
   public:
    State() = default;
    State(State&&) = default;  // not copyable: a copy's sets would point into the original
    State& operator=(State&&) = default;
    const Contributions& at(int endpoint, std::size_t cell) const {
      return of[static_cast<std::size_t>(endpoint) * cells_ + cell - first_];
    }
    std::vector<Contributions> of;  // [endpoint · cells + cell]

   private:
    friend class Aggregation;
    Contributions joined(const Contributions& a, const Contributions& b);
    std::size_t first_ = 0, cells_ = 0;  // the cells that it has
    Applied applied_;
    // Sets that are no runs of ranks, and the last of them that was made: neighbouring cells mostly have the same.
    std::deque<Contributions::Bits> others_;
    struct {
      Contributions a, b, sum;
    } latest_;
  };
  State stateAt(std::int64_t ns) const;
  State stateAt(std::int64_t ns, std::size_t cell) const;  // of this cell alone
  // The same as stateAt(ns), from the state that the last user has given back: a moment later is cheap, for then only
  // what has arrived between the two is applied. Any thread.
  State takeState(std::int64_t ns) const;
  void giveBack(State state) const;
  // True if no transfers are recorded and all replicas have the sum.
  bool isSummed(std::int64_t ns) const { return transfers_.empty() && summedNs_ <= ns; }

  // One addition (or copy) with the real numbers: elements [offset, offset + count) of the source, and of the
  // destination before and after the transfer with this index into record.spans. An endpoint that computes no gradient
  // starts from zeros.
  struct Numbers {
    std::vector<float> source, before, after;
  };
  Numbers numbers(std::size_t transfer, std::int64_t offset, std::int64_t count) const;
  // An endpoint's buffer after the transfers that have ended by `ns`.
  std::vector<float> bufferAt(int endpoint, std::int64_t ns, std::int64_t offset, std::int64_t count) const;
  // The same range of all endpoints' buffers, faster than one by one. If no transfer has arrived, a buffer is the
  // record's own memory, so the record must outlive it.
  class Buffers {
   public:
    Buffers() = default;
    Buffers(Buffers&&) = default;  // not copyable: a copy's spans would point into the original
    Buffers& operator=(Buffers&&) = default;
    std::span<const float> operator[](std::size_t endpoint) const { return of_[endpoint]; }
    // What the transfer brings.
    std::span<const float> sentBy(const Span& transfer) const;

   private:
    friend class Aggregation;
    struct Written;
    std::vector<float>& writeTo(std::size_t endpoint);
    void apply(const Span& transfer);  // only the part of the transfer that lies in the range
    std::int64_t offset_ = 0, count_ = 0;
    bool weights_ = false;
    float share_ = 0;                          // weight of a neighbour's weights in a mean
    std::vector<std::span<const float>> own_;  // [endpoint] before any transfer, if means are made
    Applied applied_;
    std::vector<std::span<const float>> of_;  // [endpoint]
    // [endpoint]; null: the record's buffer, or only zeros. Shared by endpoints that were sent the whole of one: the
    // sum goes to each worker of a class, and 40 copies would cost more than all additions.
    std::vector<std::shared_ptr<Written>> written_;
    std::vector<float> zeros_;  // for endpoints that compute no gradient
  };
  Buffers buffersAt(std::int64_t ns, std::int64_t offset, std::int64_t count) const;
  // The buffers just before the transfer with this index into record.spans.
  Buffers buffersBefore(std::size_t transfer, std::int64_t offset, std::int64_t count) const;
  // Advances buffers from an earlier moment to `ns`.
  void advance(Buffers& buffers, std::int64_t ns) const;

 private:
  Buffers startOf(std::int64_t offset, std::int64_t count, bool weights) const;
  State stateOf(std::int64_t ns, std::size_t first, std::size_t end) const;
  void apply(State& state, const Span& transfer, std::size_t& hint) const;
  std::size_t cellAt(std::int64_t offset, std::size_t hint) const;
  bool hasEnded(std::size_t i, std::int64_t ns) const;  // an index into transfers()
  // What has ended since, and by `ns`, as indices into transfers(), in order. Nothing if that does not lead to `ns`: if
  // something had not ended yet, or must be applied before what already is.
  std::optional<std::vector<std::size_t>> endedSince(const Applied& applied, std::int64_t ns) const;

  const StepRecord& record_;
  std::size_t endpoints_ = 0;
  std::int64_t summedNs_;          // only used without transfers
  std::int64_t firstNs_, lastNs_;  // when the first transfer begins, and the last one ends
  std::size_t inMean_ = 0;
  std::vector<GradientCell> cells_;
  std::vector<std::size_t> transfers_;
  TransferTimes times_;
  mutable std::mutex mutex_;
  mutable State kept_;  // of the last user
};

}  // namespace lab
