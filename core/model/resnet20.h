// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/neural_network.h"

namespace lab {

// ResNet-20 for CIFAR-10 (He et al. 2016, "Deep Residual Learning for Image Recognition", section 4.2; with projections
// where the size changes, its option B): 272,474 trained parameters. The layers are in Keras's order.
const NeuralNetwork& resnet20Network();

}  // namespace lab
