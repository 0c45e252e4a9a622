// SPDX-License-Identifier: GPL-3.0-or-later
// A fast 64-bit digest of the bits of numbers, to show at a glance whether two buffers are equal. Two buffers of equal
// size that differ in a single word always have different digests. No protection against a deliberate collision.
#pragma once

#include <cstdint>
#include <span>

namespace lab {

// -0 and 0 give different digests, because their bits differ.
std::uint64_t bitDigest(std::span<const float> values);

}  // namespace lab
