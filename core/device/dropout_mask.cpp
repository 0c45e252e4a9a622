// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/device/layer_backend.h"

namespace lab {
namespace {

// The finalizer of splitmix64 (Steele, Lea and Flood 2014): every bit of the number affects every bit of the result.
std::uint64_t mixedBits(std::uint64_t number) {
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9ULL;
  number = (number ^ (number >> 27)) * 0x94d049bb133111ebULL;
  return number ^ (number >> 31);
}

}  // namespace

float DropoutMask::factor(std::int64_t example, std::int64_t unit) const {
  float value = 0;
  factors(example, unit, {&value, 1});
  return value;
}

void DropoutMask::factors(std::int64_t example, std::int64_t first, std::span<float> factors) const {
  constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;
  std::uint64_t bits = seed;
  for (const std::int64_t part : {step, static_cast<std::int64_t>(layer), globalOffset + example})
    bits = mixedBits(bits + kGolden * (static_cast<std::uint64_t>(part) + 1));
  const float kept = static_cast<float>(1 / (1 - rate));
  std::uint64_t unit = bits + kGolden * (static_cast<std::uint64_t>(first) + 1);
  for (float& factor : factors) {
    const double uniform = static_cast<double>(mixedBits(unit) >> 11) * 0x1.0p-53;
    factor = uniform < rate ? 0.0F : kept;
    unit += kGolden;
  }
}

}  // namespace lab
