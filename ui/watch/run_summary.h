// SPDX-License-Identifier: GPL-3.0-or-later
// A run in words and figures, as the window shows them. Pure functions of the run's metrics so far; a figure that
// is not known is a dash, and what is modelled never stands where what is measured belongs.
#pragma once

#include <QString>

#include <optional>
#include <span>
#include <vector>

#include "core/run/divergence.h"
#include "core/run/trainer.h"
#include "core/trace/metric.h"

namespace lab {

struct Throughput {
  std::optional<double> measured;  // images/s, wall clock of this program
  std::optional<double> modelled;  // images/s of the modelled devices; nullopt on real ones
};
// Over the last steps, as many as even out the noise of single ones. Of modelled asynchronous workers since the start.
inline constexpr std::size_t kRecentSteps = 50;
Throughput recentThroughput(std::span<const StepMetric> steps);

// A figure of the window: a few words, and a value with what one should know to read it.
struct Figure {
  QString name;
  QString value;
};

// "Making replica 37 of 512": what is done before the first step.
QString preparationWords(const Preparation& preparation);

QString runTitle(const RunConfig& config, const RunInfo* info);  // "MirroredStrategy"
QString runDevices(const RunInfo* info);                         // "2 replicas on simulated NVIDIA V100 SXM2 · …"
QString runData(const RunInfo* info);                            // "embedded digits: 4,000 training …"
std::vector<Figure> runFigures(const RunInfo* info, std::span<const StepMetric> steps,
                               std::span<const EvalMetric> evaluations);

// The status bar, in a few words each; "" where there is nothing to say.
QString stepWords(const RunInfo* info, std::span<const StepMetric> steps);  // "step 118 of 7,500 · epoch 0.02"
QString rateWords(std::span<const StepMetric> steps);                       // "41,000 images/s modelled"
QString clockWords(std::span<const StepMetric> steps);                      // "3.2 ms a step, modelled"

// What the user should know although training goes on; "" where there is nothing. `divergence` has followed the steps.
QString runWarning(std::span<const StepMetric> steps, const Divergence& divergence);

}  // namespace lab
