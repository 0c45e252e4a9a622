// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of the program pane: the program's lines and, under the one line of fit that runs a whole step, the step's
// actions, beat by beat. Also finds what a change of settings has changed. Pure functions.
#pragma once

#include <QString>

#include <optional>
#include <vector>

#include "core/codegen/program.h"
#include "ui/playback/story.h"
#include "ui/program/program_beats.h"

namespace lab {

struct ListingRow {
  QString text;
  ProgramBeats beats;
  int number = 0;                // number of the line, from 1; 0: an action of the line above
  std::optional<BeatKind> does;  // the beat of an action row
  bool aside = false;            // not part of the lesson (ProgramLine)
  bool changed = false;          // compared with the previous program
  bool lessAbove = false;        // a line above it has been removed

  bool isLine() const { return number > 0; }
  bool operator==(const ListingRow&) const = default;
};
using Listing = std::vector<ListingRow>;

// `story`: of the shown step; may be null. Descriptions of beats that have not begun at `seconds` are left out.
Listing listingOf(const Program& program, const Story* story, double seconds);

// New and changed lines, with their number; removed lines count with those that replaced them. Comments and lines that
// stand in for hardware are counted separately.
struct ProgramChange {
  std::vector<bool> changed, lessAbove;  // one per line of the new program
  int lines = 0, asides = 0;

  bool none() const { return lines == 0 && asides == 0; }
};
ProgramChange changeOf(const Program& before, const Program& after);
void mark(Listing& listing, const ProgramChange& change);

}  // namespace lab
