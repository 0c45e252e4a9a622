// SPDX-License-Identifier: GPL-3.0-or-later
// What the timing model has to know of a network that is trained: one layer for each of its operations.
#pragma once

#include "core/model/neural_network.h"
#include "core/timing/model_presets.h"

namespace lab {

// As the presets are counted (timing/README.md, Device): pooling, dropout and flattening are done with the product
// before them.
ModelProfile profileOf(const NeuralNetwork& network);

}  // namespace lab
