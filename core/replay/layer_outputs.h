// SPDX-License-Identifier: GPL-3.0-or-later
// The output of every layer for the images of a replica's step, computed again from the recorded weights with the
// step's own arithmetic, so dropout drops the same units and batch normalisation uses the batch's own moments.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/config/run_settings.h"
#include "core/data/dataset.h"

namespace lab {

class NeuralNetwork;
struct RunInfo;
struct StepRecord;

// The position of a replica's batch in the run, which decides what dropout drops.
struct BatchPlace {
  std::int64_t step = 0;          // updates in the weights; for a class's asynchronous worker, batches before its own
  std::int64_t globalOffset = 0;  // of its first example in the global batch, or in a worker's count of examples
};

// Returns where the shard of a replica began.
BatchPlace placeOf(const RunInfo& info, const StepRecord& record, int replica);

// Returns whether a replica's layers can be computed from its batch alone; false if batch normalisation spans all
// replicas.
bool hasOwnOutputs(const NeuralNetwork& network);

// Returns the output (n, the layer's output) of each of the network's layers for all of `examples`, which are the
// replica's whole batch. `statistics` are the moving ones before the step; `config` is resolved, and its precision and
// seed count. Runs only on the calling thread.
std::vector<std::vector<float>> layerOutputs(const Examples& examples, std::span<const float> weights,
                                             std::span<const float> statistics, const BatchPlace& place,
                                             const SettingsBase& config);

// How a layer computes one value of its output: Σ input·weight + bias, or the maximum or mean of a window.
struct UnitSum {
  std::int64_t top = 0, left = 0, height = 0, width = 0;  // the window in the input; zeros outside of it
  // All have the window's (height, width). `terms` are products summed over the channels, or for pooling the values.
  // `inputs` and `kernel` have the factors if there is only one channel. The window of a dense layer is empty.
  std::vector<double> inputs, kernel, terms;
  std::int64_t products = 0;
  double sum = 0, bias = 0, value = 0;  // value: with the bias, and after relu if the layer has it
};
// `input` is one example's, before the layer; (y, x) is the position in the output, 0 for a dense layer. Computed in
// double, so the value equals the layer's own up to rounding. Only convolution, pooling and dense layers have terms.
UnitSum unitSum(const NeuralNetwork& network, std::size_t layer, std::int64_t channel, std::int64_t y, std::int64_t x,
                std::span<const float> input, std::span<const float> weights);

}  // namespace lab
