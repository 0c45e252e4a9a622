// SPDX-License-Identifier: GPL-3.0-or-later
// What is said at a moment of a beat: a sentence or two with the step's own numbers, of nothing that has not happened
// by then; and where slides or documents claim something else than TensorFlow's code does (core/strategy/README.md),
// what is true.
#pragma once

#include <QString>

#include <string>

#include "ui/playback/step_milestones.h"
#include "ui/playback/story.h"

namespace lab {

// Of a step, at a moment of one of its beats.
struct CaptionMoment {
  const RunInfo& info;
  const StepRecord& record;
  const StepMilestones& course;
  std::int64_t ns = 0;     // on the step's clock
  bool isMoving = false;   // the beat's hold for reading is over
  double part = 0;         // how far its motion is, 0 to 1, where it is told step by step
  bool isClockOn = false;  // and what stands still at its beginning (the TPU's start-up) as well
};

// Of the check's motion: from here on its difference is shown, and its verdict said.
inline constexpr double kCompared = 0.6;

const char* beatKey(BeatKind kind);         // "aggregate", in every language: of files and options
QString beatName(BeatKind kind);            // as people read it
QString beatNamed(const std::string& key);  // the name of the beat with this key; "" where there is none
QString beatCaption(BeatKind kind, const CaptionMoment& at);
QString beatNote(BeatKind kind, const RunInfo& info, const StepRecord& record);  // often empty

// Of a class: why this worker has no part in the step; "" where it has one.
QString absenceWords(const StepRecord& record, int replica);
QString datasetName(const RunInfo& info);                  // "MNIST", "the embedded digits"
QString endpointName(const RunInfo& info, int endpoint);   // "R0", "worker 2", "PS1", "CPU:0"
QString endpointNumber(const RunInfo& info, int replica);  // "2": where a name has no room
QString weightsName(std::int64_t version);                 // "W₁₂"

}  // namespace lab
