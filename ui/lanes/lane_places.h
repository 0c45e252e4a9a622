// SPDX-License-Identifier: GPL-3.0-or-later
// A run's position measured in images seen or in modelled time, and which of its steps is there. Extended as the run
// trains; positions beyond the trained steps are estimated from these.
#pragma once

#include <cstdint>
#include <optional>

#include "core/experiments/comparison_file.h"
#include "core/training/trainer.h"
#include "ui/charts/quantity.h"

namespace lab {

// A moment of a run: a step, and how much of it has passed.
struct LaneMoment {
  std::int64_t step = 0;
  double share = 0;  // 0 to 1
};

class LanePlaces {
 public:
  void begin(InStepBy by);  // Images or ModelledTime; for Steps nothing is stored
  void follow(const RunMetrics& run);

  // Images, or modelled seconds, since the run's beginning.
  double at(const LaneMoment& moment) const;
  // The moment at which a run reached a place. A place beyond the trained steps is estimated, rather a step too early
  // than too late. `nominalImages`: images per step, while none is trained. Between two steps, returns the beginning of
  // the next one, or with `atEnd` the end of this one.
  LaneMoment momentAt(double place, std::int64_t firstStep, double nominalImages, bool atEnd) const;
  std::int64_t trained() const { return first_ + static_cast<std::int64_t>(places_.size()) - 1; }  // the last step

 private:
  double endOf(std::int64_t step) const;  // for a trained step, or the one before the first

  InStepBy by_ = InStepBy::Steps;
  Places places_;
  std::int64_t first_ = 1;  // the first trained step
};

// Images of one step, by the settings.
double nominalImages(const ResolvedSettings& resolved);

}  // namespace lab
