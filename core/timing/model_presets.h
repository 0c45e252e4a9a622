// SPDX-License-Identifier: GPL-3.0-or-later
// Networks as lists of layers: what timing needs, without weights. The presets are the networks of the
// published rows that validation.h reads, layer by layer; a network known only by its totals gets a list of that size.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

struct LayerProfile {
  std::string name;              // "conv3x3 64→128"
  double forwardMac = 0;         // multiply-adds per example; 1 MAC = 2 FLOP
  double activations = 0;        // elements written per example, forward
  double elementwisePasses = 0;  // times that the activations cross the memory beside the product: norm, relu
  int kernels = 0;               // of one unit of timing-constants.csv's kernels per layer: 1, or 0 for what is fused
  std::vector<std::int64_t> tensors;  // elements of each trainable variable
  // What the replicas add up before the layer, forwards and again backwards: a synchronised normalisation's sums.
  std::int64_t summedElements = 0;
  std::int64_t statistics = 0;  // moving ones, which no optimizer updates

  std::int64_t parameters() const;
};

struct ModelProfile {
  std::string key, name;
  double inputElements = 0;          // per example, as they reach the device
  std::vector<LayerProfile> layers;  // in forward order

  double forwardMac() const;
  double activations() const;
  std::int64_t parameters() const;
  std::int64_t tensors() const;
  std::int64_t statistics() const;
};

const std::vector<ModelProfile>& modelPresets();
const ModelProfile& modelPreset(std::string_view key);      // UserError with the nearest key
const ModelProfile* findModelPreset(std::string_view key);  // null where there is none

// A network of which only totals are known. Its shape is that of the nearest kind of preset (most parameters in one
// dense layer: VGG-16; otherwise ResNet-50), scaled to the totals. All > 0; largestTensor <= parameters.
ModelProfile profileFromTotals(const std::string& key, double trainingGflop, std::int64_t parameters,
                               std::int64_t largestTensor, int tensors);
// The same network with its arithmetic and its variables scaled to these totals (a published table's figures).
ModelProfile scaledTo(ModelProfile profile, double trainingGflop, double parameters);

}  // namespace lab
