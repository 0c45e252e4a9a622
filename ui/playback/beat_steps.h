// SPDX-License-Identifier: GPL-3.0-or-later
// Beats that are explained step by step while the clock stands: the strategy's start-up and the input pipeline; and the
// addition of the replicas' losses: which numbers, with which weights. Pure functions of the run and its record.
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
  QString detail;  // below the line, smaller; may be empty
  QString saying;  // the caption
};

std::vector<BeatStep> startUpSteps(const RunInfo& info, const StepRecord& record);  // empty except in the run's first
                                                                                    // step
// Returns whether each host runs a program of its own that reads TF_CONFIG: TensorFlow's strategies for several
// machines, and StrategyLab's real processes.
bool readsTaskConfig(const RunInfo& info);
std::vector<BeatStep> inputSteps(const RunInfo& info, const StepRecord& record);
std::vector<BeatStep> stepsOf(BeatKind kind, const RunInfo& info, const StepRecord& record);
std::size_t stepAt(std::size_t steps, double part);  // index of the current step
QString sayingAt(const std::vector<BeatStep>& steps, double part);

// Whether the step begins an epoch, ends one, or is followed by an evaluation. With a parameter server, an epoch is the
// same number of steps, whichever workers make them.
bool beginsEpoch(const RunInfo& info, const StepRecord& record);
bool endsEpoch(const RunInfo& info, const StepRecord& record);
bool isEvaluated(const RunInfo& info, const StepRecord& record);
std::int64_t epochOf(const RunInfo& info, const StepRecord& record);  // from 1

// What each replica passes to strategy.reduce(SUM), whose sum is the loss that gradients are taken of. Keras's fit: the
// mean over its own images, divided by the replicas; a custom loop: the sum over them, divided by the global batch.
struct LossParts {
  std::vector<double> sums, parts;  // per replica; 0 without images
  std::int64_t used = 0;            // replicas that were not left out; the parts of the others are 0
  std::int64_t batch = 0;           // what a loop divides each sum by
  double sum = 0;                   // the sum of the parts
  // As they would be if each were divided by its own share of the batch: the replicas' means, and their sum.
  std::vector<double> wrongParts;
  double wrongSum = 0;
  std::int64_t timesTooLarge = 0;  // wrongSum, and each wrong part; 0: no whole number, or not the same for all
  double reported = 0;             // the step's loss: the mean over all images, as in charts and files
  bool isReported = false;         // true if sum and reported are the same number, up to rounding
};
LossParts lossParts(const RunInfo& info, const StepRecord& record);
QString lossNumber(double value);  // a loss on its own

// A sum of losses as it is written everywhere: with the fewest digits at which the shown terms add up to the shown sum.
// If they add up at no small number of digits, the sum is called approximate.
struct WrittenSum {
  QStringList terms;
  QString total;
  bool addsUp = true;
  QString equals() const;  // " = ", or " ≈ "
  QString whole() const;   // the total; if the terms do not add up, with the reason
};
WrittenSum writtenSum(const std::vector<double>& terms);

QString startupCaption(const CaptionMoment& at);
// The part of the losses' beat after which stage and caption show their sum.
inline constexpr double kLossesSummed = 0.5;
QString lossesCaption(const RunInfo& info, const StepRecord& record, double part);
// For the switch that divides each by its own batch.
QString wrongLossesCaption(const RunInfo& info, const StepRecord& record);
QString lossesNote(const RunInfo& info);
QString epochCaption(const RunInfo& info, const StepRecord& record);
QString epochNote(const RunInfo& info);
QString evaluateCaption(const RunInfo& info);
QString inputNote(const RunInfo& info);

// TensorFlow's log line "Reduce to … then broadcast to …": whether it is about this run's gradients, and when it
// appears. The note is a sentence; the explanation is for the inspector.
QString logNote(const RunInfo& info);
QString logExplanation(const RunInfo& info);

}  // namespace lab
