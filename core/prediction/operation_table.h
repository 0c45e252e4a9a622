// SPDX-License-Identifier: GPL-3.0-or-later
// What the operations of a step took, added up over its slices. Each instant of a device belongs to one row, so the
// rows' own times add up to the breakdowns of all devices, stage by stage, to the nanosecond. Plain values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/config/run_info.h"
#include "core/trace/timeline.h"

namespace lab {

struct OperationRow {
  Message name;                  // empty: devices that did nothing that is recorded
  std::optional<SpanKind> kind;  // nothing: likewise
  std::uint16_t label = 0;       // of the legend, where there is a kind
  std::int64_t calls = 0;        // slices
  std::int64_t totalNs = 0;      // of all slices, on devices, hosts and links
  std::int64_t launchNs = 0;     // of these: launching kernels
  bool onReplicas = true;        // all of them ran on the devices that train
  StageBreakdown own{};          // of the devices' time, what belongs to no other row
  double flop = 0;               // of all slices, as counted on paper (NetworkOperation, updateCost); 0: none is known
  double bytes = 0;              // likewise to and from memory; of transfers, over links

  std::int64_t meanNs() const { return calls > 0 ? totalNs / calls : 0; }
  double flopPerSecond() const { return totalNs > 0 ? flop * 1e9 / static_cast<double>(totalNs) : 0; }
  double flopPerByte() const { return bytes > 0 ? flop / bytes : 0; }
};

struct OperationTable {
  std::vector<OperationRow> rows;  // those with most time of their own first
  std::int64_t deviceNs = 0;       // all devices' time, which the rows' own add up to
};

// The lanes of devices that train or hold variables; hosts' processors only feed them. Without a run, of an opened
// trace: those with anything but input.
std::vector<int> deviceLanes(const Timeline& timeline, const RunInfo* info);

// Of the slices that touch [fromNs, toNs), each of them whole. `info`: the run's; null where the trace is a file's, and
// nothing is known of its arithmetic.
OperationTable operationTable(const Timeline& timeline, const RunInfo* info, std::int64_t fromNs, std::int64_t toNs);

}  // namespace lab
