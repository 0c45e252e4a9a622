// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timing/stragglers.h"

#include <cmath>
#include <numbers>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/base/rng.h"

namespace lab {

double normalQuantile(double p) {
  LAB_CHECK(p > 0 && p < 1);
  constexpr double a[] = {-3.969683028665376e+01, 2.209460984245205e+02,  -2.759285104469687e+02,
                          1.383577518672690e+02,  -3.066479806614716e+01, 2.506628277459239e+00};
  constexpr double b[] = {-5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02, 6.680131188771972e+01,
                          -1.328068155288572e+01};
  constexpr double c[] = {-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                          -2.549732539343734e+00, 4.374664141464968e+00,  2.938163982698783e+00};
  constexpr double d[] = {7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00, 3.754408661907416e+00};
  constexpr double kLow = 0.02425;
  const auto tail = [&](double q) {
    return (((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + c[5]) /
           ((((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + 1);
  };
  double x = 0;
  if (p < kLow) {
    x = tail(std::sqrt(-2 * std::log(p)));
  } else if (p > 1 - kLow) {
    x = -tail(std::sqrt(-2 * std::log(1 - p)));
  } else {
    const double q = p - 0.5, r = q * q;
    x = (((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q /
        (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1);
  }
  const double error = 0.5 * std::erfc(-x / std::numbers::sqrt2) - p;
  const double u = error * std::sqrt(2 * std::numbers::pi) * std::exp(x * x / 2);
  return x - u / (1 + x * u / 2);
}

double expectedMaxLognormal(double sigma, int n) {
  if (n <= 1 || sigma == 0) return 1;
  return std::exp(sigma * normalQuantile((n - 0.375) / (n + 0.25)));
}

std::vector<double> straggle(const StragglerModel& model, int replicas, std::int64_t step) {
  std::vector<double> factors(static_cast<std::size_t>(replicas), 1.0);
  if (model.expected) {
    factors.back() = expectedMaxLognormal(model.sigma, replicas);
  } else if (model.sigma > 0 || model.stallProbability > 0) {
    for (int r = 0; r < replicas; ++r) {
      // Each replica has its own random stream in each step.
      Rng rng(model.seed, (static_cast<std::uint64_t>(step) << 24) + static_cast<std::uint64_t>(r));
      const double uniform = std::max(rng.uniform(), 0x1.0p-54);
      double& factor = at(factors, r);
      factor = std::exp(model.sigma * normalQuantile(uniform));
      if (rng.uniform() < model.stallProbability) factor *= model.stallFactor;
    }
  }
  for (const auto& [replica, factor] : model.persistent) {
    LAB_CHECK(replica >= 0 && replica < replicas && factor > 0);
    at(factors, replica) *= factor;
  }
  return factors;
}

}  // namespace lab
