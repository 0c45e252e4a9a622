// SPDX-License-Identifier: GPL-3.0-or-later
// Convolutions of any size, straight from the images: a register tile is a grid of places times some filters, and reads
// each place's window in place, without copying it together. If 2×2 maxima follow, they are taken in the registers, and
// places outside all pooled cells are never computed. Included by kernels.inl.

constexpr int kPanel = 2;  // vectors of filters that are computed together

// sums (gridY · gridX, vectors) = the windows from `corner` on, times the kernel's columns from `kernel` on.
template <int gridY, int gridX, int vectors, typename LoadVector>
LAB_INLINE inline void convolveTile(const Convolution& of, const float* corner, const float* kernel,
                                    const LoadVector& loadVector, Vector (&sums)[gridY * gridX][vectors]) {
  const std::int64_t stepX = of.stepX, stepY = of.stepY, filters = of.filters;
  unroll<gridY * gridX>([&](auto p) LAB_INLINE {
    unroll<vectors>([&](auto v) LAB_INLINE { sums[decltype(p)::v][decltype(v)::v] = zero(); });
  });
  for (std::int64_t row = 0; row < of.height; ++row) {
    const float* a = corner + row * of.rowSize;
    const float* const end = a + of.width;
    for (; a < end; ++a, kernel += filters) {
      Vector line[vectors];
      unroll<vectors>([&](auto v) LAB_INLINE { line[decltype(v)::v] = loadVector(kernel, v); });
      unroll<gridY>([&](auto y) LAB_INLINE {
        unroll<gridX>([&](auto x) LAB_INLINE {
          const Vector factor = broadcast(a[decltype(y)::v * stepY + decltype(x)::v * stepX]);
          unroll<vectors>([&](auto v) LAB_INLINE {
            Vector& sum = sums[decltype(y)::v * gridX + decltype(x)::v][decltype(v)::v];
            sum = multiplyAdd(factor, line[decltype(v)::v], sum);
          });
        });
      });
    }
  }
}

// Computes the places (y.., x..) of one image, with filters from `column` on. If `partial`, the last vector has only
// `tail` filters.
template <int gridY, int gridX, int vectors, bool partial>
void convolvePlaces(const Convolution& of, const float* image, std::int64_t y, std::int64_t x, const float* kernel,
                    const float* bias, bool relu, std::int64_t column, std::int64_t tail, float* to) {
  const auto loadVector = [tail](const float* from, auto v) LAB_INLINE {
    if constexpr (partial && decltype(v)::v == vectors - 1)
      return loadFirst(from + decltype(v)::v * kLanes, tail);
    else
      return load(from + decltype(v)::v * kLanes);
  };
  Vector sums[gridY * gridX][vectors];
  convolveTile<gridY, gridX, vectors>(of, image + y * of.stepY + x * of.stepX, kernel + column, loadVector, sums);
  float* const first = to + (y * of.outWidth + x) * of.filters + column;
  unroll<vectors>([&](auto v) LAB_INLINE {
    const Vector add = bias != nullptr ? loadVector(bias + column, v) : zero();
    unroll<gridY * gridX>([&](auto p) LAB_INLINE {
      constexpr int pY = decltype(p)::v / gridX, pX = decltype(p)::v % gridX;
      Vector sum = sums[decltype(p)::v][decltype(v)::v];
      if (bias != nullptr) sum = plus(sum, add);
      if (relu) sum = zeroWhere(lessEqual(sum, zero()), sum);
      float* const at = first + (pY * of.outWidth + pX) * of.filters + decltype(v)::v * kLanes;
      if constexpr (partial && decltype(v)::v == vectors - 1)
        storeFirst(at, sum, tail);
      else
        store(at, sum);
    });
  });
}

// Computes two rows of places, or the last single row, cut into tiles of nearly equal size.
template <int gridY, int vectors, bool partial>
void convolveRows(const Convolution& of, const float* image, std::int64_t y, const float* kernel, const float* bias,
                  bool relu, std::int64_t column, std::int64_t tail, float* to) {
  const std::int64_t tiles = (of.outWidth + kPlacesX - 1) / kPlacesX;
  for (std::int64_t i = 0; i < tiles; ++i) {
    const std::int64_t x = of.outWidth * i / tiles, count = of.outWidth * (i + 1) / tiles - x;
    unroll<kPlacesX>([&](auto c) LAB_INLINE {
      if (count == decltype(c)::v + 1)
        convolvePlaces<gridY, decltype(c)::v + 1, vectors, partial>(of, image, y, x, kernel, bias, relu, column, tail,
                                                                    to);
    });
  }
}

// Computes all images for one panel of filters, so that its part of the kernel stays in a cache.
template <int vectors, bool partial>
void convolvePanel(const Convolution& of, const float* kernel, const float* bias, bool relu, std::int64_t column,
                   std::int64_t tail, float* to) {
  for (std::int64_t i = 0; i < of.n; ++i, to += of.outHeight * of.outWidth * of.filters) {
    const float* image = of.images + i * of.imageSize;
    std::int64_t y = 0;
    for (; y + 2 <= of.outHeight; y += 2)
      convolveRows<2, vectors, partial>(of, image, y, kernel, bias, relu, column, tail, to);
    if (y < of.outHeight) convolveRows<1, vectors, partial>(of, image, y, kernel, bias, relu, column, tail, to);
  }
}

void convolve(const Convolution& of, const float* kernel, const float* bias, bool relu, float* y) {
  std::int64_t column = 0;
  for (; column + kPanel * kLanes <= of.filters; column += kPanel * kLanes)
    convolvePanel<kPanel, false>(of, kernel, bias, relu, column, kLanes, y);
  const std::int64_t rest = of.filters - column;
  unroll<kPanel>([&](auto v) LAB_INLINE {
    const std::int64_t tail = rest - decltype(v)::v * kLanes;
    if (tail > 0 && tail <= kLanes) convolvePanel<decltype(v)::v + 1, true>(of, kernel, bias, relu, column, tail, y);
  });
}

// Computes `cells` pooled cells side by side, from cell (y, x) on.
template <int cells, int vectors>
void convolveCells(const Convolution& of, const float* image, std::int64_t y, std::int64_t x, const float* kernel,
                   const float* bias, bool relu, std::int64_t column, float* pooled, std::uint8_t* winners) {
  Vector sums[4 * cells][vectors];
  convolveTile<2, 2 * cells, vectors>(
      of, image + 2 * y * of.stepY + 2 * x * of.stepX, kernel + column,
      [](const float* from, auto v) LAB_INLINE { return load(from + decltype(v)::v * kLanes); }, sums);
  const std::int64_t first = (y * (of.outWidth / 2) + x) * of.filters + column;
  unroll<vectors>([&](auto v) LAB_INLINE {
    const Vector add = bias != nullptr ? load(bias + column + decltype(v)::v * kLanes) : zero();
    unroll<cells>([&](auto c) LAB_INLINE {
      const auto place = [&](auto p) LAB_INLINE {
        constexpr int kAt = decltype(p)::v / 2 * 2 * cells + 2 * decltype(c)::v + decltype(p)::v % 2;
        const Vector sum = sums[kAt][decltype(v)::v];
        return bias != nullptr ? plus(sum, add) : sum;
      };
      Vector best = place(Constant<0>{});
      Places winner = everyPlace(0);
      unroll<4, 1>([&](auto p) LAB_INLINE {
        const Vector candidate = place(p);
        const Mask better = greater(candidate, best);
        best = select(better, candidate, best);
        winner = selectPlaces(better, everyPlace(decltype(p)::v), winner);
      });
      if (relu) {
        const Mask cut = lessEqual(best, zero());  // false for NaN, so that a diverged network shows
        best = zeroWhere(cut, best);
        winner = selectPlaces(cut, everyPlace(kNoGradient), winner);
      }
      const std::int64_t at = first + decltype(c)::v * of.filters + decltype(v)::v * kLanes;
      store(pooled + at, best);
      storePlaces(winners + at, winner);
    });
  });
}

template <int vectors>
void convolvePoolPanel(const Convolution& of, const float* kernel, const float* bias, bool relu, std::int64_t column,
                       float* pooled, std::uint8_t* winners) {
  const std::int64_t height = of.outHeight / 2, width = of.outWidth / 2, tiles = (width + kCellsX - 1) / kCellsX;
  for (std::int64_t image = 0; image < of.n; ++image) {
    const std::int64_t to = image * height * width * of.filters;
    for (std::int64_t i = 0; i < height * tiles; ++i) {
      const std::int64_t y = i / tiles, x = width * (i % tiles) / tiles, count = width * (i % tiles + 1) / tiles - x;
      unroll<kCellsX>([&](auto c) LAB_INLINE {
        if (count == decltype(c)::v + 1)
          convolveCells<decltype(c)::v + 1, vectors>(of, of.images + image * of.imageSize, y, x, kernel, bias, relu,
                                                     column, pooled + to, winners + to);
      });
    }
  }
}

void convolvePool(const Convolution& of, const float* kernel, const float* bias, bool relu, float* pooled,
                  std::uint8_t* winners) {
  static_assert(kPooledFilters % kLanes == 0);
  std::int64_t column = 0;
  for (; column + kPanel * kLanes <= of.filters; column += kPanel * kLanes)
    convolvePoolPanel<kPanel>(of, kernel, bias, relu, column, pooled, winners);
  for (; column < of.filters; column += kLanes) convolvePoolPanel<1>(of, kernel, bias, relu, column, pooled, winners);
}
