// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the transfers of a moment without reading all: a ring of 1,024 replicas has two million. Records keep transfers
// in the order of execution, which is nearly that of time, so a block of neighbours is read only if its times touch the
// moment. Right for any order; fast for that one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/trace/span.h"

namespace lab {

class TransferTimes {
 public:
  // `transfers`: indices into `spans`. Both must outlive this.
  TransferTimes(std::span<const Span> spans, std::span<const std::size_t> transfers);

  // Places in `transfers`, ascending, of those that ended after `after` and by `until`; indices into `spans`, in the
  // same order, of those that began by `until` and did not end before `since`.
  std::vector<std::size_t> ended(std::int64_t after, std::int64_t until) const;
  std::vector<std::size_t> underWay(std::int64_t since, std::int64_t until) const;

 private:
  struct Block {
    std::int64_t firstStartNs = 0, firstEndNs = 0, lastEndNs = 0;
  };
  template <typename IsNear, typename IsWanted>
  std::vector<std::size_t> find(IsNear isNear, IsWanted isWanted) const;

  std::span<const Span> spans_;
  std::span<const std::size_t> transfers_;
  std::vector<Block> blocks_;
};

}  // namespace lab
