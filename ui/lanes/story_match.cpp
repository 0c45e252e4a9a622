// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lanes/story_match.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace lab {
namespace {

struct Pair {
  std::size_t mine = 0, others = 0;
};

// Beats of the same kind, in an order that fits both stories.
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

// A range of a story's beats.
struct BeatRange {
  const Story& story;
  std::size_t begin = 0, end = 0;
  double beginS() const { return story.beats[begin].beginS; }
  double endS() const { return story.beats[end - 1].endS; }
};

double withinBeat(const Beat& mine, double seconds, const BeatRange& others) {
  if (others.end - others.begin > 1)
    return along(shareOf(seconds, mine.beginS, mine.endS), others.beginS(), others.endS());
  const Beat& other = others.story.beats[others.begin];
  if (seconds < mine.motionS) return along(shareOf(seconds, mine.beginS, mine.motionS), other.beginS, other.motionS);
  return along(shareOf(seconds, mine.motionS, mine.endS), other.motionS, other.endS);
}

}  // namespace

double matchedSeconds(const Story& story, double seconds, const Story& other) {
  if (story.beats.empty() || other.beats.empty() || story.seconds <= 0) return 0;
  if (seconds >= story.seconds) return other.seconds;
  const std::vector<Pair> pairs = commonBeats(story, other);
  // Stories that share only the batch have nothing in common.
  if (pairs.empty() || (pairs.size() == 1 && story.beats[pairs[0].mine].kind == BeatKind::Batch))
    return seconds / story.seconds * other.seconds;
  const std::size_t now = story.beatAt(seconds);
  double waits = 0;  // where the other has a boundary that this story has already passed
  for (std::size_t i = 0; i < pairs.size() && pairs[i].mine <= now; ++i) {
    const bool last = i + 1 == pairs.size();
    const BeatRange mine{story, pairs[i].mine, last ? story.beats.size() : pairs[i + 1].mine};
    const BeatRange others{other, i == 0 ? 0 : pairs[i].others, last ? other.beats.size() : pairs[i + 1].others};
    waits = others.endS();
    if (now >= mine.end) continue;
    // What only one of them does after the beat is matched with the other's own extra beats, if it has any: a server's
    // worker computes while the others run forward and backward.
    const bool bothGoOn = mine.end - mine.begin > 1 && others.end - pairs[i].others > 1;
    if (now > mine.begin) {
      if (!bothGoOn) return waits;
      return along(shareOf(seconds, story.beats[mine.begin].endS, mine.endS()), other.beats[pairs[i].others].endS,
                   waits);
    }
    return withinBeat(story.beats[now], seconds, {other, others.begin, bothGoOn ? pairs[i].others + 1 : others.end});
  }
  return waits;
}

}  // namespace lab
