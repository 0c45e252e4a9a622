// SPDX-License-Identifier: GPL-3.0-or-later
// Networks as lists of layers, without weights: timing needs no more. The presets are the networks of the published
// rows that validation.h reads, layer by layer; a network known only by its totals gets a list of that size.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

struct LayerProfile {
  std::string name;                   // "conv3x3 64→128"
  double forwardMac = 0;              // multiply-adds per example; 1 MAC = 2 FLOP
  double activations = 0;             // elements written per example, forward
  double elementwisePasses = 0;       // times that the activations cross the memory besides the product: norm, relu
  int kernels = 0;                    // in units of timing-constants.csv's kernels per layer: 1, or 0 for a fused layer
  std::vector<std::int64_t> tensors;  // elements of each trainable variable
  // Elements that the replicas sum before the layer, forward and again backward: a synchronised normalisation's sums.
  std::int64_t summedElements = 0;
  std::int64_t statistics = 0;  // moving statistics, which no optimizer updates

  std::int64_t parameters() const;
};

struct ModelProfile {
  std::string key, name;
  double inputElements = 0;          // per example, as it reaches the device
  std::vector<LayerProfile> layers;  // in forward order

  double forwardMac() const;
  double activations() const;
  std::int64_t parameters() const;
  std::int64_t tensors() const;
  std::int64_t statistics() const;
};

const std::vector<ModelProfile>& modelPresets();
const ModelProfile& modelPreset(std::string_view key);      // UserError with the nearest key
const ModelProfile* findModelPreset(std::string_view key);  // null if there is none

// Returns the profile of a network whose totals alone are known. Its shape is that of the nearest kind of preset (most
// parameters in one dense layer: VGG-16; otherwise ResNet-50), scaled to the totals. All > 0; largestTensor <=
// parameters.
ModelProfile profileFromTotals(const std::string& key, double trainingGflop, std::int64_t parameters,
                               std::int64_t largestTensor, int tensors);
// Returns the network with its arithmetic and its variables scaled to these totals (a published table's figures).
ModelProfile scaledTo(ModelProfile profile, double trainingGflop, double parameters);

}  // namespace lab
