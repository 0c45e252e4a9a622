// SPDX-License-Identifier: GPL-3.0-or-later
// A network as a few lines of plain text, for another program of the same version that trains it: a browser
// (core/wasm/README.md). keras_json.h has the format for people and files.
#pragma once

#include <string>
#include <string_view>

#include "core/model/neural_network.h"

namespace lab {

// One line for the input's shape and one for each layer: its kind, its name, and its other members.
//
//     input 28 28 1
//     conv2d conv2d units=32 height=3 width=3 stride_y=1 stride_x=1 relu=1
//
// Real numbers are written as the 16 hexadecimal digits of their bits, so that a reader needs no rounding.
std::string networkText(const NeuralNetwork& network);
// Parses the text; any text gives exactly one network or a UserError.
NeuralNetwork parseNetworkText(std::string_view text, std::string key);

}  // namespace lab
