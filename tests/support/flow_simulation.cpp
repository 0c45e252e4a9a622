// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/flow_simulation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/base/error.h"
#include "core/base/units.h"
#include "core/timing/whole_ns.h"

namespace lab::test {
namespace {

// Adding `bytes` to a buffer in device memory: 3 bytes of traffic per byte.
std::int64_t additionNs(const DeviceModel& device, std::int64_t bytes) {
  return wholeNs(3 * static_cast<double>(bytes) / device.memoryGbPerSec);
}

struct Flow {
  Transfer transfer;
  Network::Route route;
  double bytesLeft = 0;
  double rate = 0;
  std::int64_t startsNs = 0;  // when its first byte is sent, after alpha
};

// The state of one call of simulateRounds.
class RoundsSimulation {
 public:
  RoundsSimulation(const RoundSchedule& schedule, const Network& network, std::span<const std::int64_t> readyNs)
      : network_(network), doneNs_(readyNs.begin(), readyNs.end()) {
    std::vector<Transfer> round;
    work_.resize(readyNs.size());
    for (int k = 0; k < schedule.rounds(); ++k) {
      schedule.round(k, round);
      for (const Transfer& transfer : round) {
        const int index = static_cast<int>(transfers_.size());
        transfers_.push_back(transfer);
        state_.push_back(0);
        work_[static_cast<std::size_t>(transfer.from)].push_back(index);
        work_[static_cast<std::size_t>(transfer.to)].push_back(index);
      }
    }
    next_.assign(readyNs.size(), 0);
  }

  std::vector<std::int64_t> run() {
    startWhatCan();
    while (!flows_.empty()) {
      shareOut();
      // The time until the next flow begins to send or ends.
      double nextNs = std::numeric_limits<double>::infinity();
      for (const Flow& flow : flows_)
        nextNs = std::min(
            nextNs, flow.startsNs > nowNs_ ? static_cast<double>(flow.startsNs) : nowNs_ + flow.bytesLeft / flow.rate);
      for (Flow& flow : flows_)
        if (flow.startsNs <= nowNs_) flow.bytesLeft -= flow.rate * (nextNs - nowNs_);
      nowNs_ = nextNs;
      finishWhatIsDone();
      startWhatCan();
    }
    return doneNs_;
  }

 private:
  // A rank takes part only in the transfers of its earliest unfinished round.
  bool isNextOf(int rank, int index) const {
    const auto r = static_cast<std::size_t>(rank);
    for (std::size_t i = next_[r]; i < work_[r].size(); ++i) {
      const int other = work_[r][i];
      if (transfers_[static_cast<std::size_t>(other)].round > transfers_[static_cast<std::size_t>(index)].round)
        return true;
      if (state_[static_cast<std::size_t>(other)] < 2 &&
          transfers_[static_cast<std::size_t>(other)].round < transfers_[static_cast<std::size_t>(index)].round)
        return false;
    }
    return true;
  }

  void startWhatCan() {
    for (std::size_t r = 0; r < work_.size(); ++r) {
      for (std::size_t i = next_[r]; i < work_[r].size(); ++i) {
        const int index = work_[r][i];
        if (state_[static_cast<std::size_t>(index)] != 0) continue;
        const Transfer& transfer = transfers_[static_cast<std::size_t>(index)];
        if (!isNextOf(static_cast<int>(r), index)) break;
        const int other = transfer.from == static_cast<int>(r) ? transfer.to : transfer.from;
        if (!isNextOf(other, index)) continue;
        state_[static_cast<std::size_t>(index)] = 1;
        Flow flow{.transfer = transfer, .route = network_.route(transfer.from, transfer.to)};
        flow.bytesLeft = static_cast<double>(transfer.count) * kBytesPerElement;
        const std::int64_t readyNs = std::max(doneNs_[r], doneNs_[static_cast<std::size_t>(other)]);
        flow.startsNs = readyNs + wholeNs(flow.route.alphaNs);
        index_.push_back(index);
        flows_.push_back(flow);
      }
    }
  }

  void shareOut() {
    std::vector<Network::Route> sending;
    for (const Flow& flow : flows_)
      if (flow.startsNs <= nowNs_) sending.push_back(flow.route);
    const std::vector<double> rates = fairRates(sending, network_);
    std::size_t at = 0;
    for (Flow& flow : flows_)
      if (flow.startsNs <= nowNs_) flow.rate = rates[at++];
  }

  void finishWhatIsDone() {
    constexpr double kNothing = 1e-6;  // bytes; anything below is rounding
    // A rank's transfers of a round end together, so ends are noted before the next ones may start.
    for (std::size_t i = 0; i < flows_.size();) {
      Flow& flow = flows_[i];
      if (flow.startsNs > nowNs_ || flow.bytesLeft > kNothing * flow.rate + kNothing) {
        ++i;
        continue;
      }
      const Transfer& transfer = flow.transfer;
      const double added =
          transfer.add ? static_cast<double>(additionNs(network_.device(transfer.to), transfer.count * std::int64_t{4}))
                       : 0;
      const std::int64_t sentNs = wholeNs(nowNs_), endNs = wholeNs(nowNs_ + added);
      const auto from = static_cast<std::size_t>(transfer.from), to = static_cast<std::size_t>(transfer.to);
      doneNs_[from] = std::max(doneNs_[from], sentNs);
      doneNs_[to] = std::max(doneNs_[to], endNs);
      state_[static_cast<std::size_t>(index_[i])] = 2;
      for (const std::size_t rank : {from, to})
        while (next_[rank] < work_[rank].size() && state_[static_cast<std::size_t>(work_[rank][next_[rank]])] == 2)
          ++next_[rank];
      flows_.erase(flows_.begin() + static_cast<std::ptrdiff_t>(i));
      index_.erase(index_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  const Network& network_;
  std::vector<std::int64_t> doneNs_;
  std::vector<Transfer> transfers_;
  std::vector<int> state_;              // 0 waits, 1 flows, 2 done
  std::vector<std::vector<int>> work_;  // per rank, its transfers in order
  std::vector<std::size_t> next_;
  std::vector<Flow> flows_;
  std::vector<int> index_;  // of each flow
  double nowNs_ = 0;
};

}  // namespace

std::vector<double> fairRates(std::span<const Network::Route> flows, const Network& network) {
  std::vector<double> rates(flows.size(), 0);
  std::vector<bool> frozen(flows.size(), false);
  std::map<int, double> left, weight;
  for (const Network::Route& flow : flows)
    for (const Network::Crossing& crossing : flow.span()) {
      left.emplace(crossing.resource, network.bandwidth(crossing.resource));
      weight[crossing.resource] += crossing.times;
    }
  std::size_t open = flows.size();
  while (open > 0) {
    // All rates rise together until the first resource is full.
    double rise = std::numeric_limits<double>::infinity();
    for (const auto& [resource, sum] : weight)
      if (sum > 1e-12) rise = std::min(rise, left[resource] / sum);
    for (auto& [resource, room] : left) room -= rise * weight[resource];
    std::vector<std::size_t> freeze;
    for (std::size_t i = 0; i < flows.size(); ++i) {
      if (frozen[i]) continue;
      rates[i] += rise;
      for (const Network::Crossing& crossing : flows[i].span())
        if (left[crossing.resource] <= 1e-9 * network.bandwidth(crossing.resource)) {
          freeze.push_back(i);
          break;
        }
    }
    LAB_CHECK(!freeze.empty());
    for (const std::size_t i : freeze) {
      frozen[i] = true;
      --open;
      for (const Network::Crossing& crossing : flows[i].span()) weight[crossing.resource] -= crossing.times;
    }
  }
  return rates;
}

std::vector<std::int64_t> simulateRounds(const RoundSchedule& schedule, const Network& network,
                                         std::span<const std::int64_t> readyNs) {
  return RoundsSimulation(schedule, network, readyNs).run();
}

}  // namespace lab::test
