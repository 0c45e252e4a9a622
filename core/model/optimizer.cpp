// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/optimizer.h"

#include <cmath>

#include "core/base/elementary.h"
#include "core/base/error.h"
#include "core/device/backend.h"

namespace lab {

std::vector<std::string> OptimizerSettings::slotNames() const {
  if (kind == OptimizerKind::Adam) return {"m", "v"};
  if (momentum != 0) return {"momentum"};
  return {};
}

std::int64_t OptimizerSettings::bytesPerParameter() const {
  // The gradient is read; weights and every slot are read and written.
  return 4 * (1 + 2 * (1 + static_cast<std::int64_t>(slotNames().size())));
}

void applyOptimizer(Backend& backend, const OptimizerSettings& settings, double learningRate, std::int64_t iteration,
                    std::int64_t size, const float* gradient, std::span<float* const> slotValues, float* weights) {
  LAB_CHECK(iteration >= 1);
  LAB_CHECK(slotValues.size() == settings.slotNames().size());
  if (settings.kind == OptimizerKind::Sgd) {
    backend.sgd(size, static_cast<float>(learningRate), static_cast<float>(settings.momentum), gradient,
                slotValues.empty() ? nullptr : slotValues[0], weights);
    return;
  }
  AdamStep step{};
  step.beta1 = static_cast<float>(settings.beta1);
  step.beta2 = static_cast<float>(settings.beta2);
  step.epsilon = static_cast<float>(settings.epsilon);
  // The correction uses the betas as the kernel sees them: 1 − β2 differs by 1e-5 between 0.999 and its float, and v /
  // (1 − β^t) is only a true weighted mean if both use the same β.
  const double beta1 = step.beta1, beta2 = step.beta2;
  step.learningRate = static_cast<float>(learningRate * std::sqrt(1 - integerPower(beta2, iteration)) /
                                         (1 - integerPower(beta1, iteration)));
  backend.adam(size, step, gradient, slotValues[0], slotValues[1], weights);
}

}  // namespace lab
