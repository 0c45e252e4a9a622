// SPDX-License-Identifier: GPL-3.0-or-later
// The names of a network's layer, in five lengths.
#pragma once

#include <QString>

#include "core/model/neural_network.h"

namespace lab {

struct LayerWords {
  QString full;    // "Conv2D, 32 filters of 3×3"
  QString name;    // "Conv2D, 32 filters"
  QString middle;  // "Conv2D, 32"
  QString brief;   // "Conv"
  QString units;   // "32"
};
LayerWords layerWords(const NeuralNetwork& network, const NetworkLayer& layer);

}  // namespace lab
