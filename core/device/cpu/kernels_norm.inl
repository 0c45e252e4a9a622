// SPDX-License-Identifier: GPL-3.0-or-later
// The elementwise work of batch normalisation and dropout, and their sums per channel in double: plain loops along the
// channels, which the compiler vectorises. A channel's sum is one chain in the order of the rows. Included by
// kernels.inl.

void addMoments(std::int64_t rows, std::int64_t channels, const float* __restrict x, double* __restrict sums,
                double* __restrict squares) {
  for (std::int64_t row = 0; row < rows; ++row, x += channels)
    for (std::int64_t c = 0; c < channels; ++c) {
      const double value = static_cast<double>(x[c]);
      sums[c] += value;
      squares[c] += value * value;
    }
}

void addGradientMoments(std::int64_t rows, std::int64_t channels, const float* __restrict x, const float* __restrict dy,
                        const double* __restrict mean, double* __restrict sums, double* __restrict products) {
  for (std::int64_t row = 0; row < rows; ++row, x += channels, dy += channels)
    for (std::int64_t c = 0; c < channels; ++c) {
      const double gradient = static_cast<double>(dy[c]);
      sums[c] += gradient;
      products[c] += gradient * (static_cast<double>(x[c]) - mean[c]);
    }
}

void scaleAndShift(std::int64_t rows, std::int64_t channels, const float* __restrict x, const float* __restrict factor,
                   const float* __restrict term, float* __restrict y) {
  for (std::int64_t row = 0; row < rows; ++row, x += channels, y += channels)
    for (std::int64_t c = 0; c < channels; ++c) y[c] = x[c] * factor[c] + term[c];
}

void combine(std::int64_t rows, std::int64_t channels, const float* __restrict dy, const float* __restrict a,
             const float* __restrict x, const float* __restrict b, const float* __restrict c, float* __restrict dx) {
  for (std::int64_t row = 0; row < rows; ++row, dy += channels, x += channels, dx += channels)
    for (std::int64_t i = 0; i < channels; ++i) dx[i] = dy[i] * a[i] + x[i] * b[i] + c[i];
}
