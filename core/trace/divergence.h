// SPDX-License-Identifier: GPL-3.0-or-later
// Where a run diverged: from when on its loss is ten times its first loss, or not finite, and has not come back. One
// bad batch is no divergence, and neither is a hill that the run climbs down again. The window, sweeps and files all
// use this class.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "core/trace/metric.h"

namespace lab {

class Divergence {
 public:
  void follow(std::span<const StepMetric> steps);  // takes the new steps; `steps` must be the same run, grown
  void take(double loss);                          // of the next step
  std::optional<std::size_t> index() const;        // of the step in which it began; nothing if it has not diverged
  bool isFinite() const { return !lost_; }         // whether the latest loss is finite
  double before() const { return before_; }        // the last loss before it; the first of all if there is none

 private:
  std::size_t seen_ = 0, start_ = 0;
  double limit_ = 0, last_ = 0, before_ = 0;
  int score_ = 0;  // steps above the limit minus those below, since start_
  bool lost_ = false;
};

}  // namespace lab
