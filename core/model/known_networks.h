// SPDX-License-Identifier: GPL-3.0-or-later
// Networks that the program knows by name, besides those of neural_network.h.
#pragma once

#include <string>
#include <vector>

#include "core/model/neural_network.h"

namespace lab {

// ResNet-20 for CIFAR-10 (He et al. 2016, "Deep Residual Learning for Image Recognition", section 4.2; with projections
// where the size changes, its option B): 272,474 trained parameters. The layers are in Keras's order.
const NeuralNetwork& resnet20Network();

// A network that is timed but not trained (core/model/model_presets.h), or the course's.
struct KnownNetwork {
  std::string key;   // "resnet50"
  std::string name;  // "ResNet-50 v1"; of no other
  NeuralNetwork (*make)();
};
// The networks of published measurements. Sources: tf_cnn_benchmarks' model definitions (tensorflow/benchmarks
// @8fb7907) for AlexNet, VGG-16, Inception v3 and ResNet v1; torchvision's for ResNet v1.5 and ResNeXt.
const std::vector<KnownNetwork>& timedNetworks();

}  // namespace lab
