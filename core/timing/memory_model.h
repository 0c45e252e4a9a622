// SPDX-License-Identifier: GPL-3.0-or-later
// The memory of each device over a modelled step, from the step's own spans: a layer's forward makes its output, its
// backward frees it; gradients go into packs and out of them, weights that lie in parts come and go. The least: the
// gradient by a layer's output takes the output's place, and no library has room of its own.
#pragma once

#include <string>
#include <vector>

#include "core/base/message.h"
#include "core/timing/step_model.h"
#include "core/trace/memory_timeline.h"

namespace lab {

// Of each replica (empty where it is not traced), then of each device that holds variables for others. `timing`: this
// request's, traced. Of a mean of asynchronous cycles each worker's own.
std::vector<MemoryTimeline> memoryOver(const StepRequest& request, const StepTiming& timing);

// Of the latter alone, which hold the same all the time.
std::vector<MemoryTimeline> heldMemory(const StepRequest& request);

// Whose memory the timeline at `index` is of; null where no device is known.
const DeviceModel* deviceOf(const StepRequest& request, std::size_t index);

// What the device does from a change on: "conv3x3 64→128 backward". Before the step: creating variables.
Message operationOf(const StepRequest& request, const StepTiming& timing, const MemoryTimeline::Change& change);

}  // namespace lab
