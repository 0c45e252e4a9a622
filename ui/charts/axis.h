// SPDX-License-Identifier: GPL-3.0-or-later
// Axes as numbers: which values bound them, where their grid lines are, and the labels. Pure functions.
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
  QString text;   // "" if there is no room for it
};

// A round step (1, 2, 2.5 or 5 times a power of ten) that covers [0, maximum] in at most `count` steps.
double roundStep(double maximum, int count);

// Extends both ends to round numbers; the result is never empty.
Range roundRange(Range values, int count);

// `whole`: for counted values, so that no tick lies between two whole numbers.
std::vector<Tick> linearTicks(Range range, int count, bool whole = false);

// A logarithmic axis has no place for values of 0 or less: they are drawn and marked at its foot. The foot is a power
// of ten below the smallest value above 0 (`smallest`; 0 if there is none).
double logFoot(double smallest);
// Whole decades, for values above 0. Values below 1e-150 and above 1e150 may lie outside.
Range logRange(double smallest, double largest);
std::vector<Tick> logTicks(Range range, int count);

QString shortNumber(double value);  // four digits, with k, M or e5 for large numbers

}  // namespace lab
