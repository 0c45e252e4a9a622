// SPDX-License-Identifier: GPL-3.0-or-later
// A fast 64-bit digest over the bits of numbers, for showing at a glance whether two buffers are equal. Buffers of one
// size that differ in a single word always differ in it. No protection against anybody who wants a collision.
#pragma once

#include <cstdint>
#include <span>

namespace lab {

// FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/) over words of 64 bits instead of bytes, with a final mix so that
// small changes show in all digits. -0 and 0 differ, as their bits do.
std::uint64_t bitDigest(std::span<const float> values);

}  // namespace lab
