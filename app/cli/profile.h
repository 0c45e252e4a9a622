// SPDX-License-Identifier: GPL-3.0-or-later
// Where a training step's time goes: the spans recorded by the trainer's own loop, added up by operation. All measured.
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

// One operation of a step. Work is counted as on paper (NetworkOperation, updateCost), whatever the kernel really does.
// For a gradient after max pooling, only the share that the maxima leave counts; input counts as no work, because it is
// prepared ahead.
struct OperationTime {
  std::string name;  // "conv2d forward"
  double seconds = 0;
  double flop = 0, bytes = 0;
};

using SteadyClock = std::chrono::steady_clock;
inline constexpr int kWarmUpSteps = 3;  // not timed: memory is touched for the first time, and threads wake up

struct StepProfile {
  std::int64_t steps = 0, images = 0;     // in the means; an epoch's last step has fewer images
  double seconds = 0;                     // mean of one step
  std::vector<OperationTime> operations;  // of one step, in its order
  double otherSeconds = 0;                // of one step, outside all operations: distribution, verification, metrics
};

// Trains for `seconds` on one replica in real time: on all threads of the processor, or on a GPU, where every operation
// is one or more separate kernels and the time between stamps counts (an unobserved step is faster). `config` must be
// resolved with devices cpu or cuda and one replica.
StepProfile profileStep(const ResolvedSettings& config, std::shared_ptr<const Dataset> dataset, double seconds);

// Returns the operations that an image takes in a step, without its share of the update. Of a gradient behind max
// pooling those that the maxima leave, as in OperationTime: a share of the peak is of what must be done, so it stays
// below 100 %.
double flopPerImage(const NeuralNetwork& network);

// Returns the least time that work can take at the machine's peak: its operations or its bytes, whichever take longer.
double floorSeconds(double flop, double bytes, const MachinePeak& peak);
// For a whole step of one replica, one operation after another, as counted on paper.
double stepFloorSeconds(const NeuralNetwork& network, std::int64_t examples, const MachinePeak& peak);

}  // namespace lab::cli
