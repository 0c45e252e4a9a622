// SPDX-License-Identifier: GPL-3.0-or-later
// A lane's figures in the table, at the step that it shows: the numbers, and how each is written. Pure functions of
// what the run has reported; unknown figures are empty.
#pragma once

#include <QString>

#include <array>
#include <cstdint>
#include <optional>

#include "core/base/at.h"
#include "core/prediction/rates.h"
#include "core/timeline/timeline.h"
#include "core/trace/span.h"
#include "ui/lanes/lane.h"

namespace lab {

enum class LaneFigure {
  Step,
  Loss,
  Accuracy,
  TestAccuracy,
  ModelledStep,
  MeasuredStep,
  Rate,
  Bytes,
  BusiestLink,
  Staleness,
  Identical,
  Distance,
  StepsToTarget,
  SecondsToTarget,
};
inline constexpr std::size_t kLaneFigures = 14;

struct LaneFigures {
  std::array<std::optional<double>, kLaneFigures> values;
  QString busiestLink;                      // its name
  QString remainder;                        // "160 of 256 images"; "" for a full step
  std::int64_t examples = 0;                // of the step shown
  std::int64_t fullStep = 0;                // images of a full step, by the settings
  double evaluatedAfter = 0;                // TestAccuracy: epochs
  TimeSource clock = TimeSource::Modelled;  // of Rate
  const std::optional<double>& of(LaneFigure figure) const { return at(values, figure); }
};
// `base`: the baseline lane. `steady`: for the lane's settings.
LaneFigures figuresOf(const Lane& lane, const Lane& base, std::optional<double> target,
                      const std::optional<SteadyStep>& steady = {});

// False if a difference would say nothing about the strategies: figures of other numbers of images, or of two clocks.
bool areComparable(LaneFigure figure, const LaneFigures& a, const LaneFigures& b);

QString nameOf(LaneFigure figure);
QString tipOf(LaneFigure figure);
QString textOf(LaneFigure figure, double value);
// "+12 %" for times, rates and bytes, "−0.0123" for others; "" if there is nothing to compare.
QString differenceText(LaneFigure figure, double value, double base);

// Where the step's time went. These are the run's own figures, so they sum to the step. In the order of a trace's
// stages.
struct StepPart {
  StepStage stage = StepStage::Compute;
  QString name;
  std::int64_t ns = 0;
};
inline constexpr std::size_t kStepParts = 7;
std::array<StepPart, kStepParts> partsOf(const StepMetric& step);

}  // namespace lab
