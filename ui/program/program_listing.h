// SPDX-License-Identifier: GPL-3.0-or-later
// What the program pane shows, row by row: the program's lines and, under the one line of fit that does a whole step,
// what it does, beat by beat. And what a change of settings has changed. Pure functions.
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
  int number = 0;                // of the line, from 1; 0: what the line above does
  std::optional<BeatKind> does;  // such a row's beat
  bool aside = false;            // it teaches nothing (ProgramLine)
  bool changed = false;          // against the program before
  bool lessAbove = false;        // above it a line is gone

  bool isLine() const { return number > 0; }
  bool operator==(const ListingRow&) const = default;
};
using Listing = std::vector<ListingRow>;

// `story`, of the step that is shown, may be null. What it says of a beat that has not begun at `seconds` is left out.
Listing listingOf(const Program& program, const Story* story, double seconds);

// Lines that are new or other, and how many; those of the new program that are gone are counted with what took their
// place. Comments and what stands in for hardware are counted apart.
struct ProgramChange {
  std::vector<bool> changed, lessAbove;  // of each line of the new program
  int lines = 0, asides = 0;

  bool none() const { return lines == 0 && asides == 0; }
};
ProgramChange changeOf(const Program& before, const Program& after);
void mark(Listing& listing, const ProgramChange& change);

}  // namespace lab
