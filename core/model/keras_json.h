// SPDX-License-Identifier: GPL-3.0-or-later
// A network as Keras writes it: model.to_json() of a Sequential model. What is not computed here is refused by the
// layer's name and place, never left out.
#pragma once

#include <string>
#include <string_view>

#include "core/model/neural_network.h"

namespace lab {

// `key` is what the network is called, `name` what a message calls the text. Layers are named by their kinds, counted
// from the first ("conv2d", "conv2d_1", "dense"), as Keras's weights files name them, whatever the text calls them.
// Initialisers must be Keras's usual ones where first weights are drawn, and may be any where weights come with it.
enum class FirstWeights { Drawn, Given };
NeuralNetwork parseKerasJson(std::string_view text, std::string key, const std::string& name,
                             FirstWeights weights = FirstWeights::Drawn);

// The other way: parseKerasJson() makes the same network of it, and so does keras.models.model_from_json().
std::string kerasJson(const NeuralNetwork& network);

}  // namespace lab
