// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/device/cpu/cpu_layer_norm.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/at.h"
#include "core/base/ceil_divide.h"

namespace lab {
namespace {

constexpr std::int64_t kNormRowsPerPiece = 64;

struct RowMoments {
  double mean = 0, inverse = 0;  // 1 / √(variance + ε)
};

RowMoments momentsOf(std::int64_t channels, double epsilon, const float* x) {
  double sum = 0, squares = 0;
  for (std::int64_t c = 0; c < channels; ++c) sum += static_cast<double>(x[c]);
  const double mean = sum / static_cast<double>(channels);
  for (std::int64_t c = 0; c < channels; ++c) {
    const double off = static_cast<double>(x[c]) - mean;
    squares += off * off;
  }
  return {mean, 1 / std::sqrt(squares / static_cast<double>(channels) + epsilon)};
}

double at(const float* values, std::int64_t c, double usual) {
  return values == nullptr ? usual : static_cast<double>(values[c]);
}

// dx = 1/σ · (g − mean of g − z · mean of g·z) with g = γ · dy and z = (x − mean) / σ.
void rowBackward(std::int64_t channels, const RowMoments& row, const float* x, const float* gamma, const float* dy,
                 float* dx) {
  double sum = 0, products = 0;
  for (std::int64_t c = 0; c < channels; ++c) {
    const double g = at(gamma, c, 1) * static_cast<double>(dy[c]);
    sum += g;
    products += g * (static_cast<double>(x[c]) - row.mean) * row.inverse;
  }
  const auto count = static_cast<double>(channels);
  for (std::int64_t c = 0; c < channels; ++c) {
    const double g = at(gamma, c, 1) * static_cast<double>(dy[c]);
    const double z = (static_cast<double>(x[c]) - row.mean) * row.inverse;
    dx[c] = static_cast<float>(row.inverse * (g - sum / count - z * products / count));
  }
}

}  // namespace

void CpuLayerNorm::forward(std::int64_t rows, std::int64_t channels, double epsilon, const float* x, const float* gamma,
                           const float* beta, float* y) {
  pool_.forEach(ceilDivide(rows, kNormRowsPerPiece), [&](std::int64_t piece) {
    for (std::int64_t r = piece * kNormRowsPerPiece; r < std::min(rows, (piece + 1) * kNormRowsPerPiece); ++r) {
      const RowMoments row = momentsOf(channels, epsilon, x + r * channels);
      for (std::int64_t c = 0; c < channels; ++c) {
        const double z = (static_cast<double>(x[r * channels + c]) - row.mean) * row.inverse;
        y[r * channels + c] = static_cast<float>(z * at(gamma, c, 1) + at(beta, c, 0));
      }
    }
  });
}

// Sums over rows are computed within pieces and then over the pieces, so bits do not depend on threads.
void CpuLayerNorm::backward(std::int64_t rows, std::int64_t channels, double epsilon, const float* x,
                            const float* gamma, const float* dy, float* dx, float* dGamma, float* dBeta) {
  const std::int64_t pieces = ceilDivide(rows, kNormRowsPerPiece);
  std::vector<double> parts(static_cast<std::size_t>(2 * pieces * channels));
  pool_.forEach(pieces, [&](std::int64_t piece) {
    double* const products = parts.data() + 2 * piece * channels;
    double* const sums = products + channels;
    for (std::int64_t r = piece * kNormRowsPerPiece; r < std::min(rows, (piece + 1) * kNormRowsPerPiece); ++r) {
      const float *in = x + r * channels, *d = dy + r * channels;
      const RowMoments row = momentsOf(channels, epsilon, in);
      for (std::int64_t c = 0; c < channels; ++c) {
        products[c] += static_cast<double>(d[c]) * (static_cast<double>(in[c]) - row.mean) * row.inverse;
        sums[c] += static_cast<double>(d[c]);
      }
      if (dx != nullptr) rowBackward(channels, row, in, gamma, d, dx + r * channels);
    }
  });
  const auto total = [&](std::int64_t which, float* to) {
    for (std::int64_t c = 0; to != nullptr && c < channels; ++c) {
      double sum = 0;
      for (std::int64_t piece = 0; piece < pieces; ++piece) sum += at(parts, (2 * piece + which) * channels + c);
      to[c] = static_cast<float>(sum);
    }
  };
  total(0, dGamma);
  total(1, dBeta);
}

}  // namespace lab
