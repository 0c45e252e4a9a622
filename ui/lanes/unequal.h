// SPDX-License-Identifier: GPL-3.0-or-later
// What cannot be the same in two compared runs, and why their weights differ or do not: in sentences. Pure functions of
// the settings and of what was observed.
#pragma once

#include <QFontMetrics>
#include <QString>
#include <QStringList>

#include <vector>

#include "core/experiments/comparison_file.h"
#include "core/experiments/weight_distance.h"
#include "ui/lanes/lane.h"

namespace lab {

// A note in a lane's head about something unequal; `brief`: the same in fewer words, for little room.
struct LaneNote {
  QString whole, brief;
};
std::vector<LaneNote> laneNotes(const Lane& lane, const Lane& leader, InStepBy by);
// As many notes as fit into `lines` lines, the first ones first, and in whole as far as there is room. No sentence ends
// in the middle. The first note is always included.
QString wordsThatFit(const std::vector<LaneNote>& notes, const QFontMetrics& metrics, int width, int lines);

// One sentence each; empty if all is equal: same seed, same images in the same order, one global batch. `by`: what the
// lanes have in common; by steps, a lane that has seen fewer or more images says so first.
QStringList unequalWords(const Lane& lane, const Lane& leader, InStepBy by = InStepBy::Images);

// What the observed distances say about the weights, and why. `base`: the name of the lane from which they are
// measured. `edited`: a value was changed by hand in one of the two lanes and not in the other.
// `first`: the first step at which the two can differ.
QString distanceWords(const DistanceCurve& curve, ApartBecause because, const QString& base, bool edited = false,
                      std::int64_t first = 1);
// The same for two lanes.
QString distanceWords(const Lane& lane, const Lane& base);
// The step of the fork for a branch and its parent, or for two branches of one parent; otherwise 1.
std::int64_t firstPossibleDifference(const Lane& a, const Lane& b);

}  // namespace lab
