// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/bit_digest.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace lab {
namespace {

// A bijection of the digest for every word, and of the word for every digest. It is SplitMix64's finalizer without its
// first shift. One multiplication would not be enough, because two flipped signs could then cancel.
std::uint64_t mix(std::uint64_t digest, std::uint64_t word) {
  digest = (digest ^ word) * 0xbf58476d1ce4e5b9;
  digest = (digest ^ (digest >> 27)) * 0x94d049bb133111eb;
  return digest ^ (digest >> 31);
}

}  // namespace

std::uint64_t bitDigest(std::span<const float> values) {
  // Words go to the lanes in turn. Each lane depends only on itself, so the processor works on all lanes at once.
  std::array<std::uint64_t, 4> lanes{1, 2, 3, 4};
  for (std::size_t i = 0; i < values.size(); i += 2 * lanes.size()) {
    std::array<std::uint64_t, 4> words{};
    std::memcpy(words.data(), &values[i], std::min(values.size() - i, 2 * lanes.size()) * sizeof(float));
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) lanes[lane] = mix(lanes[lane], words[lane]);
  }
  std::uint64_t digest = values.size();
  for (const std::uint64_t lane : lanes) digest = mix(digest, lane);
  return digest;
}

}  // namespace lab
