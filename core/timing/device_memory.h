// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a step fits a device's memory, by the memory model (memory_model.h): the most that the device holds at any
// moment. Frameworks need more: workspaces, separate outputs of normalisation and activation, fragments, and all
// gradients of a layer while it computes. So a step that does not fit by this model does not fit at all.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/message.h"
#include "core/timing/step_model.h"
#include "core/trace/memory_timeline.h"

namespace lab {

struct DeviceMemory {
  // Memory that stays from step to step, and the layers' outputs, without the buffers of an exchange.
  double neededBytes = 0;
  double deviceBytes = 0;  // memory that the device has
  MemoryByKind most{};     // contents at the moment when the device holds the most
  Message mostIn;          // what the device does at that moment
  Message endpoint;        // "replica 0"
  std::string device;      // its model's name
  Message firstTooMuchIn;  // what the device does when its memory first becomes too small; empty if that never happens

  bool fits() const { return static_cast<double>(sumOf(most)) <= deviceBytes; }
};

// Returns the memory of the device that has the least left. `request`: as for simulateStep().
DeviceMemory deviceMemory(const StepRequest& request);

}  // namespace lab
