// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiments/random_search.h"

#include <algorithm>
#include <cmath>

#include "core/base/rng.h"

namespace lab {
namespace {

// Streams of their own, as runs draw their weights and orders from the same seed.
constexpr std::uint64_t kReplicas = 0x7265706c, kBatches = 0x62617463, kRates = 0x72617465;

double logUniform(Rng& rng, double low, double high) {
  return low * std::pow(high / low, rng.uniform());
}

// Rounds to three digits: a person can type the value, and it does not depend on the machine's logarithm.
double rounded(double value) {
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 2);
  return unit < 1 ? std::round(value / unit) / std::round(1 / unit) : std::round(value / unit) * unit;
}

}  // namespace

std::vector<DrawnPoint> drawPoints(const SearchSpace& space, std::int64_t count, std::uint64_t seed) {
  Rng replicas(seed, kReplicas), batches(seed, kBatches), rates(seed, kRates);
  std::vector<DrawnPoint> points(static_cast<std::size_t>(count));
  for (DrawnPoint& point : points) {
    if (const auto& range = space.replicas)
      point.replicas = range->low + static_cast<std::int64_t>(
                                        replicas.below(static_cast<std::uint64_t>(range->high - range->low + 1)));
    // Each whole number stands for the interval up to the next, including the last one.
    if (const auto& range = space.batches) {
      const double drawn = logUniform(batches, static_cast<double>(range->low), static_cast<double>(range->high + 1));
      point.batch = std::clamp(static_cast<std::int64_t>(drawn), range->low, range->high);
    }
    if (const auto& range = space.learningRates)
      point.learningRate = std::clamp(rounded(logUniform(rates, range->low, range->high)), range->low, range->high);
  }
  return points;
}

}  // namespace lab
