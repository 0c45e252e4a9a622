// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/neural_network.h"

namespace lab {

// ResNet-20 for CIFAR-10 (He et al. 2016, "Deep Residual Learning for Image Recognition", section 4.2; where the size
// changes with projections, its option B): 272,474 parameters that are trained. The layers are in the order in which
// Keras has them.
const NeuralNetwork& resnet20Network();

}  // namespace lab
