// SPDX-License-Identifier: GPL-3.0-or-later
// A run in words and figures, as the window shows it. Pure functions of the run's metrics so far; an unknown figure is
// a dash, and a modelled figure never takes the place of a measured one.
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
  std::optional<double> modelled;  // images/s of the modelled devices; nullopt on real devices
};
// Images per second; nullopt if no time has passed.
std::optional<double> ratePerSecond(std::int64_t examples, std::int64_t ns);
// Counts the step's update in `counts`, [staleness] = number of updates; an aborted step made none. Those that are more
// than 63 stale count as 63.
void countStaleness(const StepMetric& step, std::vector<std::int64_t>& counts);
// The mean over enough recent steps to even out the noise of single ones. For modelled asynchronous workers, the mean
// since the start; measured, their steps overlap, and wall time counts.
inline constexpr std::size_t kRecentSteps = 50;
Throughput recentThroughput(std::span<const StepMetric> steps);
Throughput meanThroughput(std::span<const StepMetric> steps);  // over all of them
// "160 of 256 images": stands beside figures of a step with less than a full batch; otherwise "". A class has no full
// batch: its batch grows with the workers.
QString remainderWords(const RunInfo& info, const StepMetric& step);
QString withRemainder(const QString& words, const RunInfo& info, const StepMetric& step);  // "…, 160 of 256 images"

// A figure in the window: a short name, and a value with what is needed to interpret it.
struct Figure {
  QString name;
  QString value;
};

// "Making replica 37 of 512": the work before the first step.
QString preparationWords(const Preparation& preparation);

QString runTitle(const ResolvedSettings& config, const RunInfo* info);  // "MirroredStrategy"
QString runDevices(const RunInfo* info);  // "2 replicas on simulated NVIDIA V100 SXM2 · …"
QString runData(const RunInfo* info);     // "built-in digits: 4,000 training …"
std::vector<Figure> runFigures(const RunInfo* info, std::span<const StepMetric> steps,
                               std::span<const EvalMetric> evaluations, const std::optional<SteadyStep>& steady);

// Short texts for the status bar; "" if there is nothing to say.
QString stepWords(const RunInfo* info, std::span<const StepMetric> steps);  // "step 118 of 7,500 · epoch 0.02"
// "41,000 images/s modelled, steady"; "9,000 images/s measured, mean of 50 steps"
QString rateWords(std::span<const StepMetric> steps, const std::optional<SteadyStep>& steady);
QString clockWords(const RunInfo* info, std::span<const StepMetric> steps);  // "3.2 ms this step, modelled"

// What the user should know although training goes on; "" if nothing. `divergence` must have followed the steps.
QString runWarning(std::span<const StepMetric> steps, const Divergence& divergence);

}  // namespace lab
