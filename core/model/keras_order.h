// SPDX-License-Identifier: GPL-3.0-or-later
// The order in which Keras has a graph's layers, whatever order they were made in: by their distance from the output
// (keras/src/ops/function.py, map_graph). Its weights files count layers in that order.
#pragma once

#include <cstddef>
#include <vector>

#include "core/model/neural_network.h"

namespace lab {

struct KerasOrder {
  NeuralNetwork network;            // the same, its layers in Keras's order and named in it
  std::vector<std::size_t> places;  // there, of each layer here
};

KerasOrder inKerasOrder(const NeuralNetwork& network);

}  // namespace lab
