// SPDX-License-Identifier: GPL-3.0-or-later
// Random search (Bergstra and Bengio 2012, JMLR 13): points drawn from ranges, beside the lists of a sweep's grid. The
// same seed draws the same points on every machine, a larger number of points begins with those of a smaller one, and
// adding a range does not change what is drawn from the others. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace lab {

template <typename Value>
struct SearchRange {
  Value low{}, high{};  // inclusive
};

struct SearchSpace {
  std::optional<SearchRange<std::int64_t>> replicas;  // uniform
  std::optional<SearchRange<std::int64_t>> batches;   // log-uniform, whole; low at least 1
  std::optional<SearchRange<double>> learningRates;   // log-uniform, with three digits; low above 0
  bool empty() const { return !replicas && !batches && !learningRates; }
};

// Members without a range in the space are empty.
struct DrawnPoint {
  std::optional<std::int64_t> replicas, batch;
  std::optional<double> learningRate;
};

std::vector<DrawnPoint> drawPoints(const SearchSpace& space, std::int64_t count, std::uint64_t seed);

}  // namespace lab
