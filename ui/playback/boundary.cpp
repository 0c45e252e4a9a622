// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/playback/boundary.h"

#include <algorithm>
#include <vector>

#include "ui/playback/position.h"

namespace lab {
namespace {

std::vector<double> boundariesOf(const Story& story, Playback::Unit unit) {
  std::vector<double> moments{0};
  if (unit == Playback::Unit::Message || unit == Playback::Unit::Phase) {
    for (const Beat& beat : story.beats) moments.push_back(beat.beginS);
  }
  if (unit == Playback::Unit::Message) moments.insert(moments.end(), story.messageS.begin(), story.messageS.end());
  std::sort(moments.begin(), moments.end());
  moments.erase(std::unique(moments.begin(), moments.end(), sameMoment), moments.end());
  return moments;
}

}  // namespace

std::optional<double> boundaryAfter(const Story& story, double seconds, Playback::Unit unit) {
  for (const double moment : boundariesOf(story, unit)) {
    if (moment > seconds && !sameMoment(moment, seconds) && !sameMoment(moment, story.seconds)) return moment;
  }
  return std::nullopt;
}

std::optional<double> boundaryBefore(const Story& story, double seconds, Playback::Unit unit) {
  std::optional<double> last;
  for (const double moment : boundariesOf(story, unit)) {
    if (moment < seconds && !sameMoment(moment, seconds)) last = moment;
  }
  return last;
}

}  // namespace lab
