// SPDX-License-Identifier: GPL-3.0-or-later
// What one device does in a step, layer by layer, regardless of all others: arithmetic by the roofline, launches, and
// the host that runs ahead of the device (README.md, Device).
#pragma once

#include <cstdint>
#include <vector>

#include "core/timing/step_model.h"

namespace lab {

struct DeviceProgram {
  struct Layer {
    double computeNs = 0;  // scales with the device's speed and the stragglers
    double launchNs = 0;   // does not scale with them
    double hostNs = 0;     // when the host has issued the layer's first kernel, from the beginning of the step
  };
  std::vector<Layer> forward;   // in forward order
  std::vector<Layer> backward;  // in backward order: the last layer first
  Layer update;
};

// Returns the precision in which a device computes if `asked` is requested: frameworks convert to float32 what its
// units lack.
Precision precisionOn(const DeviceModel& device, Precision asked);
// Says that the device uses float32 instead; empty if it has units for `asked`.
Message whyFloat32(const DeviceModel& device, Precision asked);

// Returns whether gradients are copied into packs. XLA's all-reduce takes its operands where they lie; servers and
// copies take each variable separately.
bool copiesPacks(const StepRequest& request);

// Makes the program for `batch` examples. An empty batch launches every kernel all the same.
DeviceProgram makeProgram(const StepRequest& request, const DeviceModel& device, std::int64_t batch);

// Returns how many ns the server takes to update its `elements`; 0 if the request names no server.
std::int64_t serverUpdateNs(const StepRequest& request, std::int64_t elements);

}  // namespace lab
