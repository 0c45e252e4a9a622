// SPDX-License-Identifier: GPL-3.0-or-later
// Sixteen floats in a register, for kernels.inl. Needs AVX-512F.
#pragma once

#include <immintrin.h>

#include <cstdint>

namespace lab {
namespace {

constexpr int kLanes = 16;
constexpr int kTileRows = 6, kTileVectors = 4;  // 24 sums of 32 registers
constexpr int kPlacesX = 6, kCellsX = 3;        // a convolution's tile: places along a row; pooled cells
constexpr int kSelectedSums = 24;               // sums of selected rows; one register is left for the factor
using Vector = __m512;
using Places = __m512i;  // small integers, one per lane
using Mask = __mmask16;

inline Vector zero() {
  return _mm512_setzero_ps();
}
inline Vector broadcast(float value) {
  return _mm512_set1_ps(value);
}
inline Vector load(const float* p) {
  return _mm512_loadu_ps(p);
}
inline void store(float* p, Vector v) {
  _mm512_storeu_ps(p, v);
}
// Selects only the first `count` lanes, 0 < count <= kLanes; the others are 0, and their memory is not touched.
inline __mmask16 firstLanes(std::int64_t count) {
  return static_cast<__mmask16>((1U << count) - 1U);
}
inline Vector loadFirst(const float* p, std::int64_t count) {
  return _mm512_maskz_loadu_ps(firstLanes(count), p);
}
inline void storeFirst(float* p, Vector v, std::int64_t count) {
  _mm512_mask_storeu_ps(p, firstLanes(count), v);
}
inline Vector plus(Vector a, Vector b) {
  return _mm512_add_ps(a, b);
}
inline Vector minus(Vector a, Vector b) {
  return _mm512_sub_ps(a, b);
}
inline Vector times(Vector a, Vector b) {
  return _mm512_mul_ps(a, b);
}
inline Vector over(Vector a, Vector b) {
  return _mm512_div_ps(a, b);
}
inline Vector squareRoot(Vector a) {
  return _mm512_sqrt_ps(a);
}
inline Vector multiplyAdd(Vector a, Vector b, Vector c) {
  return _mm512_fmadd_ps(a, b, c);
}
// The thread itself flushes denormals.
inline Vector flushed(Vector v) {
  return v;
}
inline Mask greater(Vector a, Vector b) {
  return _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ);
}
inline Mask lessEqual(Vector a, Vector b) {
  return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ);
}
inline Vector select(Mask mask, Vector yes, Vector no) {
  return _mm512_mask_mov_ps(no, mask, yes);
}
// 0 where `mask` is set.
inline Vector zeroWhere(Mask mask, Vector v) {
  return _mm512_mask_mov_ps(v, mask, zero());
}
inline Places selectPlaces(Mask mask, Places yes, Places no) {
  return _mm512_mask_mov_epi32(no, mask, yes);
}
inline Places everyPlace(int value) {
  return _mm512_set1_epi32(value);
}
inline Places loadPlaces(const std::uint8_t* p) {
  return _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}
inline void storePlaces(std::uint8_t* p, Places places) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm512_cvtepi32_epi8(places));
}
inline Mask equalPlaces(Places a, Places b) {
  return _mm512_cmpeq_epi32_mask(a, b);
}
// first, first + 1, …
inline Places placesFrom(std::int32_t first) {
  return _mm512_add_epi32(_mm512_set1_epi32(first),
                          _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
}
// Writes the lanes of `mask` consecutively to `to` and `values`, which have room for a whole vector; returns their
// number.
inline int keepLanes(Mask mask, Places places, Vector vector, std::int32_t* to, float* values) {
  _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(mask, places));
  _mm512_storeu_ps(values, _mm512_maskz_compress_ps(mask, vector));
  return __builtin_popcount(mask);
}
inline Mask notEqual(Vector a, Vector b) {
  return _mm512_cmp_ps_mask(a, b, _CMP_NEQ_UQ);
}
// table[place & 3] in each lane.
inline Vector lookUp(const float* table, Places places) {
  return _mm512_permutevar_ps(_mm512_broadcast_f32x4(_mm_loadu_ps(table)), places);
}

}  // namespace
}  // namespace lab
