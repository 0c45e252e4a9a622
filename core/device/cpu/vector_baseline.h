// SPDX-License-Identifier: GPL-3.0-or-later
// Four floats at a time for kernels.inl, in the vector extension that GCC and clang offer for every processor. Without
// fused multiply-add, so this path gives the same bits on every machine.
#pragma once

#include <cstdint>
#include <cstring>

namespace lab {
namespace {

constexpr int kLanes = 4;
constexpr int kTileRows = 4, kTileVectors = 2;  // 8 sums of 16 registers
constexpr int kPlacesX = 2, kCellsX = 1;        // a convolution's tile: places along a row; pooled cells
constexpr int kSelectedSums = 12;               // sums of selected rows; one register is left for the factor
using Vector = float __attribute__((vector_size(16)));
using Places = std::int32_t __attribute__((vector_size(16)));  // small integers, one per lane
using Mask = Places;                                           // either all bits of a lane are set, or none

inline Vector zero() {
  return Vector{};
}
inline Vector broadcast(float value) {
  return Vector{value, value, value, value};
}
inline Vector load(const float* p) {
  Vector v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
inline void store(float* p, Vector v) {
  std::memcpy(p, &v, sizeof v);
}
// Loads only the first `count` lanes, 0 < count <= kLanes; the others are 0, and their memory is not touched.
inline Vector loadFirst(const float* p, std::int64_t count) {
  Vector v{};
  for (std::int64_t i = 0; i < count; ++i) v[i] = p[i];
  return v;
}
inline void storeFirst(float* p, Vector v, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) p[i] = v[i];
}
inline Vector plus(Vector a, Vector b) {
  return a + b;
}
inline Vector minus(Vector a, Vector b) {
  return a - b;
}
inline Vector times(Vector a, Vector b) {
  return a * b;
}
inline Vector over(Vector a, Vector b) {
  return a / b;
}
inline Vector squareRoot(Vector a) {
  return Vector{__builtin_sqrtf(a[0]), __builtin_sqrtf(a[1]), __builtin_sqrtf(a[2]), __builtin_sqrtf(a[3])};
}
inline Vector multiplyAdd(Vector a, Vector b, Vector c) {
  return a * b + c;
}
inline Mask greater(Vector a, Vector b) {
  return a > b;
}
inline Mask lessEqual(Vector a, Vector b) {
  return a <= b;
}
inline Places selectPlaces(Mask mask, Places yes, Places no) {
  return (yes & mask) | (no & ~mask);
}
inline Vector select(Mask mask, Vector yes, Vector no) {
  return reinterpret_cast<Vector>(selectPlaces(mask, reinterpret_cast<Places>(yes), reinterpret_cast<Places>(no)));
}
// 0 where `mask` is set.
inline Vector zeroWhere(Mask mask, Vector v) {
  return reinterpret_cast<Vector>(reinterpret_cast<Places>(v) & ~mask);
}
inline Places everyPlace(int value) {
  return Places{value, value, value, value};
}
inline Places loadPlaces(const std::uint8_t* p) {
  return Places{p[0], p[1], p[2], p[3]};
}
inline void storePlaces(std::uint8_t* p, Places places) {
  for (int i = 0; i < kLanes; ++i) p[i] = static_cast<std::uint8_t>(places[i]);
}
// Replaces denormals by 0. This path's threads do not flush them, and fading values would stay denormal, at 100 times
// the cost.
inline Vector flushed(Vector v) {
  const Places bits = reinterpret_cast<Places>(v);
  return reinterpret_cast<Vector>(bits & ((bits & everyPlace(0x7fffffff)) >= everyPlace(0x00800000)));
}
inline Mask equalPlaces(Places a, Places b) {
  return a == b;
}
// first, first + 1, …
inline Places placesFrom(std::int32_t first) {
  return Places{first, first + 1, first + 2, first + 3};
}
// Writes the lanes of `mask` consecutively to `to` and `values`, which have room for a whole vector; returns their
// number.
inline int keepLanes(Mask mask, Places places, Vector vector, std::int32_t* to, float* values) {
  int count = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    to[count] = places[lane];
    values[count] = vector[lane];
    count -= mask[lane];
  }
  return count;
}
inline Mask notEqual(Vector a, Vector b) {
  return a != b;
}
// table[place & 3] in each lane.
inline Vector lookUp(const float* table, Places places) {
  return Vector{table[places[0] & 3], table[places[1] & 3], table[places[2] & 3], table[places[3] & 3]};
}

}  // namespace
}  // namespace lab
