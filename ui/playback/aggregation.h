// SPDX-License-Identifier: GPL-3.0-or-later
// What lies in the gradient buffers while they are being added: the recorded transfers, applied one by one in their
// order to the recorded gradients of the replicas. Gives the stage its fill levels and the inspector its numbers.
// NCCL between GPUs records no transfers: there every replica has the recorded sum once the last all-reduce has ended.
#pragma once

#include <bitset>
#include <cstdint>
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
  // Over `endpoints` endpoints; `record` must outlive this. Only transfers of gradients take part (all-reduce and
  // push).
  Aggregation(const TraceLegend& legend, const StepRecord& record);

  const std::vector<GradientCell>& cells() const { return cells_; }
  // Indices into record.spans of the transfers of gradients, in the order in which they are applied.
  const std::vector<std::size_t>& transfers() const { return transfers_; }
  // The cells that a transfer covers: first, and one past the last.
  std::size_t firstCell(const Span& transfer) const;
  std::size_t endCell(const Span& transfer) const;

  // Whose gradients are contained in each endpoint's cell after the transfers that have ended by `ns`.
  using Contributions = std::bitset<kMaxReplicas>;
  struct State {
    std::vector<Contributions> of;  // [endpoint · cells + cell]
  };
  State stateAt(std::int64_t ns) const;
  // Whether all replicas have the sum, where no transfers are recorded.
  bool isSummed(std::int64_t ns) const { return transfers_.empty() && summedNs_ <= ns; }

  // One addition (or copy) with the real numbers: elements [offset, offset + count) of the source, of the destination
  // before, and of the destination after the transfer with this index into record.spans. An endpoint that computes no
  // gradient starts from zeros.
  struct Numbers {
    std::vector<float> source, before, after;
  };
  Numbers numbers(std::size_t transfer, std::int64_t offset, std::int64_t count) const;
  // An endpoint's buffer after the transfers that have ended by `ns`.
  std::vector<float> bufferAt(int endpoint, std::int64_t ns, std::int64_t offset, std::int64_t count) const;
  // The same of all endpoints, in less time than one by one.
  std::vector<std::vector<float>> buffersAt(std::int64_t ns, std::int64_t offset, std::int64_t count) const;

 private:
  const StepRecord& record_;
  std::size_t endpoints_ = 0;
  std::int64_t summedNs_;  // only where there are no transfers
  std::vector<GradientCell> cells_;
  std::vector<std::size_t> transfers_;
};

}  // namespace lab
