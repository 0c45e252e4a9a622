// SPDX-License-Identifier: GPL-3.0-or-later
// What an operation and a transfer cost on modelled hardware, in whole nanoseconds. The first model: a roofline per
// operation with launch overhead (timing model §1.1), alpha-beta per transfer (§2.1). Everything that prices asks here,
// so a better model replaces this file and nothing else.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/comm/schedule.h"
#include "core/timing/catalogue.h"

namespace lab {

enum class OperandType { Float32, Bfloat16 };  // of matrix products; bfloat16 uses the matrix unit's peak

// To the nearest. A broken invariant where it is negative, no number or longer than a century.
std::int64_t wholeNs(double ns);

// t = launches·overhead + max(flop / (efficiency·peak), bytes / (0.8·memory bandwidth))
std::int64_t operationNs(const DeviceModel& device, OperandType operands, double flop, double bytes, int launches);

// alpha + bytes/bandwidth
std::int64_t transferNs(const LinkModel& link, std::int64_t bytes);
// Adding `bytes` to a buffer in device memory: 3 bytes of traffic per byte.
std::int64_t additionNs(const DeviceModel& device, std::int64_t bytes);

// When each transfer of a schedule happens. readyNs[r] is when rank r has its data; a transfer begins when both ends
// have finished their earlier rounds, and an addition is part of it. linkOf(from, to) and deviceOf(rank) are asked once
// per transfer. doneNs[r] is when rank r has finished.
struct PricedTransfer {
  std::int64_t beginNs = 0;
  std::int64_t endNs = 0;
};
struct PricedSchedule {
  std::vector<PricedTransfer> transfers;  // parallel to Schedule::transfers
  std::vector<std::int64_t> doneNs;       // per rank
};
class NetworkModel {
 public:
  virtual ~NetworkModel() = default;
  virtual const LinkModel& link(int from, int to) const = 0;
  virtual const DeviceModel& device(int rank) const = 0;
};
PricedSchedule priceSchedule(const Schedule& schedule, const NetworkModel& network,
                             std::span<const std::int64_t> readyNs);

}  // namespace lab
