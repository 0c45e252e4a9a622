// SPDX-License-Identifier: GPL-3.0-or-later
// The order in which Keras keeps a graph's layers, whatever order they were made in: by their distance from the output
// (keras/src/ops/function.py, map_graph). Its weights files count layers in that order.
#pragma once

#include <cstddef>
#include <vector>

#include "core/model/neural_network.h"

namespace lab {

struct KerasOrder {
  NeuralNetwork network;            // the same network, with layers ordered and named as in Keras
  std::vector<std::size_t> places;  // the new place of each original layer
};

KerasOrder inKerasOrder(const NeuralNetwork& network);

}  // namespace lab
