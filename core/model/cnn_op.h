// SPDX-License-Identifier: GPL-3.0-or-later
// The operations of a step of the course network, in the order of NeuralNetwork::operations(). They stand apart from
// their arithmetic (cnn.h), because spans' labels begin with them, and the window reads labels.
#pragma once

#include <cstdint>

namespace lab {

enum class CnnOp : std::uint8_t {
  ConvForward,
  DenseForward,
  LogitsForward,
  Loss,
  LogitsBackward,
  DenseBackward,
  ConvBackward,
};
inline constexpr int kCnnOps = 7;

}  // namespace lab
