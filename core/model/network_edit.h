// SPDX-License-Identifier: GPL-3.0-or-later
// A network changed by hand: a layer more, one fewer, another number of units. The rest follows, so that each change
// gives a network that can be trained, or a sentence why not. The last layer, with an output for each class, stays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/model/neural_network.h"

namespace lab {

// What can be added: Conv2D, MaxPool2D, Dense, Dropout, BatchNorm.
const std::vector<NetworkLayer::Kind>& kindsToAdd();

struct EditedNetwork {
  NeuralNetwork network;
  std::size_t layer = 0;  // the one that was added or changed; of a removed one the one before it
};

// All: UserError where no network comes of it. `key`: what the result is called.
// Adds one of the usual size behind layer `after`, or as near as it can be: Conv2D and MaxPool2D before the Flatten, a
// Dense behind it.
EditedNetwork withLayer(const NeuralNetwork& network, std::size_t after, NetworkLayer::Kind kind,
                        const std::string& key);
bool canRemove(const NeuralNetwork& network, std::size_t layer);
EditedNetwork withoutLayer(const NeuralNetwork& network, std::size_t layer, const std::string& key);
// Filters of a Conv2D, outputs of a Dense that is not the last.
bool hasUnits(const NeuralNetwork& network, std::size_t layer);
EditedNetwork withUnits(const NeuralNetwork& network, std::size_t layer, std::int64_t units, const std::string& key);

}  // namespace lab
