// SPDX-License-Identifier: GPL-3.0-or-later
// The six moments of a step that a poster shows, as the step's own story has them: a synchronous step from the images'
// way to the comparison of the copies, with two moments of the aggregation where its transfers go there and back; of a
// parameter server's, what its workers do beside each other. Pure functions of the record.
#pragma once

#include <QString>

#include <vector>

#include "ui/playback/story.h"
#include "ui/scene/step_index.h"

namespace lab {

inline constexpr std::size_t kPosterMoments = 6;

struct PosterMoment {
  BeatKind kind = BeatKind::Batch;
  double seconds = 0;  // of the story
  QString heading;     // the beat's name
  QString caption;     // one sentence
  QString figures;     // "1.2 ms · loss 2.31 · 1.39 MB sent"
};

// In the order of time; fewer where the step has fewer.
std::vector<PosterMoment> posterMoments(const StepIndex& step, const Story& story);

QString firstSentence(const QString& words);

}  // namespace lab
