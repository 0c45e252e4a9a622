// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a step fits a device's memory, by the memory model (memory_model.h): the most that it holds at any moment.
// Frameworks need more: workspaces, outputs of normalisation and activation kept apart, fragments; all gradients of a
// layer while it computes. So a step that does not fit by this does not fit.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/message.h"
#include "core/timing/step_model.h"
#include "core/trace/memory_timeline.h"

namespace lab {

struct DeviceMemory {
  // What stays from step to step, and the layers' outputs: without what comes and goes for an exchange.
  double neededBytes = 0;
  double deviceBytes = 0;  // that the device has
  MemoryByKind most{};     // when it holds the most
  Message mostIn;          // what it does then
  Message endpoint;        // "replica 0"
  std::string device;      // its model's name
  Message firstTooMuchIn;  // what it does when its memory is too small for the first time; empty: never

  bool fits() const { return static_cast<double>(sumOf(most)) <= deviceBytes; }
};

// Of the device that is left with the least. `request`: as for simulateStep().
DeviceMemory deviceMemory(const StepRequest& request);

}  // namespace lab
