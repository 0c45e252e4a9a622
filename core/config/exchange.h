// SPDX-License-Identifier: GPL-3.0-or-later
// What the replicas of a strategy exchange in one step. A strategy's row says it for every step
// (StrategyInfo::exchange); the timing model, the run's clock and the window ask for it and know no strategy.
#pragma once

#include <compare>

#include "core/config/choices.h"

namespace lab {

struct Exchange {
  enum class What { Nothing, Gradients, Weights };  // gradients are summed, weights are averaged
  What what = What::Gradients;
  bool afterUpdate = false;    // each replica has made its own update before anything is sent
  Reducer by = Reducer::Auto;  // Auto: the run's own
  auto operator<=>(const Exchange&) const = default;

  // Returns whether all copies of the weights are equal afterwards.
  bool makesAlike() const { return what != What::Nothing && isOverAll(by); }
};

}  // namespace lab
