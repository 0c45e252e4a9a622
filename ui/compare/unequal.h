// SPDX-License-Identifier: GPL-3.0-or-later
// What cannot be the same in two runs that are compared, and why their weights are apart or are not: in sentences.
// Pure functions of the settings and of what was seen.
#pragma once

#include <QFontMetrics>
#include <QString>
#include <QStringList>

#include <vector>

#include "core/experiments/comparison_file.h"
#include "core/experiments/weight_distance.h"
#include "ui/compare/lane.h"

namespace lab {

// What a lane's head says of what is unequal; `brief`: the same in fewer words, for little room.
struct LaneNote {
  QString whole, brief;
};
std::vector<LaneNote> laneNotes(const Lane& lane, const Lane& leader, InStepBy by);
// As many of them as have room in so many lines, the first ones first, and whole as far as there is room for that:
// no sentence ends in the middle. The first always stands there.
QString wordsThatFit(const std::vector<LaneNote>& notes, const QFontMetrics& metrics, int width, int lines);

// A sentence each; empty where all is equal: same seed, same images in the same order, one global batch. `by`: what the
// lanes have in common; by steps, a lane that has seen fewer or more images says so first.
QStringList unequalWords(const Lane& lane, const Lane& leader, InStepBy by = InStepBy::Images);

// What the distances seen say about the weights, and the reason. `base`: the name of the lane that they are measured
// to. `edited`: a value of one of the two was changed by hand.
// `first`: the first step at which the two can differ.
QString distanceWords(const DistanceCurve& curve, ApartBecause because, const QString& base, bool edited = false,
                      std::int64_t first = 1);
// The same of two lanes.
QString distanceWords(const Lane& lane, const Lane& base);
// Of a branch and its parent, or of two branches of one parent, the step of the fork; else 1.
std::int64_t firstPossibleDifference(const Lane& a, const Lane& b);

}  // namespace lab
