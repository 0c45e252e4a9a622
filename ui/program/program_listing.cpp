// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/program/program_listing.h"

#include <algorithm>
#include <string_view>

namespace lab {
namespace {

bool teachesNothing(const ProgramLine& line) {
  const std::size_t first = line.text.find_first_not_of(' ');
  return line.aside || first == std::string::npos || line.text[first] == '#';
}

// Finds the lines of `after` outside the longest common subsequence, and the places where lines of `before` are
// missing.
class LineDifference {
 public:
  LineDifference(const ProgramLines& before, const ProgramLines& after)
      : before_(before), after_(after), common_((before.size() + 1) * (after.size() + 1)) {
    for (std::size_t i = before.size(); i-- > 0;)
      for (std::size_t j = after.size(); j-- > 0;)
        at(i, j) = before[i].text == after[j].text ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
  }

  ProgramChange change() {
    ProgramChange change;
    change.changed.assign(after_.size(), false);
    change.lessAbove.assign(after_.size(), false);
    std::size_t i = 0, j = 0;
    while (i < before_.size() || j < after_.size()) {
      if (i < before_.size() && j < after_.size() && before_[i].text == after_[j].text) {
        ++i, ++j;
        continue;
      }
      Hunk gone, come;
      while ((i < before_.size() || j < after_.size()) &&
             !(i < before_.size() && j < after_.size() && before_[i].text == after_[j].text)) {
        if (j == after_.size() || (i < before_.size() && at(i + 1, j) >= at(i, j + 1))) {
          gone.count(before_[i++]);
        } else {
          change.changed[j] = !after_[j].text.empty();
          come.count(after_[j++]);
        }
      }
      // More lines went than came: marks the line below the gap, or the last line.
      if (gone.lines > come.lines && !after_.empty()) change.lessAbove[std::min(j, after_.size() - 1)] = true;
      change.lines += std::max(gone.lines, come.lines);
      change.asides += std::max(gone.asides, come.asides);
    }
    return change;
  }

 private:
  struct Hunk {
    int lines = 0, asides = 0;

    void count(const ProgramLine& line) {
      if (!line.text.empty()) ++(teachesNothing(line) ? asides : lines);
    }
  };

  int& at(std::size_t i, std::size_t j) { return common_[i * (after_.size() + 1) + j]; }

  const ProgramLines &before_, &after_;
  std::vector<int> common_;  // the length of the longest common subsequence from there on
};

}  // namespace

Listing listingOf(const Program& program, const Story* story, double seconds) {
  Listing listing;
  int number = 0;
  for (const ProgramLine& line : program.lines) {
    ListingRow& row = listing.emplace_back();
    row.text = QString::fromStdString(line.text);
    row.beats = ProgramBeats(line);
    row.number = ++number;
    row.aside = line.aside;
    if (program.loop || story == nullptr || !isWholeStep(row.beats)) continue;
    const ProgramBeats done = row.beats;
    const auto indent = static_cast<qsizetype>(line.text.find_first_not_of(' ')) + 4;
    for (const Beat& beat : story->beats) {
      // Lists only beats of this line. Start-up comes before it, and an evaluation after it may have its own line.
      if (!done.meets(beatsOf(beat.kind)) || beat.kind == BeatKind::Startup) continue;
      ListingRow& does = listing.emplace_back();
      does.text = QString(indent, QLatin1Char(' ')) + QStringLiteral("▸ ") + beat.name;
      // Shows the caption from the beat's beginning, so that it tells nothing that has not happened yet.
      if (beat.beginS <= seconds) does.text += QStringLiteral(" · ") + beat.captionAt(beat.beginS);
      does.beats = beatsOf(beat.kind);
      does.does = beat.kind;
    }
  }
  return listing;
}

ProgramChange changeOf(const Program& before, const Program& after) {
  return LineDifference(before.lines, after.lines).change();
}

void mark(Listing& listing, const ProgramChange& change) {
  for (ListingRow& row : listing) {
    if (!row.isLine()) continue;
    const auto line = static_cast<std::size_t>(row.number - 1);
    row.changed = line < change.changed.size() && change.changed[line];
    row.lessAbove = line < change.lessAbove.size() && change.lessAbove[line];
  }
}

}  // namespace lab
