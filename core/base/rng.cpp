// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/rng.h"

#include <bit>

#include "core/base/error.h"

namespace lab {
namespace {

std::uint64_t splitmix64(std::uint64_t& x) {
  std::uint64_t z = (x += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

struct Product {
  std::uint64_t high;
  std::uint64_t low;
};

// 64 × 64 → 128 bits, in standard C++.
Product multiply(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t aLow = a & 0xffffffffU, aHigh = a >> 32, bLow = b & 0xffffffffU, bHigh = b >> 32;
  const std::uint64_t low = aLow * bLow, middle1 = aHigh * bLow, middle2 = aLow * bHigh;
  const std::uint64_t carry = ((low >> 32) + (middle1 & 0xffffffffU) + (middle2 & 0xffffffffU)) >> 32;
  return {aHigh * bHigh + (middle1 >> 32) + (middle2 >> 32) + carry, a * b};
}

}  // namespace

Rng::Rng(std::uint64_t seed, std::uint64_t stream) {
  // Two rounds, so that neighbouring seeds and streams are unrelated.
  std::uint64_t x = seed;
  std::uint64_t y = splitmix64(x) ^ (stream * 0xd1342543de82ef95ULL);
  for (std::uint64_t& word : state_) word = splitmix64(y);
}

std::uint64_t Rng::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::uint64_t Rng::below(std::uint64_t bound) {
  LAB_CHECK(bound > 0);
  Product product = multiply(next(), bound);
  if (product.low < bound) {
    const std::uint64_t threshold = (0 - bound) % bound;
    while (product.low < threshold) product = multiply(next(), bound);
  }
  return product.high;
}

double Rng::uniform() {
  return static_cast<double>(next() >> 11) * 0x1.0p-53;
}

}  // namespace lab
