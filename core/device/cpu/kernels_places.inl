// SPDX-License-Identifier: GPL-3.0-or-later
// A convolution's gradient by its kernel, from a dense gradient by its output. A register tile is consecutive taps
// times some filters, summed over places; both operands are read in place. Included by kernels.inl.

constexpr int kTileTaps = kLanes == 16 ? 12 : 6;

// Places of some images; their part of the output's gradient stays in the first-level cache for all taps.
struct PlaceBlock {
  const float* images = nullptr;  // the first row's first window
  const float* dy = nullptr;
  std::int64_t count = 0, rows = 0;  // numbers of images, and of rows of places in each
};

// Adds a block's sums of `taps` taps to sums (taps, filters). If `partial`, the last vector has only `tail` filters.
template <int taps, int vectors, bool partial>
void addPlaces(const Convolution& of, const PlaceBlock& block, std::int64_t tail, float* sums) {
  const auto loadVector = [tail](const float* from, auto v) LAB_INLINE {
    if constexpr (partial && decltype(v)::v == vectors - 1)
      return loadFirst(from + decltype(v)::v * kLanes, tail);
    else
      return load(from + decltype(v)::v * kLanes);
  };
  Vector total[taps][vectors];
  unroll<taps>([&](auto t) LAB_INLINE {
    unroll<vectors>([&](auto v) LAB_INLINE { total[decltype(t)::v][decltype(v)::v] = zero(); });
  });
  for (std::int64_t i = 0; i < block.count * block.rows; ++i) {
    const std::int64_t image = i / block.rows, row = i % block.rows;
    const float* x = block.images + image * of.imageSize + row * of.stepY;
    const float* dy = block.dy + (image * of.outHeight + row) * of.outWidth * of.filters;
    for (std::int64_t place = 0; place < of.outWidth; ++place, x += of.stepX, dy += of.filters) {
      Vector line[vectors];
      unroll<vectors>([&](auto v) LAB_INLINE { line[decltype(v)::v] = loadVector(dy, v); });
      unroll<taps>([&](auto t) LAB_INLINE {
        const Vector factor = broadcast(x[decltype(t)::v]);
        unroll<vectors>([&](auto v) LAB_INLINE {
          Vector& sum = total[decltype(t)::v][decltype(v)::v];
          sum = multiplyAdd(factor, line[decltype(v)::v], sum);
        });
      });
    }
  }
  unroll<taps>([&](auto t) LAB_INLINE {
    unroll<vectors>([&](auto v) LAB_INLINE {
      float* const to = sums + decltype(t)::v * of.filters + decltype(v)::v * kLanes;
      const Vector sum = plus(loadVector(sums + decltype(t)::v * of.filters, v), total[decltype(t)::v][decltype(v)::v]);
      if constexpr (partial && decltype(v)::v == vectors - 1)
        storeFirst(to, sum, tail);
      else
        store(to, sum);
    });
  });
}

// Adds the sums of all taps for one panel of filters.
template <int vectors, bool partial>
void addPlacesPanel(const Convolution& of, const PlaceBlock& block, std::int64_t tail, float* sums) {
  const std::int64_t runs = (of.width + kTileTaps - 1) / kTileTaps;
  for (std::int64_t i = 0; i < of.height * runs; ++i) {
    const std::int64_t row = i / runs, first = of.width * (i % runs) / runs;
    const std::int64_t taps = of.width * (i % runs + 1) / runs - first;
    PlaceBlock part = block;
    part.images += row * of.rowSize + first;
    unroll<kTileTaps>([&](auto t) LAB_INLINE {
      if (taps == decltype(t)::v + 1)
        addPlaces<decltype(t)::v + 1, vectors, partial>(of, part, tail, sums + (row * of.width + first) * of.filters);
    });
  }
}

void addBlock(const Convolution& of, PlaceBlock block, float* sums) {
  std::int64_t column = 0;
  const float* const dy = block.dy;
  for (; column + kPanel * kLanes <= of.filters; column += kPanel * kLanes) {
    block.dy = dy + column;
    addPlacesPanel<kPanel, false>(of, block, kLanes, sums + column);
  }
  const std::int64_t rest = of.filters - column;
  block.dy = dy + column;
  unroll<kPanel>([&](auto v) LAB_INLINE {
    const std::int64_t tail = rest - decltype(v)::v * kLanes;
    if (tail > 0 && tail <= kLanes) addPlacesPanel<decltype(v)::v + 1, true>(of, block, tail, sums + column);
  });
}

// Adds the kernel's gradient to sums (taps, filters).
void addDenseGradient(const Convolution& of, const float* dy, float* sums) {
  constexpr std::int64_t kPlaces = 128;  // in a block
  const std::int64_t places = of.outHeight * of.outWidth;
  const std::int64_t images = places < kPlaces ? kPlaces / places : 1;
  const std::int64_t rows = places <= kPlaces ? of.outHeight : of.outWidth < kPlaces ? kPlaces / of.outWidth : 1;
  for (std::int64_t i = 0; i < of.n; i += images)
    for (std::int64_t row = 0; row < of.outHeight; row += rows)
      addBlock(of,
               {of.images + i * of.imageSize + row * of.stepY, dy + (i * places + row * of.outWidth) * of.filters,
                of.n - i < images ? of.n - i : images, of.outHeight - row < rows ? of.outHeight - row : rows},
               sums);
}
