// SPDX-License-Identifier: GPL-3.0-or-later
// The factor on a replica's computation in a step: a persistent factor of the replica, a log-normal draw, and an
// occasional stall (README.md). Seeded: the same seed, step and replica give the same factor, in any order.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/hardware/network.h"

namespace lab {

struct StragglerModel {
  double sigma = 0;  // of the log-normal, median 1; 0: none
  double stallProbability = 0, stallFactor = 1;
  std::vector<std::pair<int, double>> persistent;  // replica, factor
  std::uint64_t seed = 1;
  // If true, nothing is drawn: one replica has the expected maximum, and all others have their median. A mean step.
  bool expected = false;

  bool drawsEachStep() const { return !expected && (sigma > 0 || stallProbability > 0); }
};

// Returns the factor of each of `replicas` in step `step`.
std::vector<double> straggle(const StragglerModel& model, int replicas, std::int64_t step);

// Returns the standard normal quantile of a probability in (0, 1): the inverse of its distribution (Acklam's rational
// approximation, relative error under 1.2e-9, refined by one step of Halley).
double normalQuantile(double probability);
// Returns E[max of n] of a log-normal of median 1 and shape sigma, by Blom's plotting position (README.md).
double expectedMaxLognormal(double sigma, int n);

}  // namespace lab
