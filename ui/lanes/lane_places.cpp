// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lanes/lane_places.h"

#include <algorithm>
#include <cmath>

namespace lab {

void LanePlaces::begin(InStepBy by) {
  by_ = by;
  places_.begin(by == InStepBy::ModelledTime ? XAxis::ModelledSeconds : XAxis::Images);
}

void LanePlaces::follow(const RunMetrics& run) {
  if (by_ == InStepBy::Steps || run.steps.empty()) return;
  first_ = run.steps.front().step;
  places_.follow(run);
}

double LanePlaces::endOf(std::int64_t step) const {
  if (step < first_ || places_.size() == 0) return 0;
  return places_.ofStep(static_cast<std::size_t>(std::min(step, trained()) - first_));
}

double LanePlaces::at(const LaneMoment& moment) const {
  const double before = endOf(moment.step - 1), after = endOf(moment.step);
  return before + std::clamp(moment.share, 0.0, 1.0) * (after - before);
}

LaneMoment LanePlaces::momentAt(double place, std::int64_t firstStep, double nominalImages, bool atEnd) const {
  if (places_.size() == 0) {
    const bool images = by_ == InStepBy::Images && nominalImages > 0;
    return {firstStep + (images ? static_cast<std::int64_t>(place / nominalImages) : 0), 0};
  }
  const double end = endOf(trained());
  if (place >= end) {
    const double mean = end / static_cast<double>(places_.size());
    const double beyond = mean > 0 ? (place - end) / mean : 0;
    if (atEnd && beyond < 1e-9) return {trained(), 1};
    return {trained() + std::max<std::int64_t>(1, static_cast<std::int64_t>(beyond)), 0};
  }
  // Find the first step that ends at the place or after it.
  std::int64_t low = first_, high = trained();
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (endOf(middle) > place || (atEnd && endOf(middle) >= place))
      high = middle;
    else
      low = middle + 1;
  }
  const double before = endOf(low - 1), after = endOf(low);
  return {low, after > before ? std::clamp((place - before) / (after - before), 0.0, 1.0) : 0};
}

double nominalImages(const ResolvedSettings& resolved) {
  return static_cast<double>(resolved.examplesPerStep());
}

}  // namespace lab
