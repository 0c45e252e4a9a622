// SPDX-License-Identifier: GPL-3.0-or-later
// A run in words and figures, as the window shows them. Pure functions of the run's metrics so far; a figure that
// is not known is a dash, and what is modelled never stands where what is measured belongs.
#pragma once

#include <QString>

#include <optional>
#include <span>
#include <vector>

#include "core/prediction/rates.h"
#include "core/trace/divergence.h"
#include "core/trace/metric.h"
#include "core/training/trainer.h"

namespace lab {

struct Throughput {
  std::optional<double> measured;  // images/s, wall clock of this program
  std::optional<double> modelled;  // images/s of the modelled devices; nullopt on real ones
};
// The mean over the last steps, as many as even out the noise of single ones. Of modelled asynchronous workers since
// the start.
inline constexpr std::size_t kRecentSteps = 50;
Throughput recentThroughput(std::span<const StepMetric> steps);
Throughput meanThroughput(std::span<const StepMetric> steps);  // of all of them
// "160 of 256 images": beside whatever rests on a step that had less than a full batch; else "". A class has none: its
// batch is as large as there are workers.
QString remainderWords(const RunInfo& info, const StepMetric& step);
QString withRemainder(const QString& words, const RunInfo& info, const StepMetric& step);  // "…, 160 of 256 images"

// A figure of the window: a few words, and a value with what one should know to read it.
struct Figure {
  QString name;
  QString value;
};

// "Making replica 37 of 512": what is done before the first step.
QString preparationWords(const Preparation& preparation);

QString runTitle(const ResolvedSettings& config, const RunInfo* info);  // "MirroredStrategy"
QString runDevices(const RunInfo* info);  // "2 replicas on simulated NVIDIA V100 SXM2 · …"
QString runData(const RunInfo* info);     // "embedded digits: 4,000 training …"
std::vector<Figure> runFigures(const RunInfo* info, std::span<const StepMetric> steps,
                               std::span<const EvalMetric> evaluations, const std::optional<SteadyStep>& steady);

// The status bar, in a few words each; "" where there is nothing to say.
QString stepWords(const RunInfo* info, std::span<const StepMetric> steps);  // "step 118 of 7,500 · epoch 0.02"
// "41,000 images/s modelled, steady"; "9,000 images/s measured, mean of 50 steps"
QString rateWords(std::span<const StepMetric> steps, const std::optional<SteadyStep>& steady);
QString clockWords(const RunInfo* info, std::span<const StepMetric> steps);  // "3.2 ms this step, modelled"

// What the user should know although training goes on; "" where there is nothing. `divergence` has followed the steps.
QString runWarning(std::span<const StepMetric> steps, const Divergence& divergence);

}  // namespace lab
