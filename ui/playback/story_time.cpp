// SPDX-License-Identifier: GPL-3.0-or-later
// Movie time ↔ the step's clock, one beat after the other.
#include <algorithm>
#include <cmath>

#include "ui/playback/story.h"

namespace lab {

std::size_t Story::beatAt(double at) const {
  const auto after = std::upper_bound(beats.begin(), beats.end(), at,
                                      [](double moment, const Beat& beat) { return moment < beat.beginS; });
  return after == beats.begin() ? 0 : static_cast<std::size_t>(after - beats.begin()) - 1;
}

std::int64_t Story::clockAt(double at) const {
  if (beats.empty()) return 0;
  const Beat& beat = beats[beatAt(at)];
  if (at >= beat.endS) return beat.endNs;
  if (at <= beat.motionS) return beat.beginNs;
  const double fraction = (at - beat.motionS) / (beat.endS - beat.motionS);
  return beat.beginNs + std::llround(fraction * static_cast<double>(beat.endNs - beat.beginNs));
}

double Story::secondsAt(std::int64_t ns) const {
  for (const Beat& beat : beats) {
    if (ns <= beat.beginNs) return beat.beginS;
    if (ns > beat.endNs) continue;
    const double fraction = static_cast<double>(ns - beat.beginNs) / static_cast<double>(beat.endNs - beat.beginNs);
    return beat.motionS + fraction * (beat.endS - beat.motionS);
  }
  return seconds;
}

}  // namespace lab
