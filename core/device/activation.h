// SPDX-License-Identifier: GPL-3.0-or-later
// Activation functions of one number, except relu and softmax, as Keras defines them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

namespace lab {

enum class ActivationFunction : std::uint8_t {
  None,  // x
  Sigmoid,
  Tanh,
  Silu,       // x · sigmoid(x)
  Gelu,       // x · Φ(x), with Φ of the normal distribution, not its approximation
  LeakyRelu,  // x, or slope · x left of 0
  Relu6,      // min(max(x, 0), 6)
};

// Keras's names for the functions.
inline constexpr std::array<std::pair<ActivationFunction, std::string_view>, 6> kActivationWords{
    {{ActivationFunction::Sigmoid, "sigmoid"},
     {ActivationFunction::Tanh, "tanh"},
     {ActivationFunction::Silu, "silu"},
     {ActivationFunction::Gelu, "gelu"},
     {ActivationFunction::LeakyRelu, "leaky_relu"},
     {ActivationFunction::Relu6, "relu6"}}};
inline constexpr double kRelu6Most = 6;
std::string_view activationWord(ActivationFunction function);  // "linear" for None

struct ActivationPoint {
  double value = 0, derivative = 0;
};
// Evaluates the function at x. Uses only core/base/elementary, so the bits are the same on every machine.
ActivationPoint activationAt(ActivationFunction function, double slope, double x);

}  // namespace lab
