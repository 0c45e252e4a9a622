// SPDX-License-Identifier: GPL-3.0-or-later
// Maps moments to pixels. Plain values: the hard part of a timeline that needs no widget.
#pragma once

#include <cstdint>
#include <vector>

namespace lab {

struct TimeScale {
  double beginNs = 0, endNs = 1;   // at the left and at the right edge; beginNs < endNs
  double leftPx = 0, widthPx = 1;  // the drawing area

  double xAt(double ns) const { return leftPx + (ns - beginNs) / (endNs - beginNs) * widthPx; }
  double nsAt(double x) const { return beginNs + (x - leftPx) / widthPx * (endNs - beginNs); }
  double nsPerPx() const { return (endNs - beginNs) / widthPx; }
  bool shows(double ns) const { return beginNs <= ns && ns <= endNs; }

  TimeScale moved(double byNs) const { return {beginNs + byNs, endNs + byNs, leftPx, widthPx}; }
  TimeScale centred(double ns) const { return moved(ns - (beginNs + endNs) / 2); }

  // `factor` > 1 zooms in; the moment at `x` stays in place. Never shows less than 10 ns or more than `wholeNs`.
  TimeScale zoomed(double factor, double x, double wholeNs) const;
  // Pans by this share of the shown time; a part of [firstNs, lastNs] stays visible.
  TimeScale panned(double share, double firstNs, double lastNs) const;
  // Shows [fromNs, toNs] with a small margin on both sides.
  TimeScale fitted(double fromNs, double toNs) const;
};

// Round moments (1, 2 or 5 times a power of ten nanoseconds) at least `leastPx` apart, counted from `originNs`.
struct TimeTicks {
  double stepNs = 1;
  std::vector<double> ns;  // on the scale's clock
};
TimeTicks ticksOf(const TimeScale& scale, double originNs, double leastPx);

}  // namespace lab
