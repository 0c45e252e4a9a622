// SPDX-License-Identifier: GPL-3.0-or-later
// What the timing model needs to know about a trained network: one layer for each of its operations.
#pragma once

#include "core/model/neural_network.h"
#include "core/timing/model_presets.h"

namespace lab {

// Counts as the presets do (timing/README.md, Device): pooling, dropout and flattening are part of the product before
// them.
ModelProfile profileOf(const NeuralNetwork& network);

}  // namespace lab
