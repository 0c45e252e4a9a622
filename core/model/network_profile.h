// SPDX-License-Identifier: GPL-3.0-or-later
// What the timing model needs to know about a trained network: one layer for each of its operations.
#pragma once

#include "core/model/neural_network.h"
#include "core/timing/model_profile.h"

namespace lab {

// Pooling, dropout, activations and sums of layers are part of the product before them (timing/README.md, Device).
ModelProfile profileOf(const NeuralNetwork& network);

}  // namespace lab
