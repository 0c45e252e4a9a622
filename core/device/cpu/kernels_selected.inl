// SPDX-License-Identifier: GPL-3.0-or-later
// The gradients of a convolution, from the nonzero values of the gradient by its output: at most a quarter if 2×2
// maxima follow, and about half of these after relu. The nonzero values are written into lists; then rows in memory,
// each times a factor from a list, are summed in registers. Included by kernels.inl.

std::int64_t rowVectors(const Convolution& of) {
  return (of.width + kLanes - 1) / kLanes;
}

std::int64_t turnedSize(const Convolution& of) {
  return of.filters * of.height * rowVectors(of) * kLanes;
}

// If true, the sums are laid out as (filters, rows, a row padded to whole vectors); otherwise like dKernel.
bool sumsSelected(const Convolution& of, bool pooled) {
  return pooled && !looksUp(of);
}

std::int64_t kernelSumsSize(const Convolution& of, bool pooled) {
  return sumsSelected(of, pooled) ? turnedSize(of) : of.taps() * of.filters;
}

// Calls body(first vector, Constant<vectors>) for nearly equal runs of at most `most` vectors.
template <int most, typename Body>
LAB_INLINE inline void forRuns(std::int64_t vectors, const Body& body) {
  const std::int64_t runs = (vectors + most - 1) / most;
  for (std::int64_t i = 0; i < runs; ++i) {
    const std::int64_t first = vectors * i / runs, count = vectors * (i + 1) / runs - first;
    unroll<most>([&](auto c) LAB_INLINE {
      if (count == decltype(c)::v + 1) body(first, Constant<decltype(c)::v + 1>{});
    });
  }
}

constexpr int waysOf(int sums, int most) {
  return sums * 4 <= most ? 4 : sums * 2 <= most ? 2 : 1;
}

// sums += Σ values[k] · (rows of the window at images + at[k]): `rows` rows of `vectors` vectors. If there are few
// sums, several k are computed at once, because each sum would otherwise wait for the one before it.
template <int rows, int vectors>
void addWindows(const float* images, std::int64_t rowSize, std::int64_t count, const std::int32_t* at,
                const float* values, std::int64_t sumsRow, float* sums) {
  constexpr int kWays = waysOf(rows * vectors, kSelectedSums);
  Vector total[kWays][rows][vectors];
  unroll<kWays>([&](auto w) LAB_INLINE {
    unroll<rows>([&](auto r) LAB_INLINE {
      unroll<vectors>([&](auto v) LAB_INLINE { total[decltype(w)::v][decltype(r)::v][decltype(v)::v] = zero(); });
    });
  });
  const auto addWindow = [&](std::int64_t k, auto w) LAB_INLINE {
    const float* window = images + at[k];
    const Vector factor = broadcast(values[k]);
    unroll<rows>([&](auto r) LAB_INLINE {
      unroll<vectors>([&](auto v) LAB_INLINE {
        Vector& sum = total[decltype(w)::v][decltype(r)::v][decltype(v)::v];
        sum = multiplyAdd(factor, load(window + decltype(r)::v * rowSize + decltype(v)::v * kLanes), sum);
      });
    });
  };
  std::int64_t k = 0;
  for (; k + kWays <= count; k += kWays) unroll<kWays>([&](auto w) LAB_INLINE { addWindow(k + decltype(w)::v, w); });
  for (; k < count; ++k) addWindow(k, Constant<0>{});
  unroll<rows>([&](auto r) LAB_INLINE {
    unroll<vectors>([&](auto v) LAB_INLINE {
      Vector sum = total[0][decltype(r)::v][decltype(v)::v];
      unroll<kWays, 1>([&](auto w)
                           LAB_INLINE { sum = plus(sum, total[decltype(w)::v][decltype(r)::v][decltype(v)::v]); });
      float* const to = sums + decltype(r)::v * sumsRow + decltype(v)::v * kLanes;
      store(to, plus(load(to), sum));  // summing in two stages rounds less
    });
  });
}

// Lists where in the images filter f's gradient is not zero, and its values there. Returns the number of these places.
std::int64_t selectOfFilter(const Convolution& of, const OutputGradient& dy, std::int64_t f, std::int64_t images,
                            const SelectionRoom& room) {
  const std::int64_t height = of.outHeight / 2, width = of.outWidth / 2, stepY = 2 * of.stepY, stepX = 2 * of.stepX;
  const std::int64_t inCell[5]{0, of.stepX, of.stepY, of.stepY + of.stepX, 0};
  const float* value = dy.values + f;
  const std::uint8_t* winner = dy.winners + f;
  std::int64_t count = 0;
  for (std::int64_t image = 0; image < images; ++image)
    for (std::int64_t y = 0; y < height; ++y) {
      std::int64_t place = image * of.imageSize + y * stepY;
      for (std::int64_t x = 0; x < width; ++x, place += stepX, value += of.filters, winner += of.filters) {
        room.at[count] = static_cast<std::int32_t>(place + inCell[*winner]);
        room.values[count] = *value;
        count += *winner != kNoGradient ? 1 : 0;
      }
    }
  return count;
}

void addKernelGradient(const Convolution& of, const OutputGradient& dy, const SelectionRoom& room, float* sums) {
  if (dy.winners == nullptr) return addDenseGradient(of, dy.values, sums);
  if (looksUp(of)) return addLookedUp(of, dy, room.values, sums);
  constexpr std::int64_t kGroupFloats = 8192;  // floats of images that stay in the first-level cache for all filters
  constexpr int kRows = 3, kMost = kSelectedSums / kRows;
  const std::int64_t vectors = rowVectors(of), sumsRow = vectors * kLanes;
  const std::int64_t cells = (of.outHeight / 2) * (of.outWidth / 2);
  std::int64_t group = kGroupFloats / of.imageSize < of.filters ? kGroupFloats / of.imageSize : of.filters;
  if (group < 1) group = 1;
  Convolution part = of;
  OutputGradient gradient = dy;
  for (std::int64_t i = 0; i < of.n; i += group) {
    const std::int64_t count = of.n - i < group ? of.n - i : group;
    part.images = of.images + i * of.imageSize;
    gradient.values = dy.values + i * cells * of.filters;
    gradient.winners = dy.winners + i * cells * of.filters;
    for (std::int64_t f = 0; f < of.filters; ++f) {
      const std::int64_t selected = selectOfFilter(part, gradient, f, count, room);
      for (std::int64_t row = 0; row < of.height; row += kRows) {
        const std::int64_t rows = of.height - row < kRows ? of.height - row : kRows;
        forRuns<kMost>(vectors, [&](std::int64_t first, auto run) LAB_INLINE {
          const float* const images = part.images + row * of.rowSize + first * kLanes;
          float* const to = sums + (f * of.height + row) * sumsRow + first * kLanes;
          unroll<kRows>([&](auto r) LAB_INLINE {
            if (rows == decltype(r)::v + 1)
              addWindows<decltype(r)::v + 1, decltype(run)::v>(images, of.rowSize, selected, room.at, room.values,
                                                               sumsRow, to);
          });
        });
      }
    }
  }
}

void kernelFromSums(const Convolution& of, bool pooled, std::int64_t row, const float* sums, float* dKernel) {
  if (!sumsSelected(of, pooled)) {
    const std::int64_t size = of.width * of.filters;
    std::memcpy(dKernel + row * size, sums + row * size, static_cast<std::size_t>(size) * sizeof(float));
    return;
  }
  const std::int64_t sumsRow = rowVectors(of) * kLanes;
  transpose(of.filters, of.width, sums + row * sumsRow, of.height * sumsRow, dKernel + row * of.width * of.filters,
            of.filters);
}

constexpr int kTurnedVectors = kLanes == 16 ? 8 : 12;  // in a run, whose part of the kernel stays in a cache

// Reorders one row of the kernel: runs of vectors one after the other, in each run the filters, and for each filter the
// run's taps.
void turnKernel(const Convolution& of, std::int64_t row, const float* kernel, float* turned) {
  const std::int64_t vectors = rowVectors(of);
  forRuns<kTurnedVectors>(vectors, [&](std::int64_t first, auto run) LAB_INLINE {
    constexpr std::int64_t kRun = decltype(run)::v * kLanes;
    float* const to = turned + of.filters * (row * vectors + first) * kLanes;
    const std::int64_t left = of.width - first * kLanes, taps = left < kRun ? left : kRun;
    if (taps < kRun) std::memset(to, 0, static_cast<std::size_t>(of.filters * kRun) * sizeof(float));
    transpose(taps, of.filters, kernel + (row * of.width + first * kLanes) * of.filters, of.filters, to, kRun);
  });
}

// Lists for each place the filters whose gradient is not zero there, place by place, cell by cell. Returns the number
// of lists.
std::int64_t selectOfPlaces(const Convolution& of, const OutputGradient& dy, const SelectionRoom& room) {
  std::int64_t lists = 0, count = 0;
  const bool pooled = dy.winners != nullptr;
  const std::int64_t cells = pooled ? (of.outHeight / 2) * (of.outWidth / 2) : of.outHeight * of.outWidth;
  for (std::int64_t cell = 0; cell < cells; ++cell)
    for (int p = 0; p < (pooled ? 4 : 1); ++p, ++lists) {
      room.begins[lists] = static_cast<std::int32_t>(count);
      for (std::int64_t f = 0; f < of.filters; f += kLanes) {
        const float* from = dy.values + cell * of.filters + f;
        const std::int64_t tail = of.filters - f;
        const Vector values = tail < kLanes ? loadFirst(from, tail) : load(from);
        const Mask mask = pooled ? equalPlaces(loadPlaces(dy.winners + cell * of.filters + f), everyPlace(p))
                                 : notEqual(values, zero());
        count +=
            keepLanes(mask, placesFrom(static_cast<std::int32_t>(f)), values, room.at + count, room.values + count);
      }
    }
  room.begins[lists] = static_cast<std::int32_t>(count);
  return lists;
}

// to += Σ values[k] · turned[filters[k]], for `vectors` vectors.
template <int vectors>
LAB_INLINE inline void addTurned(const float* turned, std::int64_t count, const std::int32_t* filters,
                                 const float* values, float* to) {
  constexpr int kWays = waysOf(vectors, 12);
  Vector total[kWays][vectors];
  unroll<kWays>([&](auto w) LAB_INLINE {
    unroll<vectors>([&](auto v) LAB_INLINE { total[decltype(w)::v][decltype(v)::v] = zero(); });
  });
  const auto addOne = [&](std::int64_t k, auto w) LAB_INLINE {
    const float* const from = turned + static_cast<std::int64_t>(filters[k]) * (vectors * kLanes);
    const Vector factor = broadcast(values[k]);
    unroll<vectors>([&](auto v) LAB_INLINE {
      Vector& sum = total[decltype(w)::v][decltype(v)::v];
      sum = multiplyAdd(factor, load(from + decltype(v)::v * kLanes), sum);
    });
  };
  std::int64_t k = 0;
  for (; k + kWays <= count; k += kWays) unroll<kWays>([&](auto w) LAB_INLINE { addOne(k + decltype(w)::v, w); });
  for (; k < count; ++k) addOne(k, Constant<0>{});
  unroll<vectors>([&](auto v) LAB_INLINE {
    Vector sum = total[0][decltype(v)::v];
    unroll<kWays, 1>([&](auto w) LAB_INLINE { sum = plus(sum, total[decltype(w)::v][decltype(v)::v]); });
    float* const at = to + decltype(v)::v * kLanes;
    store(at, plus(load(at), sum));
  });
}

// Adds one run of the window's row, at all places of an image.
template <int vectors>
void addRun(const Convolution& of, bool pooled, const float* turned, const SelectionRoom& room, float* dx) {
  const int side = pooled ? 2 : 1, places = side * side;
  const std::int64_t height = of.outHeight / side, width = of.outWidth / side;
  const std::int32_t* begin = room.begins;
  for (std::int64_t y = 0; y < height; ++y)
    for (std::int64_t x = 0; x < width; ++x)
      for (int p = 0; p < places; ++p, ++begin) {
        const std::int64_t count = begin[1] - begin[0];
        if (count == 0) continue;
        float* const to = dx + (y * side + p / 2) * of.stepY + (x * side + p % 2) * of.stepX;
        addTurned<vectors>(turned, count, room.at + begin[0], room.values + begin[0], to);
      }
}

void addInputGradient(const Convolution& of, const OutputGradient& dy, const float* turned, const SelectionRoom& room,
                      float* dx) {
  const bool pooled = dy.winners != nullptr;
  const std::int64_t size =
      pooled ? (of.outHeight / 2) * (of.outWidth / 2) * of.filters : of.outHeight * of.outWidth * of.filters;
  const std::int64_t vectors = rowVectors(of);
  for (std::int64_t image = 0; image < of.n; ++image, dx += of.imageSize) {
    const OutputGradient own{dy.values + image * size, pooled ? dy.winners + image * size : nullptr};
    (void)selectOfPlaces(of, own, room);
    for (std::int64_t row = 0; row < of.height; ++row)
      forRuns<kTurnedVectors>(vectors, [&](std::int64_t first, auto run) LAB_INLINE {
        addRun<decltype(run)::v>(of, pooled, turned + of.filters * (row * vectors + first) * kLanes, room,
                                 dx + row * of.rowSize + first * kLanes);
      });
  }
}

void addColumnSums(std::int64_t rows, std::int64_t columns, const float* x, const std::uint8_t* winners, double* sums) {
  constexpr std::int64_t kBlock = 16;  // rows that are summed in float before they are added in double
  for (std::int64_t first = 0; first < rows; first += kBlock) {
    const std::int64_t end = rows - first < kBlock ? rows : first + kBlock;
    for (std::int64_t column = 0; column < columns; column += kLanes) {
      const std::int64_t left = columns - column, count = left < kLanes ? left : kLanes;
      Vector sum = zero();
      for (std::int64_t row = first; row < end; ++row) {
        const std::int64_t at = row * columns + column;
        Vector value = count < kLanes ? loadFirst(x + at, count) : load(x + at);
        if (winners != nullptr)
          value = zeroWhere(equalPlaces(loadPlaces(winners + at), everyPlace(kNoGradient)), value);
        sum = plus(sum, value);
      }
      float lanes[kLanes];
      store(lanes, sum);
      for (std::int64_t i = 0; i < count; ++i) sums[column + i] += static_cast<double>(lanes[i]);
    }
  }
}
