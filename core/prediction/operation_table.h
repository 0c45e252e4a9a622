// SPDX-License-Identifier: GPL-3.0-or-later
// The time of a step's operations, summed over their slices. Each instant of a device belongs to one row, so the rows'
// own times add up to the breakdowns of all devices, stage by stage, to the nanosecond. Plain values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/config/run_info.h"
#include "core/timeline/timeline.h"

namespace lab {

struct OperationRow {
  Message name;                  // empty: devices on which nothing was recorded
  std::optional<SpanKind> kind;  // nothing: as for `name`
  std::uint16_t label = 0;       // in the legend, if there is a kind
  std::int64_t calls = 0;        // number of slices
  std::int64_t totalNs = 0;      // of all slices, on devices, hosts and links
  std::int64_t launchNs = 0;     // part of totalNs spent launching kernels
  bool onReplicas = true;        // all slices ran on the devices that train
  StageBreakdown own{};          // the devices' time that belongs to no other row
  double flop = 0;               // of all slices, as counted on paper (NetworkOperation, updateCost); 0: unknown
  double bytes = 0;              // to and from memory, as counted on paper; for transfers, over links

  std::int64_t meanNs() const { return calls > 0 ? totalNs / calls : 0; }
  double flopPerSecond() const { return totalNs > 0 ? flop * 1e9 / static_cast<double>(totalNs) : 0; }
  double flopPerByte() const { return bytes > 0 ? flop / bytes : 0; }
};

struct OperationTable {
  std::vector<OperationRow> rows;  // by their own time, the longest first
  std::int64_t deviceNs = 0;       // all devices' time, the sum of the rows' own times
};

// Returns the tracks of devices that train or hold variables; hosts' processors only feed these. Without a run, for an
// opened trace: the tracks with anything but input.
std::vector<int> deviceTracks(const Timeline& timeline, const RunInfo* info);

// Counts whole slices that touch [fromNs, toNs). `info`: the run's; null for a trace from a file, whose arithmetic is
// unknown.
OperationTable operationTable(const Timeline& timeline, const RunInfo* info, std::int64_t fromNs, std::int64_t toNs);

}  // namespace lab
