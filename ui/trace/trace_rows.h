// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a trace, from top to bottom: devices, the links that were used, devices that did nothing in the step
// (they are the first to have no room). Lanes that did exactly the same in the step can share a row, and links that
// were used outside of the step alone, at start-up, always do: their rows would be empty.
#pragma once

#include <QStringList>

#include <vector>

#include "core/trace/timeline.h"

namespace lab {

struct TraceRow {
  enum class Of { Lane, Alike, StartUp };
  std::vector<int> lanes;  // the first stands for all that are alike
  Of of = Of::Lane;
};

bool isWithinStep(const Timeline& timeline, const Span& span);           // some of it
std::vector<TraceRow> traceRows(const Timeline& timeline, bool folded);  // folded: what is alike
// From the whole name to the shortest that still tells rows apart: "replica 0 → replica 1 · NVLink 2", "replica 0 →
// replica 1", "R0 → R1".
QStringList namesOf(const Timeline& timeline, const TraceRow& row);

}  // namespace lab
