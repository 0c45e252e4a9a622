// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/bit_digest.h"

#include <cstring>

namespace lab {

std::uint64_t bitDigest(std::span<const float> values) {
  constexpr std::uint64_t kOffset = 0xcbf29ce484222325, kPrime = 0x100000001b3;
  std::uint64_t digest = kOffset;
  std::size_t i = 0;
  for (; i + 1 < values.size(); i += 2) {
    std::uint64_t word = 0;
    std::memcpy(&word, &values[i], sizeof word);
    digest = (digest ^ word) * kPrime;
  }
  if (i < values.size()) {
    std::uint32_t word = 0;
    std::memcpy(&word, &values[i], sizeof word);
    digest = (digest ^ word) * kPrime;
  }
  // The finalizer of MurmurHash3; a bijection, so it makes no new collisions.
  digest = (digest ^ (digest >> 33)) * 0xff51afd7ed558ccd;
  digest = (digest ^ (digest >> 33)) * 0xc4ceb9fe1a85ec53;
  return digest ^ (digest >> 33);
}

}  // namespace lab
