// SPDX-License-Identifier: GPL-3.0-or-later
// The cost of sending one pack of gradients where all replicas take part as equals, and its bytes on each link.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/comm/schedule.h"
#include "core/timing/step_model.h"

namespace lab {

class PackCost {
 public:
  // `half`: cost of only one half of the ring's all-reduce.
  explicit PackCost(const StepRequest& request, std::optional<RingHalf> half = std::nullopt)
      : request_(request), half_(half) {}

  std::int64_t ns(double bytes);  // cached by size
  // Bytes that have crossed each resource for all the packs asked for so far.
  const std::vector<double>& resourceBytes() const { return resourceBytes_; }

 private:
  struct Cost {
    std::int64_t ns = 0;
    std::vector<double> resourceBytes;
  };
  Cost cost(double bytes) const;
  Cost scheduled(Reducer kind, double bytes) const;
  Cost torusOfChips(double bytes) const;
  Cost hostRing(double bytes) const;

  const StepRequest& request_;
  const std::optional<RingHalf> half_;
  std::map<double, Cost> costs_;
  std::vector<double> resourceBytes_;
};

}  // namespace lab
