// SPDX-License-Identifier: GPL-3.0-or-later
// Eight floats in a register, for kernels.inl. Needs AVX2 and FMA.
#pragma once

#include <immintrin.h>

#include <cstdint>

namespace lab {
namespace {

constexpr int kLanes = 8;
constexpr int kTileRows = 6, kTileVectors = 2;  // 12 sums of 16 registers
constexpr int kPlacesX = 3, kCellsX = 1;        // a convolution's tile: places along a row; pooled cells
constexpr int kSelectedSums = 12;               // sums of selected rows; one register is left for the factor
using Vector = __m256;
using Places = __m256i;  // small integers, one per lane
using Mask = __m256;

inline Vector zero() {
  return _mm256_setzero_ps();
}
inline Vector broadcast(float value) {
  return _mm256_set1_ps(value);
}
inline Vector load(const float* p) {
  return _mm256_loadu_ps(p);
}
inline void store(float* p, Vector v) {
  _mm256_storeu_ps(p, v);
}
// Selects only the first `count` lanes, 0 < count <= kLanes; the others are 0, and their memory is not touched.
inline __m256i firstLanes(std::int64_t count) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
inline Vector loadFirst(const float* p, std::int64_t count) {
  return _mm256_maskload_ps(p, firstLanes(count));
}
inline void storeFirst(float* p, Vector v, std::int64_t count) {
  _mm256_maskstore_ps(p, firstLanes(count), v);
}
inline Vector plus(Vector a, Vector b) {
  return _mm256_add_ps(a, b);
}
inline Vector minus(Vector a, Vector b) {
  return _mm256_sub_ps(a, b);
}
inline Vector times(Vector a, Vector b) {
  return _mm256_mul_ps(a, b);
}
inline Vector over(Vector a, Vector b) {
  return _mm256_div_ps(a, b);
}
inline Vector squareRoot(Vector a) {
  return _mm256_sqrt_ps(a);
}
inline Vector multiplyAdd(Vector a, Vector b, Vector c) {
  return _mm256_fmadd_ps(a, b, c);
}
// The thread itself flushes denormals.
inline Vector flushed(Vector v) {
  return v;
}
inline Mask greater(Vector a, Vector b) {
  return _mm256_cmp_ps(a, b, _CMP_GT_OQ);
}
inline Mask lessEqual(Vector a, Vector b) {
  return _mm256_cmp_ps(a, b, _CMP_LE_OQ);
}
inline Vector select(Mask mask, Vector yes, Vector no) {
  return _mm256_blendv_ps(no, yes, mask);
}
// 0 where `mask` is set.
inline Vector zeroWhere(Mask mask, Vector v) {
  return _mm256_andnot_ps(mask, v);
}
inline Places selectPlaces(Mask mask, Places yes, Places no) {
  return _mm256_blendv_epi8(no, yes, _mm256_castps_si256(mask));
}
inline Places everyPlace(int value) {
  return _mm256_set1_epi32(value);
}
inline Places loadPlaces(const std::uint8_t* p) {
  return _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
}
inline void storePlaces(std::uint8_t* p, Places places) {
  const __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(places), _mm256_extracti128_si256(places, 1));
  _mm_storel_epi64(reinterpret_cast<__m128i*>(p), _mm_packus_epi16(words, words));
}
inline Mask equalPlaces(Places a, Places b) {
  return _mm256_castsi256_ps(_mm256_cmpeq_epi32(a, b));
}
// first, first + 1, …
inline Places placesFrom(std::int32_t first) {
  return _mm256_add_epi32(_mm256_set1_epi32(first), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
// Writes the lanes of `mask` consecutively to `to` and `values`, which have room for a whole vector; returns their
// number.
inline int keepLanes(Mask mask, Places places, Vector vector, std::int32_t* to, float* values) {
  alignas(32) std::int32_t place[kLanes];
  alignas(32) float value[kLanes];
  _mm256_store_si256(reinterpret_cast<__m256i*>(place), places);
  _mm256_store_ps(value, vector);
  int count = 0;
  for (unsigned bits = static_cast<unsigned>(_mm256_movemask_ps(mask)); bits != 0; bits &= bits - 1, ++count) {
    const int lane = __builtin_ctz(bits);
    to[count] = place[lane];
    values[count] = value[lane];
  }
  return count;
}
inline Mask notEqual(Vector a, Vector b) {
  return _mm256_cmp_ps(a, b, _CMP_NEQ_UQ);
}
// table[place & 3] in each lane.
inline Vector lookUp(const float* table, Places places) {
  return _mm256_permutevar_ps(_mm256_broadcast_ps(reinterpret_cast<const __m128*>(table)), places);
}

}  // namespace
}  // namespace lab
