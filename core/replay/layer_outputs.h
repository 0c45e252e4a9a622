// SPDX-License-Identifier: GPL-3.0-or-later
// What every layer gave for the images of a replica's step: computed again from the recorded weights with the
// arithmetic of the step itself, so dropout leaves out the same units and batch normalisation has the batch's own
// moments.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/config/run_settings.h"
#include "core/data/dataset.h"

namespace lab {

class NeuralNetwork;

// The place of a replica's batch in the run, which decides what dropout leaves out.
struct BatchPlace {
  std::int64_t step = 0;          // updates in the weights
  std::int64_t globalOffset = 0;  // of its first example in the global batch
};

// Whether a replica's layers can be computed from its own batch: not where batch normalisation is over all replicas'.
bool hasOwnOutputs(const NeuralNetwork& network);

// Of each of the network's layers, its output for all of `examples`, which are the replica's whole batch:
// (n, the layer's output). `statistics`: the moving ones before the step; `config` resolved: its precision and seed
// count. On the calling thread alone.
std::vector<std::vector<float>> layerOutputs(const Examples& examples, std::span<const float> weights,
                                             std::span<const float> statistics, const BatchPlace& place,
                                             const SettingsBase& config);

// How a layer makes one value of its output: Σ input·weight + bias, or the largest or the mean of a window.
struct UnitSum {
  std::int64_t top = 0, left = 0, height = 0, width = 0;  // of the window in the input; outside of it zeros count
  // (height, width) of the window; `terms`: products, summed over the channels, or of pooling the values. `inputs` and
  // `kernel` have the factors where there is one channel. Of a dense layer no place is told: its window is empty.
  std::vector<double> inputs, kernel, terms;
  std::int64_t products = 0;
  double sum = 0, bias = 0, value = 0;  // value: with the bias, after relu where the layer has it
};
// `input`: of one example, before the layer; (y, x): of the output, 0 of a dense layer. In double, so that it is the
// layer's own value but for rounding. Layers of other kinds than convolution, pooling and dense have no terms.
UnitSum unitSum(const NeuralNetwork& network, std::size_t layer, std::int64_t channel, std::int64_t y, std::int64_t x,
                std::span<const float> input, std::span<const float> weights);

}  // namespace lab
