// SPDX-License-Identifier: GPL-3.0-or-later
// Axes as numbers: which values bound them, where their lines stand and what is written there. Pure functions.
#pragma once

#include <QString>

#include <vector>

namespace lab {

struct Range {
  double from = 0, to = 1;
  double length() const { return to - from; }
  bool operator==(const Range&) const = default;
};

struct Tick {
  double at = 0;  // a value
  QString text;   // "" where there is no room for it
};

// A round step (1, 2, 2.5 or 5 times a power of ten) that covers [0, maximum] in at most `count` steps.
double roundStep(double maximum, int count);

// The ends moved outwards to round numbers, never apart by nothing.
Range roundRange(Range values, int count);

// `whole`: of values that are counted, so that nothing stands between two of them.
std::vector<Tick> linearTicks(Range range, int count, bool whole = false);

// On a logarithmic axis 0 and less has no place: it is drawn at the foot and marked there. The foot is a power of ten
// below the smallest value above 0 (`smallest`; 0 where there is none).
double logFoot(double smallest);
Range logRange(double smallest, double largest);  // whole decades, for values above 0
std::vector<Tick> logTicks(Range range, int count);

QString shortNumber(double value);  // four digits, and k, M or e5 where it is long

}  // namespace lab
