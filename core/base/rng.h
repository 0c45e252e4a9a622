// SPDX-License-Identifier: GPL-3.0-or-later
// Random numbers that are the same on every machine and compiler: xoshiro256** (Blackman and Vigna,
// https://prng.di.unimi.it), seeded through splitmix64. The standard library's distributions are not used, because the
// standard does not fix what they return.
#pragma once

#include <array>
#include <cstdint>

namespace lab {

class Rng {
 public:
  using State = std::array<std::uint64_t, 4>;

  // `stream` separates independent uses of one seed (initial weights, shuffle of epoch 3, worker 2 …).
  explicit Rng(std::uint64_t seed, std::uint64_t stream = 0);

  std::uint64_t next();

  // Uniform in [0, bound), without bias (Lemire 2019, https://arxiv.org/abs/1805.10941). bound > 0.
  std::uint64_t below(std::uint64_t bound);

  // Uniform in [0, 1), a multiple of 2^-53.
  double uniform();

  const State& state() const { return state_; }
  void setState(const State& state) { state_ = state; }

 private:
  State state_;
};

}  // namespace lab
