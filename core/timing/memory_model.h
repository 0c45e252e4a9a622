// SPDX-License-Identifier: GPL-3.0-or-later
// The memory of each device over a modelled step, from the step's own spans: a layer's forward makes its output and its
// backward frees it; gradients go into packs and out of them; weights that lie in parts come and go. This is a lower
// bound: the gradient by a layer's output takes the output's place, and libraries need no room of their own.
#pragma once

#include <string>
#include <vector>

#include "core/base/message.h"
#include "core/timing/step_model.h"
#include "core/trace/memory_timeline.h"

namespace lab {

// Returns a time line for each replica (empty if it is not traced), then for each device that holds variables for
// others. `timing`: this request's, traced. For a mean of asynchronous cycles, each worker has its own time line.
std::vector<MemoryTimeline> memoryOver(const StepRequest& request, const StepTiming& timing);

// Returns the time line of one asynchronous worker while it computes. `request`: with this worker's batch. `spans`: its
// layers, from 0.
MemoryTimeline workerMemory(const StepRequest& request, int worker, const std::vector<ModelledSpan>& spans);

// Returns only the time lines of devices that hold variables for others; their contents never change.
std::vector<MemoryTimeline> heldMemory(const StepRequest& request);

// Returns the device that the time line at `index` belongs to; null if the device is not known.
const DeviceModel* deviceOf(const StepRequest& request, std::size_t index);

// Returns what the device does from a change on: "conv3x3 64→128 backward". Before the step: creating variables.
Message operationOf(const StepRequest& request, const StepTiming& timing, const MemoryTimeline::Change& change);

}  // namespace lab
