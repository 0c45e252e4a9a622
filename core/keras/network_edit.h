// SPDX-License-Identifier: GPL-3.0-or-later
// Changes a network by hand: adds or removes a layer, or changes a number of units. The other layers adapt, so each
// change gives a trainable network, or a message saying why not. The last layer, with an output for each class, stays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/model/neural_network.h"

namespace lab {

// The kinds that can be added: Conv2D, MaxPool2D, Dense, Dropout, BatchNorm.
const std::vector<NetworkLayer::Kind>& kindsToAdd();

struct EditedNetwork {
  NeuralNetwork network;
  std::size_t layer = 0;  // the layer added or changed; after a removal, the layer before
};

// These functions throw a UserError if the result is not a valid network. `key` names the result. withLayer() adds a
// layer of the default size after layer `after`, or as near as possible: Conv2D and MaxPool2D before the Flatten, a
// Dense after it.
EditedNetwork withLayer(const NeuralNetwork& network, std::size_t after, NetworkLayer::Kind kind,
                        const std::string& key);
bool canRemove(const NeuralNetwork& network, std::size_t layer);
EditedNetwork withoutLayer(const NeuralNetwork& network, std::size_t layer, const std::string& key);
// Returns true for a Conv2D, which has filters, and for a Dense that is not the last.
bool hasUnits(const NeuralNetwork& network, std::size_t layer);
EditedNetwork withUnits(const NeuralNetwork& network, std::size_t layer, std::int64_t units, const std::string& key);

}  // namespace lab
