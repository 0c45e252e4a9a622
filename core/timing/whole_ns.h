// SPDX-License-Identifier: GPL-3.0-or-later
// Whole nanoseconds: every cost is rounded to them, once. Hardware that a person describes may be slower than any clock
// can count, so what costs and clocks add up to is bounded, and more is refused.
#pragma once

#include <cstdint>

#include "core/base/error.h"

namespace lab {

// A time that no clock can count. The hardware and the batch that it is of may be possible apart from that.
class TakesTooLong : public UserError {
 public:
  using UserError::UserError;
};

inline constexpr std::int64_t kLongestStepNs = 4'000'000'000'000'000;  // 46 days; also of a single cost
inline constexpr std::int64_t kLongestRunNs = 1000 * kLongestStepNs;   // 127 years, inside int64
static_assert(kLongestRunNs < INT64_MAX - 100 * kLongestStepNs);       // sums of a few costs need no check

// Returns `ns` if it can be a cost. Throws TakesTooLong if it is longer than a step may be; a negative value or NaN is
// a broken invariant.
double countableNs(double ns);

// Rounds to the nearest; throws as countableNs() does.
std::int64_t wholeNs(double ns);

// Returns the sum of two times, neither of which is negative. Throws TakesTooLong if it is more than `longest`.
std::int64_t sumNs(std::int64_t a, std::int64_t b, std::int64_t longest = kLongestStepNs);

// The mean of `count` times, rounded down. Their sum need not fit in 64 bits.
class MeanNs {
 public:
  explicit MeanNs(std::int64_t count) : count_(count) {}
  void add(std::int64_t ns, std::int64_t times = 1) {
    whole_ += times * (ns / count_);
    rest_ += times * (ns % count_);
  }
  std::int64_t ns() const { return whole_ + rest_ / count_; }
  std::int64_t lost() const { return rest_ % count_; }  // by rounding down, in parts of `count` of a nanosecond

 private:
  std::int64_t count_, whole_ = 0, rest_ = 0;
};

}  // namespace lab
