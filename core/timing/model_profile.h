// SPDX-License-Identifier: GPL-3.0-or-later
// A network as a list of layers, without weights: timing needs no more.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lab {

struct LayerProfile {
  std::string name;                   // "conv3x3 64→128"
  double forwardMac = 0;              // multiply-adds per example; 1 MAC = 2 FLOP
  double activations = 0;             // elements written per example, forward
  double elementwisePasses = 0;       // times that the activations cross the memory besides the product: norm, relu
  int fusedWith = -1;                 // index of the product whose kernels compute it too; -1: it has its own
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

// Returns the network with its arithmetic and its variables scaled to these totals (a published table's figures).
ModelProfile scaledTo(ModelProfile profile, double trainingGflop, double parameters);

}  // namespace lab
