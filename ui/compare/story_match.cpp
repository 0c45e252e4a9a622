// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/story_match.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace lab {
namespace {

struct Pair {
  std::size_t mine = 0, others = 0;
};

// Beats of the same kind, in the order of both.
std::vector<Pair> commonBeats(const Story& story, const Story& other) {
  std::vector<Pair> pairs;
  std::size_t from = 0;
  for (std::size_t i = 0; i < story.beats.size(); ++i) {
    const auto same = std::find_if(other.beats.begin() + static_cast<std::ptrdiff_t>(from), other.beats.end(),
                                   [&](const Beat& beat) { return beat.kind == story.beats[i].kind; });
    if (same == other.beats.end()) continue;
    pairs.push_back({i, static_cast<std::size_t>(same - other.beats.begin())});
    from = pairs.back().others + 1;
  }
  return pairs;
}

double along(double share, double from, double to) {
  return from + share * (to - from);
}

double shareOf(double at, double from, double to) {
  return to > from ? std::clamp((at - from) / (to - from), 0.0, 1.0) : 1.0;
}

}  // namespace

double matchedSeconds(const Story& story, double seconds, const Story& other) {
  if (story.beats.empty() || other.beats.empty() || story.seconds <= 0) return 0;
  if (seconds >= story.seconds) return other.seconds;
  const std::vector<Pair> pairs = commonBeats(story, other);
  // The batch alone is nothing in common.
  if (pairs.empty() || (pairs.size() == 1 && story.beats[pairs[0].mine].kind == BeatKind::Batch))
    return seconds / story.seconds * other.seconds;
  const std::size_t now = story.beatAt(seconds);
  double waits = 0;  // where the other has a boundary that this story has passed
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::size_t end = i + 1 < pairs.size() ? pairs[i + 1].others : other.beats.size();
    const std::size_t begin = i == 0 ? 0 : pairs[i].others;
    const double fromS = other.beats[begin].beginS, toS = other.beats[end - 1].endS;
    if (pairs[i].mine > now) break;
    waits = toS;
    if (pairs[i].mine < now) continue;
    const Beat& mine = story.beats[now];
    const Beat& others = other.beats[begin];
    if (end - begin > 1) return along(shareOf(seconds, mine.beginS, mine.endS), fromS, toS);
    if (seconds < mine.motionS)
      return along(shareOf(seconds, mine.beginS, mine.motionS), others.beginS, others.motionS);
    return along(shareOf(seconds, mine.motionS, mine.endS), others.motionS, others.endS);
  }
  return waits;
}

}  // namespace lab
