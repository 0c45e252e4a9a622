// SPDX-License-Identifier: GPL-3.0-or-later
// Keras's Adam and SGD on flat buffers. An optimizer owns no memory: its slots are variables, and lie where the
// strategy puts variables.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/config/choices.h"

namespace lab {

class Backend;

struct OptimizerSettings {
  OptimizerKind kind = OptimizerKind::Adam;
  double momentum = 0;                                // SGD only
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-7;  // Keras's defaults

  // Returns the slots' names in Keras: {"m", "v"} for Adam, {"momentum"} for SGD with momentum, otherwise none.
  std::vector<std::string> slotNames() const;
  std::int64_t bytesPerParameter() const;  // read and written by one update: 28 Adam, 20 momentum, 12 SGD
};

// Applies update number `iteration` (from 1) to `size` elements. slotValues[i] points at slot i, aligned with
// `weights`.
void applyOptimizer(Backend& backend, const OptimizerSettings& settings, double learningRate, std::int64_t iteration,
                    std::int64_t size, const float* gradient, std::span<float* const> slotValues, float* weights);

}  // namespace lab
