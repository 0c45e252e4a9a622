// SPDX-License-Identifier: GPL-3.0-or-later
// The gradient by the kernel of a convolution with few taps (a first layer's) that 2×2 maxima follow. Filters lie along
// the vector, and the winner's pixel under a tap is a single look-up among the four places of a cell. Included by
// kernels.inl.

constexpr int kQuadTaps = 9;  // taps that are summed together
constexpr int kQuadVectors = kLanes == 16 ? 2 : 1;

bool looksUp(const Convolution& of) {
  constexpr std::int64_t kFewTaps = 75;  // with more taps, lists are faster
  return of.taps() <= kFewTaps;
}

// For each float of one row of an image, stores the four values that a tap there has at the four places of a cell.
void fillQuadRow(const Convolution& of, const float* row, float* quads) {
  const std::int64_t count = of.rowSize - of.stepX;
  const float* const from[4]{row, row + of.stepX, row + of.stepY, row + of.stepY + of.stepX};
  const std::int64_t whole = count / 4 * 4;
  for (std::int64_t i = 0; i < whole; i += 4) {
    Four in[4];
    for (int p = 0; p < 4; ++p) std::memcpy(&in[p], from[p] + i, sizeof(Four));
    const Four low01 = __builtin_shufflevector(in[0], in[1], 0, 4, 1, 5);
    const Four high01 = __builtin_shufflevector(in[0], in[1], 2, 6, 3, 7);
    const Four low23 = __builtin_shufflevector(in[2], in[3], 0, 4, 1, 5);
    const Four high23 = __builtin_shufflevector(in[2], in[3], 2, 6, 3, 7);
    const Four out[4]{
        __builtin_shufflevector(low01, low23, 0, 1, 4, 5), __builtin_shufflevector(low01, low23, 2, 3, 6, 7),
        __builtin_shufflevector(high01, high23, 0, 1, 4, 5), __builtin_shufflevector(high01, high23, 2, 3, 6, 7)};
    for (int j = 0; j < 4; ++j)
      std::memcpy(quads + 4 * (i + j), &out[j], sizeof(Four));  // a single copy would force `out` into memory
  }
  for (std::int64_t i = whole; i < count; ++i)
    for (int p = 0; p < 4; ++p) quads[4 * i + p] = from[p][i];
}

// Adds a row of cells to the first `taps` rows of sums (taps, filters). `quads` begins at the first tap of the first
// cell's window.
template <int taps, int vectors>
void addQuads(const Convolution& of, const float* quads, const OutputGradient& dy, float* sums) {
  Vector total[taps][vectors];
  unroll<taps>([&](auto t) LAB_INLINE {
    unroll<vectors>([&](auto v) LAB_INLINE { total[decltype(t)::v][decltype(v)::v] = zero(); });
  });
  const std::int64_t cells = of.outWidth / 2, step = 4 * 2 * of.stepX;
  for (std::int64_t cell = 0; cell < cells; ++cell, quads += step) {
    Places winner[vectors];
    Vector value[vectors];
    unroll<vectors>([&](auto v) LAB_INLINE {
      const std::int64_t at = cell * of.filters + decltype(v)::v * kLanes;
      winner[decltype(v)::v] = loadPlaces(dy.winners + at);
      value[decltype(v)::v] =
          zeroWhere(equalPlaces(winner[decltype(v)::v], everyPlace(kNoGradient)), load(dy.values + at));
    });
    unroll<taps>([&](auto t) LAB_INLINE {
      unroll<vectors>([&](auto v) LAB_INLINE {
        Vector& sum = total[decltype(t)::v][decltype(v)::v];
        sum = multiplyAdd(lookUp(quads + 4 * decltype(t)::v, winner[decltype(v)::v]), value[decltype(v)::v], sum);
      });
    });
  }
  unroll<taps>([&](auto t) LAB_INLINE {
    unroll<vectors>([&](auto v) LAB_INLINE {
      float* const to = sums + decltype(t)::v * of.filters + decltype(v)::v * kLanes;
      store(to, plus(load(to), total[decltype(t)::v][decltype(v)::v]));  // summing in two stages rounds less
    });
  });
}

// Adds the kernel's gradient to sums (taps, filters). `quads` has room for four times a row of the image.
void addLookedUp(const Convolution& of, const OutputGradient& dy, float* quads, float* sums) {
  const std::int64_t height = of.outHeight / 2, width = of.outWidth / 2;
  for (std::int64_t i = 0; i < of.n * height; ++i) {
    const float* corner = of.images + i / height * of.imageSize + i % height * 2 * of.stepY;
    const std::int64_t cell = i * width * of.filters;
    for (std::int64_t row = 0; row < of.height; ++row) {
      fillQuadRow(of, corner + row * of.rowSize, quads);
      for (std::int64_t first = 0, runs = (of.width + kQuadTaps - 1) / kQuadTaps, run = 0; run < runs; ++run) {
        const std::int64_t end = of.width * (run + 1) / runs, taps = end - first;
        float* const to = sums + (row * of.width + first) * of.filters;
        unroll<kQuadTaps>([&](auto t) LAB_INLINE {
          constexpr int kCount = decltype(t)::v + 1;
          if (taps != kCount) return;
          std::int64_t f = 0;
          const auto from = [&](std::int64_t filter) LAB_INLINE {
            return OutputGradient{dy.values + cell + filter, dy.winners + cell + filter};
          };
          for (; f + kQuadVectors * kLanes <= of.filters; f += kQuadVectors * kLanes)
            addQuads<kCount, kQuadVectors>(of, quads + 4 * first, from(f), to + f);
          for (; f < of.filters; f += kLanes) addQuads<kCount, 1>(of, quads + 4 * first, from(f), to + f);
        });
        first = end;
      }
    }
  }
}
