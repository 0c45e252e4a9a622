// SPDX-License-Identifier: GPL-3.0-or-later
// What is said at each beat: one sentence with the step's own numbers, and where slides or documents claim something
// else than TensorFlow's code does (the reference's §10), what is true.
#pragma once

#include <QString>

#include "ui/playback/story.h"

namespace lab {

const char* beatKey(BeatKind kind);  // "aggregate", in every language
QString beatName(BeatKind kind);     // as people read it
QString beatCaption(BeatKind kind, const RunInfo& info, const StepRecord& record);
QString beatNote(BeatKind kind, const RunInfo& info, const StepRecord& record);  // often empty

QString datasetName(const RunInfo& info);           // "MNIST", "the embedded digits"
QString partyName(const RunInfo& info, int party);  // "R0", "worker 2", "PS1", "CPU:0"
QString weightsName(std::int64_t version);          // "W₁₂"

}  // namespace lab
