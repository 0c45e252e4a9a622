// SPDX-License-Identifier: GPL-3.0-or-later
// What a chart can show about a run, and over what: which numbers of a metric give a point's value and its place.
// Measured and modelled times are different quantities and different axes; no curve ever mixes them.
#pragma once

#include <QString>

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "ui/charts/curve.h"
#include "ui/runview/run_metrics.h"

namespace lab {

enum class Quantity { Loss, Accuracy, MeasuredThroughput, ModelledThroughput, Staleness, LearningRate, NoiseScale };
inline constexpr std::array kQuantities{
    Quantity::Loss,      Quantity::Accuracy,     Quantity::MeasuredThroughput, Quantity::ModelledThroughput,
    Quantity::Staleness, Quantity::LearningRate, Quantity::NoiseScale};

enum class XAxis { Steps, Epochs, Images, MeasuredSeconds, ModelledSeconds };
inline constexpr std::array kXAxes{XAxis::Steps, XAxis::Epochs, XAxis::Images, XAxis::MeasuredSeconds,
                                   XAxis::ModelledSeconds};

struct QuantityWords {
  const char* key;  // "loss": object names and files
  QString name, unit;
  QString each;  // what one point of the main curve stands for: "each batch"
};
QuantityWords wordsOf(Quantity quantity);
QString nameOf(XAxis axis);
bool isCounted(Quantity quantity);  // whole numbers, without ticks between them
bool isCounted(XAxis axis);

// True if the run has any such number: staleness with a parameter server, modelled times with simulated devices.
bool has(const RunMetrics& run, Quantity quantity);
bool has(const RunMetrics& run, XAxis axis);

// The places of a run's steps on an axis, extended as the run goes on.
class Places {
 public:
  void begin(XAxis axis);
  void follow(const RunMetrics& run);
  std::size_t size() const { return places_.size(); }
  double ofStep(std::size_t index) const { return places_[index]; }
  // The place of an evaluation after this step: that of the step. Nothing if the step is not there.
  std::optional<double> after(const RunMetrics& run, std::int64_t step) const;

 private:
  XAxis axis_ = XAxis::Steps;
  std::vector<double> places_;  // one per entry of the run's steps
  double images_ = 0;
};

// The value of a quantity in a step by itself; nothing if it has none. Accuracy in percent.
std::optional<double> valueOf(const StepMetric& step, Quantity quantity);
std::optional<double> testValueOf(const EvalMetric& evaluation, Quantity quantity);
inline bool isTested(Quantity quantity) {
  return quantity == Quantity::Loss || quantity == Quantity::Accuracy;
}

}  // namespace lab
