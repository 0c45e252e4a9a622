// SPDX-License-Identifier: GPL-3.0-or-later
// Where a training step's time goes: the spans that the trainer's own loop records, added up by operation. All
// measured.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/config/resolved_settings.h"
#include "core/data/dataset.h"
#include "core/device/machine_peak.h"

namespace lab {
class NeuralNetwork;
}

namespace lab::cli {

// One operation of a step; work as counted on paper (NetworkOperation, updateCost), whatever the kernel really does. Of
// a gradient behind max pooling, what the maxima leave of it; of the input nothing, since it is made ahead.
struct OperationTime {
  std::string name;  // "conv2d forward"
  double seconds = 0;
  double flop = 0, bytes = 0;
};

using SteadyClock = std::chrono::steady_clock;
inline constexpr int kWarmUpSteps = 3;  // not timed: first touches of memory, and threads that wake up

struct StepProfile {
  std::int64_t steps = 0;                 // that the means are of
  double seconds = 0;                     // of one step, the mean
  std::vector<OperationTime> operations;  // of one step, in the order of the step
  double otherSeconds = 0;                // of one step, outside every operation: distribution, verification, metrics
};

// Trains for so many seconds on one replica in real time: all threads of the processor, or a GPU, where every operation
// is a kernel or more of its own and the time between stamps counts (a step that nobody watches is faster). `config` is
// resolved with devices cpu or cuda and one replica; its batches must be whole for the counts to hold.
StepProfile profileStep(const ResolvedSettings& config, std::shared_ptr<const Dataset> dataset, double seconds);

// What work takes at least on a machine that does so much: its operations or its bytes, whichever take longer.
double floorSeconds(double flop, double bytes, const MachinePeak& peak);
// Of a whole step of one replica, operation after operation, as counted on paper.
double stepFloorSeconds(const NeuralNetwork& network, std::int64_t examples, const MachinePeak& peak);

}  // namespace lab::cli
