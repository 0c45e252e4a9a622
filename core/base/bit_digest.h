// SPDX-License-Identifier: GPL-3.0-or-later
// A fast 64-bit digest over the bits of numbers, for showing at a glance whether two buffers are equal. Buffers of one
// size that differ in a single word always differ in it. No protection against a deliberate collision.
#pragma once

#include <cstdint>
#include <span>

namespace lab {

// -0 and 0 differ, as their bits do.
std::uint64_t bitDigest(std::span<const float> values);

}  // namespace lab
