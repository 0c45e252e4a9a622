// SPDX-License-Identifier: GPL-3.0-or-later
// The memory that a step needs on a device, at least: weights, gradients and the optimizer's slots where the replica
// holds them, the batch, and each layer's output once, which backward reads. Frameworks need more: workspaces, outputs
// of normalisation and activation kept apart, fragments; all weights and gradients of a layer while it computes, where
// the replica keeps a part of them. So a step that does not fit by this does not fit.
#pragma once

#include <cstdint>

#include "core/timing/step_model.h"

namespace lab {

struct DeviceMemory {
  double neededBytes = 0, deviceBytes = 0;
  bool fits() const { return neededBytes <= deviceBytes; }
};

// Of the replica's device that is left with the least. `request`: as for simulateStep().
DeviceMemory deviceMemory(const StepRequest& request);

}  // namespace lab
