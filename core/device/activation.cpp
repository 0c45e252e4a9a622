// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/device/activation.h"

#include <cmath>

#include "core/base/elementary.h"

namespace lab {
namespace {

double sigmoid(double x) {
  return 1 / (1 + exponential(-x));
}

double tangent(double x) {
  // Near 0, 1 − 2 / (e^2x + 1) would lose digits; this series' next term is below 1e-17 of x.
  constexpr double kSmall = 1e-3;
  if (std::abs(x) < kSmall) return x * (1 - x * x * (1.0 / 3 - x * x * (2.0 / 15)));
  return 1 - 2 / (exponential(2 * x) + 1);
}

// Φ(x) = ½ + φ(x) · Σ x^(2k+1) / (1·3·5…(2k+1)), whose terms are all positive (Marsaglia 2004, "Evaluating the normal
// distribution").
double normalShare(double x) {
  constexpr double kFar = 9;  // beyond this Φ is 0 or 1
  if (x != x) return x;
  if (x < -kFar) return 0;
  if (x > kFar) return 1;
  double term = x, sum = x;
  for (int odd = 3; std::abs(term) > 1e-17 * std::abs(sum); odd += 2) {
    term *= x * x / odd;
    sum += term;
  }
  return 0.5 + sum * 0.3989422804014327 * exponential(-x * x / 2);
}

}  // namespace

std::string_view activationWord(ActivationFunction function) {
  for (const auto& [each, word] : kActivationWords)
    if (each == function) return word;
  return "linear";
}

ActivationPoint activationAt(ActivationFunction function, double slope, double x) {
  switch (function) {
    case ActivationFunction::None:
      return {x, 1};
    case ActivationFunction::Sigmoid: {
      const double s = sigmoid(x);
      return {s, s * (1 - s)};
    }
    case ActivationFunction::Tanh: {
      const double t = tangent(x);
      return {t, 1 - t * t};
    }
    case ActivationFunction::Silu: {
      const double s = sigmoid(x);
      return {x * s, s * (1 + x * (1 - s))};
    }
    case ActivationFunction::Gelu: {
      const double share = normalShare(x);
      return {x * share, share + x * 0.3989422804014327 * exponential(-x * x / 2)};
    }
    case ActivationFunction::LeakyRelu:  // at 0 the derivative is the slope, as in TensorFlow; NaN stays NaN
      return x <= 0 ? ActivationPoint{x * slope, slope} : ActivationPoint{x, 1};
    case ActivationFunction::Relu6:  // NaN stays NaN
      if (x <= 0) return {0, 0};
      return x >= kRelu6Most ? ActivationPoint{kRelu6Most, 0} : ActivationPoint{x, 1};
  }
  return {x, 1};
}

}  // namespace lab
