// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timing/round_cost.h"

#include <algorithm>

#include "core/base/at.h"
#include "core/timing/whole_ns.h"

namespace lab {
namespace {

constexpr double kTrafficPerAddedByte = 3;  // read both, write one: gamma = 3 / memory bandwidth

// Computes the cost of one round after another; `load_` has an entry per resource, all zero between rounds.
class RoundCost {
 public:
  explicit RoundCost(const Network& network)
      : network_(network), load_(static_cast<std::size_t>(network.resources()), 0.0) {}

  // Calls onLoad(resource, bytes) for each resource that the round crosses.
  template <typename OnLoad>
  double of(std::span<const Transfer> round, const OnLoad& onLoad) {
    double alphaNs = 0, crossingNs = 0, additionNs = 0;
    touched_.clear();
    for (const Transfer& transfer : round) {
      const auto bytes = static_cast<double>(transfer.bytes());
      const Network::Route route = network_.route(transfer.from, transfer.to);
      alphaNs = std::max(alphaNs, route.alphaNs);
      if (transfer.add)
        additionNs = std::max(additionNs, kTrafficPerAddedByte * bytes / network_.device(transfer.to).memoryGbPerSec);
      for (const Network::Crossing& crossing : route.span()) {
        double& sum = at(load_, crossing.resource);
        if (sum == 0) touched_.push_back(crossing.resource);
        sum += bytes * crossing.times;
      }
    }
    for (const int resource : touched_) {
      double& sum = at(load_, resource);
      crossingNs = std::max(crossingNs, sum / network_.bandwidth(resource));
      onLoad(resource, sum);
      sum = 0;
    }
    return alphaNs + crossingNs + additionNs;
  }

 private:
  const Network& network_;
  std::vector<double> load_;
  std::vector<int> touched_;
};

}  // namespace

double roundNs(std::span<const Transfer> round, const Network& network) {
  return RoundCost(network).of(round, [](int, double) {});
}

RoundsCost costOfRounds(const RoundSchedule& schedule, const Network& network) {
  RoundsCost total;
  total.resourceBytes.assign(static_cast<std::size_t>(network.resources()), 0.0);
  RoundCost cost(network);
  std::vector<Transfer> round;
  const int rounds = schedule.rounds();
  for (int k = 0; k < rounds;) {
    const int equal = schedule.runLength(k);
    schedule.round(k, round);
    const double ns =
        cost.of(round, [&](int resource, double bytes) { at(total.resourceBytes, resource) += bytes * equal; });
    // Rounds once per run: otherwise a long ring would collect half a nanosecond a round.
    total.ns = sumNs(total.ns, wholeNs(equal * ns));
    k += equal;
  }
  return total;
}

}  // namespace lab
