// SPDX-License-Identifier: GPL-3.0-or-later
// The six moments of a step that a poster shows, taken from the step's story. A synchronous step is shown from the
// images' way to the comparison of the copies, with two moments of the aggregation if its transfers go there and back.
// A parameter server's step shows what its workers do at the same time. Pure functions of the record.
#pragma once

#include <QString>

#include <vector>

#include "ui/playback/story.h"
#include "ui/step/step_index.h"

namespace lab {

inline constexpr std::size_t kPosterMoments = 6;

struct PosterMoment {
  BeatKind kind = BeatKind::Batch;
  double seconds = 0;  // in the story's time
  QString heading;     // the beat's name
  QString caption;     // one sentence
  QString figures;     // "1.2 ms · loss 2.31 · 1.39 MB sent"
};

// In the order of time; fewer than kPosterMoments if the step has fewer.
std::vector<PosterMoment> posterMoments(const StepIndex& step, const Story& story);

QString firstSentence(const QString& words);

}  // namespace lab
