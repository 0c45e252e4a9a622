// SPDX-License-Identifier: GPL-3.0-or-later
// Beats that are told step by step while the clock stands: the strategy's start-up and the input pipeline. And the
// replicas' losses as they are added: which numbers, weighted how. Pure functions of the run and its record.
#pragma once

#include <QString>
#include <QStringList>

#include <cstdint>
#include <vector>

#include "ui/playback/story.h"

namespace lab {

struct CaptionMoment;

struct BeatStep {
  QString line;    // on the stage: "4. initialise the TPU system"
  QString detail;  // below it, shorter; may be empty
  QString saying;  // the caption
};

std::vector<BeatStep> startUpSteps(const RunInfo& info, const StepRecord& record);  // none but in the run's first step
std::vector<BeatStep> inputSteps(const RunInfo& info, const StepRecord& record);
std::vector<BeatStep> stepsOf(BeatKind kind, const RunInfo& info, const StepRecord& record);
std::size_t stepAt(std::size_t steps, double part);  // index of the present one
QString sayingAt(const std::vector<BeatStep>& steps, double part);

// Whether the step begins an epoch, ends one, and is followed by an evaluation. Of parameter server an epoch is as many
// steps, whoever makes them.
bool beginsEpoch(const RunInfo& info, const StepRecord& record);
bool endsEpoch(const RunInfo& info, const StepRecord& record);
bool isEvaluated(const RunInfo& info, const StepRecord& record);
std::int64_t epochOf(const RunInfo& info, const StepRecord& record);  // from 1

// What each replica hands to strategy.reduce(SUM), whose sum is the loss that the gradients are of. Keras's fit: the
// mean of its own images over the replicas; a custom loop: their sum over the global batch.
struct LossParts {
  std::vector<double> sums, parts;  // per replica; 0 without images
  std::int64_t used = 0;            // replicas that were not left out; the others' parts are 0
  std::int64_t batch = 0;           // what a loop divides each sum by
  double sum = 0;                   // of the parts
  double wrongSum = 0;              // had each divided by its own share of the batch: N times as much
  double reported = 0;              // the step's: the mean over all images, as charts and files have it
  bool isReported = false;          // sum and reported are one number, up to rounding
};
LossParts lossParts(const RunInfo& info, const StepRecord& record);
QString lossNumber(double value);  // a loss that stands alone

// A sum of losses as it is written wherever it is: in the fewest digits in which the terms that are shown add up to the
// sum that is shown. Where no few digits do, the sum is called approximate.
struct WrittenSum {
  QStringList terms;
  QString total;
  bool addsUp = true;
  QString equals() const;  // " = ", or " ≈ "
  QString whole() const;   // the total; where the terms do not add up, with the reason
};
WrittenSum writtenSum(const std::vector<double>& terms);

QString startupCaption(const CaptionMoment& at);
QString lossesCaption(const RunInfo& info, const StepRecord& record, double part);
QString wrongLossesCaption(const RunInfo& info);  // where the switch shows each divided by its own batch
QString lossesNote(const RunInfo& info);
QString epochCaption(const RunInfo& info, const StepRecord& record);
QString epochNote(const RunInfo& info);
QString evaluateCaption(const RunInfo& info);
QString inputNote(const RunInfo& info);

// TensorFlow's log line "Reduce to … then broadcast to …": whether it speaks of this run's gradients, and when it
// appears. The note is a sentence; the whole is for the inspector.
QString logNote(const RunInfo& info);
QString logExplanation(const RunInfo& info);

}  // namespace lab
