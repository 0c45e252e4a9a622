// SPDX-License-Identifier: GPL-3.0-or-later
// How far the weights of two runs are apart after the same step, what kind of distance it is, and why two runs can
// differ at all. Pure functions of weights and settings; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/config/resolved_settings.h"

namespace lab {

// Returns ‖w − w₀‖ / ‖w₀‖, in double precision. 0 only if all values are equal.
double weightDistance(std::span<const float> weights, std::span<const float> first);
bool sameWeights(std::span<const float> weights, std::span<const float> first);  // bit for bit

// The most by which float32 sums in another order differ, after about a hundred steps of SGD. A larger distance means
// that training has amplified the difference, or that there is another cause.
inline constexpr double kRoundingDistance = 1e-5;

enum class Apart {
  Unknown,   // nothing was compared yet
  Same,      // bit for bit at each step compared
  Rounding,  // at most kRoundingDistance
  Growing,   // more
};

// Distances at steps of the reference, in ascending order and without duplicates, as far as seen.
class DistanceCurve {
 public:
  struct Point {
    std::int64_t step = 0;
    double distance = 0;
  };

  void add(std::int64_t step, std::span<const float> weights, std::span<const float> first);
  bool has(std::int64_t step) const;
  void clear() { *this = {}; }

  const std::vector<Point>& points() const { return points_; }
  Apart apart() const;
  // The first step at which the bits were seen to differ, and the last step before at which they were seen to be equal;
  // 0: none.
  std::int64_t firstDifference() const { return firstDifference_; }
  std::int64_t lastSame() const;

 private:
  std::vector<Point> points_;
  double largest_ = 0;
  std::int64_t firstDifference_ = 0;
};

// The strongest applicable reason why the weights of two runs can differ. Both must be resolved.
enum class ApartBecause {
  Nothing,         // the same arithmetic in the same order
  OtherExamples,   // another seed, data set or order, or other images in each step
  OtherBatch,      // another number of images per step
  OtherTraining,   // optimizer, learning rate, or another loss reduction
  StaleWeights,    // asynchronous workers
  OtherMethod,     // a step computes something else: another network, own weights for some steps, gradients left out
  OtherPrecision,  // operands in bfloat16
  OrderOfSums,     // the same gradients, added in another order
};
ApartBecause whyApart(const ResolvedSettings& a, const ResolvedSettings& b);

}  // namespace lab
