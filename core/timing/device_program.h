// SPDX-License-Identifier: GPL-3.0-or-later
// What one device does in a step, layer by layer, apart from all others: arithmetic by the roofline, launches, and
// the host that runs ahead of it (README.md, Device).
#pragma once

#include <cstdint>
#include <vector>

#include "core/timing/step_model.h"

namespace lab {

struct DeviceProgram {
  struct Layer {
    double computeNs = 0;  // scales with the device's speed and the stragglers
    double launchNs = 0;   // does not
    double hostNs = 0;     // when the host has issued its first kernel, from the step's begin
  };
  std::vector<Layer> forward;   // in forward order
  std::vector<Layer> backward;  // in backward order: the last layer first
  Layer update;
};

// What a device computes in where it is asked for `asked`: frameworks convert to float32 what its units do not know.
Precision precisionOn(const DeviceModel& device, Precision asked);
// That it is float32 instead; empty where the device has such units.
Message whyFloat32(const DeviceModel& device, Precision asked);

// Whether gradients are copied into packs. XLA's all-reduce takes its operands where they lie; servers and copies take
// each variable by itself.
bool copiesPacks(const StepRequest& request);

// On `batch` examples; with none, every kernel is launched all the same.
DeviceProgram makeProgram(const StepRequest& request, const DeviceModel& device, std::int64_t batch);

// ns of an update of `elements` by the server that holds them; 0 where the request names no server.
std::int64_t serverUpdateNs(const StepRequest& request, std::int64_t elements);

}  // namespace lab
