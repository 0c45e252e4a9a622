// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a trace, from top to bottom: devices, links that were used, devices that did nothing in the step (the
// first to be left out). Tracks that did exactly the same in the step can share a row. Links used only outside of the
// step, at start-up, always share one: their rows would be empty.
#pragma once

#include <QStringList>

#include <vector>

#include "core/timeline/timeline.h"

namespace lab {

struct TraceRow {
  enum class Of { Track, Alike, StartUp };
  std::vector<int> tracks;  // the first stands for all tracks in the row
  Of of = Of::Track;
};

bool isWithinStep(const Timeline& timeline, const Span& span);           // true if a part of it is
std::vector<TraceRow> traceRows(const Timeline& timeline, bool folded);  // `folded`: tracks that are alike share a row
// Names from the full one to the shortest that still distinguishes rows: "replica 0 → replica 1 · NVLink 2", "replica 0
// → replica 1", "R0 → R1".
QStringList namesOf(const Timeline& timeline, const TraceRow& row);

}  // namespace lab
