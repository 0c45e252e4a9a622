// SPDX-License-Identifier: GPL-3.0-or-later
// What the caption says at a moment of a beat: a sentence or two with the step's own numbers, only about what has
// happened by then; and, where slides or documents disagree with TensorFlow's code (core/strategy/README.md), what is
// true.
#pragma once

#include <QString>

#include <string>

#include "ui/playback/step_milestones.h"
#include "ui/playback/story.h"

namespace lab {

// A moment of one of a step's beats.
struct CaptionMoment {
  const RunInfo& info;
  const StepRecord& record;
  const StepMilestones& course;
  std::int64_t ns = 0;     // on the step's clock
  bool isMoving = false;   // true once the beat's hold for reading is over
  double part = 0;         // progress of the motion, 0 to 1, for a beat told step by step
  bool isClockOn = false;  // true once whatever stands still at the beginning (the TPU's start-up) is over too
};

// In the check's motion: from here on the difference is shown and the verdict given.
inline constexpr double kCompared = 0.6;

const char* beatKey(BeatKind kind);         // "aggregate", in every language: for files and options
QString beatName(BeatKind kind);            // the name for readers
QString beatNamed(const std::string& key);  // the name of the beat with this key; "" if there is none
QString beatCaption(BeatKind kind, const CaptionMoment& at);
QString beatNote(BeatKind kind, const RunInfo& info, const StepRecord& record);  // often empty

// Returns whether all replicas had the same weights when the step began.
bool beganAlike(const RunInfo& info, const StepRecord& record);
// For a class: why this worker takes no part in the step; "" if it does.
QString absenceWords(const StepRecord& record, int replica);
QString datasetName(const RunInfo& info);                  // "MNIST", "the built-in digits"
QString endpointName(const RunInfo& info, int endpoint);   // "R0", "worker 2", "PS1", "CPU:0"
QString workerName(const RunInfo& info, int worker);       // "Worker 2", for the beginning of a sentence
QString endpointNumber(const RunInfo& info, int replica);  // "2": for places without room for a name
QString weightsName(std::int64_t version);                 // "W₁₂"
// The server's share of all trained variables in percent, "99.97"; only all is "100".
QString serverShare(const RunInfo& info, int server);

}  // namespace lab
