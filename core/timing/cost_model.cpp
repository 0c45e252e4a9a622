// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timing/cost_model.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"

namespace lab {
namespace {

constexpr double kMemoryEfficiency = 0.8;     // eff_m, timing model §1.1
constexpr double kTrafficPerAddedByte = 3;    // read both, write one: gamma = 3 / memory bandwidth, timing model §3
constexpr std::int64_t kBytesPerElement = 4;  // float32
constexpr double kLongestNs = 4.0e18;         // 127 years, inside int64

}  // namespace

std::int64_t wholeNs(double ns) {
  LAB_CHECK(ns >= 0 && ns <= kLongestNs);  // false for NaN too
  return std::llround(ns);
}

std::int64_t operationNs(const DeviceModel& device, OperandType operands, double flop, double bytes, int launches) {
  LAB_CHECK(flop >= 0 && bytes >= 0 && launches >= 0);
  const bool onMatrixUnit =
      device.matrixTflops > 0 && (operands == OperandType::Bfloat16 || device.float32OnMatrixUnit());
  const double flopPerNs = device.cnnEfficiency * (onMatrixUnit ? device.matrixTflops : device.fp32Tflops) * 1e3;
  const double bytesPerNs = kMemoryEfficiency * device.memoryGbPerSec;  // 1 GB/s is 1 byte/ns
  return wholeNs(launches * device.launchOverheadUs * 1e3 + std::max(flop / flopPerNs, bytes / bytesPerNs));
}

std::int64_t transferNs(const LinkModel& link, std::int64_t bytes) {
  LAB_CHECK(bytes >= 0);
  return wholeNs(link.latencyUs * 1e3 + static_cast<double>(bytes) / link.effectiveGbPerSec);
}

std::int64_t additionNs(const DeviceModel& device, std::int64_t bytes) {
  LAB_CHECK(bytes >= 0);
  return wholeNs(kTrafficPerAddedByte * static_cast<double>(bytes) / device.memoryGbPerSec);
}

PricedSchedule priceSchedule(const Schedule& schedule, const NetworkModel& network,
                             std::span<const std::int64_t> readyNs) {
  const std::size_t ranks = readyNs.size();
  LAB_CHECK(static_cast<std::size_t>(schedule.ranks) <= ranks);
  PricedSchedule priced;
  priced.transfers.reserve(schedule.transfers.size());
  priced.doneNs.assign(readyNs.begin(), readyNs.end());

  // A port is full duplex: one transfer out and one in at a time. Further ones of the same round queue in list order.
  // Both are never earlier than the end of the rank's earlier rounds.
  std::vector<std::int64_t> outFree = priced.doneNs;
  std::vector<std::int64_t> inFree = priced.doneNs;
  std::vector<std::size_t> touched;  // ranks that took part in the current round
  std::int32_t round = 0;
  const auto closeRound = [&] {
    for (const std::size_t rank : touched)
      outFree[rank] = inFree[rank] = priced.doneNs[rank] = std::max(outFree[rank], inFree[rank]);
    touched.clear();
  };

  for (const Transfer& transfer : schedule.transfers) {
    const auto from = static_cast<std::size_t>(transfer.from);
    const auto to = static_cast<std::size_t>(transfer.to);
    LAB_CHECK(transfer.from >= 0 && from < ranks && transfer.to >= 0 && to < ranks && from != to);
    LAB_CHECK(transfer.round >= round && transfer.count > 0);
    if (transfer.round != round) {
      closeRound();
      round = transfer.round;
    }
    const std::int64_t bytes = transfer.count * kBytesPerElement;
    const std::int64_t begin = std::max(outFree[from], inFree[to]);
    const std::int64_t end = begin + transferNs(network.link(transfer.from, transfer.to), bytes) +
                             (transfer.add ? additionNs(network.device(transfer.to), bytes) : 0);
    outFree[from] = end;
    inFree[to] = end;
    touched.push_back(from);
    touched.push_back(to);
    priced.transfers.push_back({begin, end});
  }
  closeRound();
  return priced;
}

}  // namespace lab
