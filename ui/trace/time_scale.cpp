// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/time_scale.h"

#include <algorithm>
#include <cmath>

namespace lab {
namespace {

constexpr double kShortestNs = 10;
constexpr double kAir = 0.02;

}  // namespace

TimeScale TimeScale::zoomed(double factor, double x, double wholeNs) const {
  const double length = std::clamp((endNs - beginNs) / factor, kShortestNs, std::max(kShortestNs, wholeNs));
  const double at = nsAt(x);
  TimeScale scale = *this;
  scale.beginNs = at - (x - leftPx) / widthPx * length;
  scale.endNs = scale.beginNs + length;
  return scale;
}

TimeScale TimeScale::panned(double share, double firstNs, double lastNs) const {
  const double length = endNs - beginNs;
  TimeScale scale = *this;
  scale.beginNs = std::clamp(beginNs + share * length, std::min(firstNs - length / 2, lastNs - length / 2),
                             std::max(firstNs - length / 2, lastNs - length / 2));
  scale.endNs = scale.beginNs + length;
  return scale;
}

TimeScale TimeScale::fitted(double fromNs, double toNs) const {
  const double length = std::max(kShortestNs, toNs - fromNs);
  TimeScale scale = *this;
  scale.beginNs = fromNs - kAir * length;
  scale.endNs = fromNs + (1 + kAir) * length;
  return scale;
}

TimeTicks ticksOf(const TimeScale& scale, double originNs, double leastPx) {
  const double least = std::max(1.0, leastPx * scale.nsPerPx());
  const double power = std::pow(10, std::floor(std::log10(least)));
  TimeTicks ticks;
  for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
    ticks.stepNs = factor * power;
    if (ticks.stepNs >= least) break;
  }
  const double first = std::ceil((scale.beginNs - originNs) / ticks.stepNs);
  constexpr int kMost = 1000;
  for (int i = 0; i < kMost; ++i) {
    const double ns = originNs + (first + i) * ticks.stepNs;
    if (ns > scale.endNs) break;
    ticks.ns.push_back(ns);
  }
  return ticks;
}

}  // namespace lab
