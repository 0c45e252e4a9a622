// SPDX-License-Identifier: GPL-3.0-or-later
// How a step's gradients are cut into what is sent as one, and where their sums are made.
#pragma once

#include <cstddef>
#include <vector>

#include "core/timing/step_model.h"

namespace lab {

inline constexpr int kGradientsInParts = 2, kWeightsInParts = 3;  // stages of StepRequest::shardStage

// Whether the method has its sums, or its variables, in one place.
bool usesServers(Reducer method);

// A run of gradients that is sent as one.
struct StepPack {
  double bytes = 0;
  std::size_t backwardLayer = 0;  // ready when so many layers' backward are done
  std::size_t forwardLayer = 0;   // the first layer whose weights are in it: pulled before its forward
  std::size_t lastLayer = 0;      // and the last: gathered before its backward
  std::size_t variable = 0;       // of servers: creation order
};

// In the order in which they are sent: the last layer's first.
std::vector<StepPack> makePacks(const StepRequest& request);

}  // namespace lab
