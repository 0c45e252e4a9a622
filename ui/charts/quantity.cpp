// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/quantity.h"

#include <algorithm>
#include <cmath>

#include "core/base/at.h"
#include "core/base/units.h"
#include "ui/i18n/words.h"

namespace lab {
QuantityWords wordsOf(Quantity quantity) {
  switch (quantity) {
    case Quantity::Loss:
      return {"loss", tr("Loss"), tr("nats"), tr("each batch")};
    case Quantity::Accuracy:
      return {"accuracy", tr("Accuracy"), tr("% correct"), tr("each batch")};
    case Quantity::MeasuredThroughput:
      return {"throughput", tr("Throughput, measured"), tr("images/s"), tr("each step")};
    case Quantity::ModelledThroughput:
      return {"modelledThroughput", tr("Throughput, modelled"), tr("images/s"), tr("each step")};
    case Quantity::Staleness:
      return {"staleness", tr("Staleness"), tr("updates"), tr("each worker's step")};
    case Quantity::LearningRate:
      return {"learningRate", tr("Learning rate"), QString(), tr("each step")};
    case Quantity::NoiseScale:
      return {"noiseScale", tr("Gradient noise scale"), tr("examples"), tr("smoothed estimate")};
  }
  return {};
}

bool isCounted(Quantity quantity) {
  return quantity == Quantity::Staleness;
}

bool isCounted(XAxis axis) {
  return axis == XAxis::Steps || axis == XAxis::Images;
}

QString nameOf(XAxis axis) {
  switch (axis) {
    case XAxis::Steps:
      return tr("Steps");
    case XAxis::Epochs:
      return tr("Epochs");
    case XAxis::Images:
      return tr("Images");
    case XAxis::MeasuredSeconds:
      return tr("Seconds, measured");
    case XAxis::ModelledSeconds:
      return tr("Seconds, modelled");
  }
  return {};
}

bool has(const RunMetrics& run, Quantity quantity) {
  if (run.steps.empty()) return false;
  const StepMetric& step = run.steps.front();
  if (quantity == Quantity::ModelledThroughput) return step.clock == TimeSource::Modelled;
  if (quantity == Quantity::Staleness) return step.staleness.has_value();
  if (quantity == Quantity::NoiseScale) return step.gradientSquared.has_value() || run.steps.back().noiseScale;
  return true;
}

bool has(const RunMetrics& run, XAxis axis) {
  return axis != XAxis::ModelledSeconds || has(run, Quantity::ModelledThroughput);
}

namespace {

// A resumed run has seen images before its first step here. Earlier steps need not have had the size of that one, which
// may be the short step at the end of a pass; but each step says how many passes are done. A pass counts the images of
// replicas that were left out, too; here the first step's share of used images stands for the earlier steps'.
double imagesBefore(const RunMetrics& run) {
  const StepMetric& first = run.steps.front();
  if (first.step <= 1) return 0;
  auto perEpoch = static_cast<double>(run.examplesPerEpoch);
  for (std::size_t i = 1; i < run.steps.size() && perEpoch == 0; ++i) {
    const StepMetric& step = run.steps[i];
    if (step.epoch > run.steps[i - 1].epoch)
      perEpoch = std::round(static_cast<double>(step.distributed()) / (step.epoch - run.steps[i - 1].epoch));
  }
  if (perEpoch == 0) return static_cast<double>((first.step - 1) * first.examples);  // the best available estimate
  const auto distributed = static_cast<double>(first.distributed());
  const double used = distributed > 0 ? static_cast<double>(first.examples) / distributed : 1;
  return std::round(used * std::max(0.0, std::round(first.epoch * perEpoch) - distributed));
}

}  // namespace

void Places::begin(XAxis axis) {
  axis_ = axis;
  places_.clear();
  images_ = 0;
}

void Places::follow(const RunMetrics& run) {
  constexpr double kPerNs = 1.0 / static_cast<double>(kNsPerSecond);
  for (std::size_t i = places_.size(); i < run.steps.size(); ++i) {
    const StepMetric& step = run.steps[i];
    const double before = places_.empty() ? 0 : places_.back();
    if (i == 0) images_ = imagesBefore(run);
    images_ += static_cast<double>(step.examples);
    double place = 0;
    switch (axis_) {
      case XAxis::Steps:
        place = static_cast<double>(step.step);
        break;
      case XAxis::Epochs:
        place = step.epoch;
        break;
      case XAxis::Images:
        place = images_;
        break;
      case XAxis::MeasuredSeconds:
        place = before + kPerNs * static_cast<double>(step.wallNs);
        break;
      case XAxis::ModelledSeconds:
        // Steps of asynchronous workers overlap, so the rate is that of all images until now.
        place = !step.worker               ? before + kPerNs * static_cast<double>(step.stepNs)
                : step.imagesPerSecond > 0 ? images_ / step.imagesPerSecond
                                           : before;
        break;
    }
    // A recording may have an epoch that is no number; what comes after it must not lie before it.
    places_.push_back(std::isfinite(place) ? std::max(place, before) : before);
  }
}

std::optional<double> Places::after(const RunMetrics& run, std::int64_t step) const {
  const auto end = run.steps.begin() + static_cast<std::ptrdiff_t>(places_.size());
  const auto found = std::lower_bound(
      run.steps.begin(), end, step, [](const StepMetric& metric, std::int64_t wanted) { return metric.step < wanted; });
  if (found == end || found->step != step) return std::nullopt;
  return at(places_, found - run.steps.begin());
}

std::optional<double> valueOf(const StepMetric& step, Quantity quantity) {
  switch (quantity) {
    case Quantity::Loss:
      return step.loss;
    case Quantity::Accuracy:
      return 100 * step.accuracy;
    case Quantity::MeasuredThroughput:
      if (step.clock == TimeSource::Measured) return step.imagesPerSecond;
      if (step.wallNs <= 0) return std::nullopt;
      return static_cast<double>(step.examples) * static_cast<double>(kNsPerSecond) / static_cast<double>(step.wallNs);
    case Quantity::ModelledThroughput:
      if (step.clock != TimeSource::Modelled) return std::nullopt;
      return step.imagesPerSecond;
    case Quantity::Staleness:
      if (!step.staleness || step.aborted) return std::nullopt;  // an aborted step made no update
      return static_cast<double>(*step.staleness);
    case Quantity::LearningRate:
      return step.learningRate;
    case Quantity::NoiseScale:
      return step.noiseScale;
  }
  return std::nullopt;
}

std::optional<double> testValueOf(const EvalMetric& evaluation, Quantity quantity) {
  if (quantity == Quantity::Loss) return evaluation.testLoss;
  if (quantity == Quantity::Accuracy) return 100 * evaluation.testAccuracy;
  return std::nullopt;
}

}  // namespace lab
