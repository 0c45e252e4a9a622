// SPDX-License-Identifier: GPL-3.0-or-later
// The contents of the gradient buffers while gradients are being added: applies the recorded transfers one by one, in
// order, to the recorded gradients of the replicas. Gives the stage its fill levels and the inspector its numbers. If
// weights are averaged, the buffers hold weights while these are in transit, and gradients before. NCCL between GPUs
// records no transfers: there every replica has the recorded sum once the last all-reduce has ended.
#pragma once

#include <bitset>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/limits.h"
#include "core/trace/span.h"
#include "core/trace/step_record.h"

namespace lab {

// The gradient buffer is drawn as cells: the smallest ranges of elements that transfers of the step begin or end at.
struct GradientCell {
  std::int64_t offset = 0, count = 0;
};

class Aggregation {
 public:
  // Over `endpoints` endpoints; `record` must outlive this. Only transfers of gradients take part (all-reduce,
  // reduce-scatter and push).
  Aggregation(const TraceLegend& legend, const StepRecord& record);

  const std::vector<GradientCell>& cells() const { return cells_; }
  // Indices into record.spans of the transfers of gradients, in the order in which they are applied.
  const std::vector<std::size_t>& transfers() const { return transfers_; }
  // True if the buffers hold weights at that time; otherwise each holds its own gradient.
  bool holdsWeights(std::int64_t ns) const;
  // How many copies are in the mean that a replica makes with its neighbours; 0: no such mean is made.
  std::size_t inMean() const { return inMean_; }
  // The cells that a transfer covers: first, and one past the last.
  std::size_t firstCell(const Span& transfer) const;
  std::size_t endCell(const Span& transfer) const;

  // Whose gradients are contained in each endpoint's cell after the transfers that have ended by `ns`.
  using Contributions = std::bitset<kMaxReplicas>;
  struct State {
    std::vector<Contributions> of;  // [endpoint · cells + cell]
  };
  State stateAt(std::int64_t ns) const;
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
    std::vector<bool> applied_;                // [index into transfers()]
    std::vector<std::span<const float>> of_;   // [endpoint]
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

  const StepRecord& record_;
  std::size_t endpoints_ = 0;
  std::int64_t summedNs_;          // only used without transfers
  std::int64_t firstNs_, lastNs_;  // when the first transfer begins, and the last one ends
  std::size_t inMean_ = 0;
  std::vector<GradientCell> cells_;
  std::vector<std::size_t> transfers_;
};

}  // namespace lab
