// SPDX-License-Identifier: GPL-3.0-or-later
// A network as Keras writes it: model.to_json() of a model. A layer that cannot be computed here is refused with its
// name and place, never left out.
#pragma once

#include <string>
#include <string_view>

#include "core/model/neural_network.h"

namespace lab {

// `key` names the network; messages call the text `name`. Layers are named by their kinds and numbered ("conv2d",
// "conv2d_1", "dense"), as Keras's weights files name them, whatever the text calls them. Initialisers must be Keras's
// defaults if first weights are drawn; if weights are given, any will do.
enum class FirstWeights { Drawn, Given };
NeuralNetwork parseKerasJson(std::string_view text, std::string key, const std::string& name,
                             FirstWeights weights = FirstWeights::Drawn);

// Writes a network as text, from which parseKerasJson() and keras.models.model_from_json() make the same network.
std::string kerasJson(const NeuralNetwork& network);

}  // namespace lab
