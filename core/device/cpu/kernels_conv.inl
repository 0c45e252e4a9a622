// SPDX-License-Identifier: GPL-3.0-or-later
// Convolution, relu and pooling in one walk over the pooled cells; filters lie along the vector. Included by
// kernels.inl.

constexpr int kTaps = 9;
constexpr int kGroup = 2;  // vectors of filters that are computed together
static_assert(kFilters % (kGroup * kLanes) == 0);

// Registers hold one conv output for each position of the 2×2 window, so the 26×26 map is never stored.
void convReluPool(std::int64_t n, const float* images, const float* kernel, const float* bias, float* pooled,
                  std::uint8_t* argmax) {
  for (std::int64_t filter = 0; filter < kFilters; filter += kGroup * kLanes) {
    Vector weights[kTaps][kGroup], start[kGroup];
    unroll<kGroup>([&](auto g) LAB_INLINE {
      start[decltype(g)::v] = load(bias + filter + decltype(g)::v * kLanes);
      unroll<kTaps>([&](auto t) LAB_INLINE {
        weights[decltype(t)::v][decltype(g)::v] =
            load(kernel + decltype(t)::v * kFilters + filter + decltype(g)::v * kLanes);
      });
    });
    for (std::int64_t image = 0; image < n; ++image) {
      for (std::int64_t cell = 0; cell < kPooledSide * kPooledSide; ++cell) {
        const std::int64_t row = cell / kPooledSide, column = cell % kPooledSide;
        const float* corner = images + image * kImageSize + 2 * row * kImageSide + 2 * column;
        Vector sums[4][kGroup];
        unroll<4>([&](auto p) LAB_INLINE {
          unroll<kGroup>([&](auto g) LAB_INLINE { sums[decltype(p)::v][decltype(g)::v] = start[decltype(g)::v]; });
        });
        unroll<kTaps>([&](auto t) LAB_INLINE {
          unroll<4>([&](auto p) LAB_INLINE {
            constexpr int y = decltype(p)::v / 2 + decltype(t)::v / 3, x = decltype(p)::v % 2 + decltype(t)::v % 3;
            const Vector pixel = broadcast(corner[y * kImageSide + x]);
            unroll<kGroup>([&](auto g) LAB_INLINE {
              Vector& sum = sums[decltype(p)::v][decltype(g)::v];
              sum = multiplyAdd(pixel, weights[decltype(t)::v][decltype(g)::v], sum);
            });
          });
        });
        const std::int64_t to = (image * kPooledSide * kPooledSide + cell) * kFilters + filter;
        unroll<kGroup>([&](auto g) LAB_INLINE {
          Vector best = sums[0][decltype(g)::v];
          Places winner = everyPlace(0);
          unroll<3>([&](auto p) LAB_INLINE {
            const Vector candidate = sums[decltype(p)::v + 1][decltype(g)::v];
            const Mask better = greater(candidate, best);
            best = select(better, candidate, best);
            winner = selectPlaces(better, everyPlace(decltype(p)::v + 1), winner);
          });
          const Mask cut = lessEqual(best, zero());  // false for NaN, so that a diverged network shows
          store(pooled + to + decltype(g)::v * kLanes, zeroWhere(cut, best));
          storePlaces(argmax + to + decltype(g)::v * kLanes, selectPlaces(cut, everyPlace(kNoGradient), winner));
        });
      }
    }
  }
}

// Only one of a window's four conv outputs receives its gradient. For each pixel, `quads` holds the 2×2 pixels that
// begin there, so that the winner's pixel under a tap is a single look-up by argmax.
constexpr std::int64_t kQuadSide = 2 * kPooledSide + 1;

void fillQuads(const float* image, float* quads) {
  for (std::int64_t y = 0; y < kQuadSide; ++y) {
    const float* upper = image + y * kImageSide;
    for (std::int64_t x = 0; x < kQuadSide; ++x, quads += 4) {
      std::memcpy(quads, upper + x, 2 * sizeof(float));
      std::memcpy(quads + 2, upper + x + kImageSide, 2 * sizeof(float));
    }
  }
}

void convReluPoolBackward(std::int64_t n, const float* images, const std::uint8_t* argmax,
                          const float* dPooledForKernel, const float* dPooled, float* sums) {
  alignas(64) float quads[kQuadSide * kQuadSide * 4];
  std::memset(sums, 0, (kTaps + 1) * kFilters * sizeof(float));
  constexpr int kVectors = kLanes == 16 ? 2 : 1;  // 20 sums in 32 registers, or 10 in 16
  for (std::int64_t image = 0; image < n; ++image) {
    fillQuads(images + image * kImageSize, quads);
    for (std::int64_t filter = 0; filter < kFilters; filter += kVectors * kLanes) {
      Vector kernelSums[kTaps][kVectors], biasSums[kVectors];
      unroll<kVectors>([&](auto g) LAB_INLINE {
        const float* from = sums + filter + decltype(g)::v * kLanes;
        biasSums[decltype(g)::v] = load(from + kTaps * kFilters);
        unroll<kTaps>([&](auto t) LAB_INLINE {
          kernelSums[decltype(t)::v][decltype(g)::v] = load(from + decltype(t)::v * kFilters);
        });
      });
      for (std::int64_t cell = 0; cell < kPooledSide * kPooledSide; ++cell) {
        const std::int64_t row = cell / kPooledSide, column = cell % kPooledSide;
        const float* quad = quads + (2 * row * kQuadSide + 2 * column) * 4;
        const std::int64_t at = (image * kPooledSide * kPooledSide + cell) * kFilters + filter;
        unroll<kVectors>([&](auto g) LAB_INLINE {
          const std::int64_t from = at + decltype(g)::v * kLanes;
          const Places winner = loadPlaces(argmax + from);
          const Mask dead = equalPlaces(winner, everyPlace(kNoGradient));
          const Vector d = zeroWhere(dead, load(dPooledForKernel + from));
          Vector& biasSum = biasSums[decltype(g)::v];
          biasSum = plus(biasSum, zeroWhere(dead, load(dPooled + from)));
          unroll<kTaps>([&](auto t) LAB_INLINE {
            constexpr std::int64_t kOffset = (decltype(t)::v / 3 * kQuadSide + decltype(t)::v % 3) * 4;
            Vector& sum = kernelSums[decltype(t)::v][decltype(g)::v];
            sum = multiplyAdd(lookUp(quad + kOffset, winner), d, sum);
          });
        });
      }
      unroll<kVectors>([&](auto g) LAB_INLINE {
        float* to = sums + filter + decltype(g)::v * kLanes;
        store(to + kTaps * kFilters, biasSums[decltype(g)::v]);
        unroll<kTaps>([&](auto t) LAB_INLINE {
          store(to + decltype(t)::v * kFilters, kernelSums[decltype(t)::v][decltype(g)::v]);
        });
      });
    }
  }
}
