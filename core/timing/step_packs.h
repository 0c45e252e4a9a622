// SPDX-License-Identifier: GPL-3.0-or-later
// How a step's gradients are cut into packs, and where their sums are made.
#pragma once

#include <cstddef>
#include <vector>

#include "core/timing/step_model.h"

namespace lab {

inline constexpr int kGradientsInParts = 2, kWeightsInParts = 3;  // stages of StepRequest::shardStage

// Returns whether the method keeps its sums, or its variables, in one place.
bool usesServers(Reducer method);

// A run of gradients that is sent in one piece.
struct StepPack {
  double bytes = 0;
  std::size_t backwardLayer = 0;  // ready once this many layers have done their backward
  std::size_t forwardLayer = 0;   // the first layer with weights in the pack, which are pulled before its forward
  std::size_t lastLayer = 0;      // the last layer with weights in the pack, which are gathered before its backward
  std::size_t variable = 0;       // with servers: index in creation order
};

// Returns the packs in sending order: the last layer's first.
std::vector<StepPack> makePacks(const StepRequest& request);

}  // namespace lab
