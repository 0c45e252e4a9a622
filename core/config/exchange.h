// SPDX-License-Identifier: GPL-3.0-or-later
// What the replicas of a strategy exchange in one step. A strategy's row says it for every step
// (StrategyInfo::exchange); the timing model, the run's clock and the window ask for it and know no strategy.
#pragma once

#include <compare>

#include "core/base/units.h"
#include "core/config/choices.h"

namespace lab {

// What a transfer has of the range of elements that it stands for.
struct Carried {
  double share = 1;                           // of the range's elements
  double bytesPerElement = kBytesPerElement;  // of each of these, with its place in the range if it needs one
  auto operator<=>(const Carried&) const = default;

  double perElement() const { return share * bytesPerElement; }  // bytes for an element of the range, in the mean
};

struct Exchange {
  enum class What { Nothing, Gradients, Weights };  // gradients are summed, weights are averaged
  What what = What::Gradients;
  bool afterUpdate = false;    // each replica has made its own update before anything is sent
  Reducer by = Reducer::Auto;  // Auto: the run's own
  Carried carried{};           // by transfers among replicas that take part as equals; one copy's place gets all
  auto operator<=>(const Exchange&) const = default;

  // Returns whether all copies of the weights are equal afterwards.
  bool makesAlike() const { return what != What::Nothing && isOverAll(by); }
};

}  // namespace lab
