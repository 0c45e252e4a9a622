// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/elementary.h"

#include <bit>
#include <limits>

namespace lab {
namespace {

// ln 2 in two parts: products of the first part with numbers of up to 11 bits are exact.
constexpr double kLn2High = 0x1.62e42fee00000p-1, kLn2Low = 0x1.a39ef35793c76p-33, kLog2E = 0x1.71547652b82fep+0;
constexpr int kExponentBias = 1023, kMantissaBits = 52;
constexpr std::uint64_t kMantissa = (std::uint64_t{1} << kMantissaBits) - 1;

double powerOfTwo(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + kExponentBias) << kMantissaBits);
}

}  // namespace

// e^x = 2^n · e^r with |r| <= ln 2 / 2; sums 13 terms of the series of e^r, the even and the odd ones separately.
double exponential(double x) {
  if (x != x) return x;
  if (x < -708) return 0;
  if (x > 709) return std::numeric_limits<double>::infinity();
  const double shifted = x * kLog2E;
  const int n = static_cast<int>(shifted < 0 ? shifted - 0.5 : shifted + 0.5);
  const double r = (x - n * kLn2High) - n * kLn2Low, s = r * r;
  const double even =
      1 + s * (1.0 / 2 +
               s * (1.0 / 24 + s * (1.0 / 720 + s * (1.0 / 40320 + s * (1.0 / 3628800 + s * (1.0 / 479001600))))));
  const double odd = 1 + s * (1.0 / 6 + s * (1.0 / 120 + s * (1.0 / 5040 + s * (1.0 / 362880 + s * (1.0 / 39916800)))));
  return (even + r * odd) * powerOfTwo(n);
}

float exponential(float x) {
  const double value = exponential(static_cast<double>(x));
  if (value < static_cast<double>(std::numeric_limits<float>::min())) return 0;
  if (value > static_cast<double>(std::numeric_limits<float>::max())) return std::numeric_limits<float>::infinity();
  return static_cast<float>(value);
}

// x = 2^e · m with m in [√½, √2): ln m = 2 · artanh((m − 1) / (m + 1)), whose argument is at most 0.172.
double logarithm(double x) {
  if (!(x > 0)) return x == 0 ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  if (x > std::numeric_limits<double>::max()) return x;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  int e = static_cast<int>(bits >> kMantissaBits) - kExponentBias;
  double m = std::bit_cast<double>((bits & kMantissa) | (static_cast<std::uint64_t>(kExponentBias) << kMantissaBits));
  if (m > 1.4142135623730951) {
    m /= 2;
    ++e;
  }
  const double t = (m - 1) / (m + 1), s = t * t;
  const double series =
      s * (1.0 / 3 +
           s * (1.0 / 5 +
                s * (1.0 / 7 + s * (1.0 / 9 + s * (1.0 / 11 + s * (1.0 / 13 + s * (1.0 / 15 + s * (1.0 / 17))))))));
  return e * kLn2High + (2 * t + (2 * t * series + e * kLn2Low));
}

float logarithm(float x) {
  return static_cast<float>(logarithm(static_cast<double>(x)));
}

double integerPower(double base, std::int64_t exponent) {
  double power = 1;
  for (; exponent > 0; exponent /= 2, base *= base)
    if (exponent % 2 == 1) power *= base;
  return power;
}

}  // namespace lab
