// SPDX-License-Identifier: GPL-3.0-or-later
// Where a run is by the images it has seen or by its modelled clock, and which of its steps that is. Extended as the
// run trains; what is not trained yet is estimated from what is.
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
  void begin(InStepBy by);  // Images or ModelledTime; of Steps nothing is kept
  void follow(const RunMetrics& run);

  // Images, or modelled seconds, since the run's beginning.
  double at(const LaneMoment& moment) const;
  // The moment at which a run was there. One that is beyond what is trained is estimated: a step too few rather than
  // one too many. `nominalImages`: of a step, while none is trained. Between two steps it is the next one's beginning,
  // or with `atEnd` this one's end.
  LaneMoment momentAt(double place, std::int64_t firstStep, double nominalImages, bool atEnd) const;
  std::int64_t trained() const { return first_ + static_cast<std::int64_t>(places_.size()) - 1; }  // the last step

 private:
  double endOf(std::int64_t step) const;  // of a trained one, or of that before the first

  InStepBy by_ = InStepBy::Steps;
  Places places_;
  std::int64_t first_ = 1;  // the first trained step
};

// Images of one step, by the settings.
double nominalImages(const ResolvedSettings& resolved);

}  // namespace lab
