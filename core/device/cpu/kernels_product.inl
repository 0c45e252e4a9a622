// SPDX-License-Identifier: GPL-3.0-or-later
// Matrix products: one register tile of kTileRows × kTileVectors sums, and the three products of dense layers that use
// the tile.
// Included by kernels.inl.

// Depth is split into blocks, so that a block of b (128 × 64 floats, 32 KiB) stays in the first-level cache while all
// rows use it. Between blocks, sums are stored in c without rounding, so an element's chain is as without blocks.
constexpr std::int64_t kDepthBlock = 128;

// Computes one tile of rows × vectors. If `partial`, the last vector has only `tail` columns.
template <int rows, int vectors, bool partial>
void tile(const Product& p, std::int64_t row, std::int64_t column, std::int64_t depthBegin, std::int64_t depthEnd,
          std::int64_t tail) {
  const bool empty = depthBegin == depthEnd;  // then a and b may be null
  const float* a = empty ? p.a : p.a + row * p.aRow + depthBegin * p.aDepth;
  const float* b = empty ? p.b : p.b + depthBegin * p.bRow + column;
  float* c = p.c + row * p.cRow + column;
  const std::int64_t aRow = p.aRow, aDepth = p.aDepth, bRow = p.bRow, cRow = p.cRow;

  const auto loadVector = [tail](const float* from, auto v) LAB_INLINE {
    if constexpr (partial && decltype(v)::v == vectors - 1)
      return loadFirst(from + decltype(v)::v * kLanes, tail);
    else
      return load(from + decltype(v)::v * kLanes);
  };

  Vector sums[rows][vectors];
  const bool resume = p.accumulate || depthBegin > 0;
  unroll<rows>([&](auto r) LAB_INLINE {
    unroll<vectors>([&](auto v) LAB_INLINE {
      sums[decltype(r)::v][decltype(v)::v] = resume ? loadVector(c + decltype(r)::v * cRow, v) : zero();
    });
  });

  for (std::int64_t depth = depthBegin; depth < depthEnd; ++depth, a += aDepth, b += bRow) {
    Vector line[vectors];
    unroll<vectors>([&](auto v) LAB_INLINE { line[decltype(v)::v] = loadVector(b, v); });
    unroll<rows>([&](auto r) LAB_INLINE {
      const Vector factor = broadcast(a[decltype(r)::v * aRow]);
      unroll<vectors>([&](auto v) LAB_INLINE {
        Vector& sum = sums[decltype(r)::v][decltype(v)::v];
        sum = multiplyAdd(factor, line[decltype(v)::v], sum);
      });
    });
  }

  const bool finish = depthEnd == p.depth;
  unroll<vectors>([&](auto v) LAB_INLINE {
    const Vector bias = finish && p.bias != nullptr ? loadVector(p.bias + column, v) : zero();
    unroll<rows>([&](auto r) LAB_INLINE {
      Vector sum = sums[decltype(r)::v][decltype(v)::v];
      if (finish && p.bias != nullptr) sum = plus(sum, bias);
      if (finish && p.relu) sum = zeroWhere(lessEqual(sum, zero()), sum);
      float* to = c + decltype(r)::v * cRow + decltype(v)::v * kLanes;
      if constexpr (partial && decltype(v)::v == vectors - 1)
        storeFirst(to, sum, tail);
      else
        store(to, sum);
    });
  });
}

// Computes all rows of one panel of columns, cut into tiles of nearly equal size: 8 rows are 4 + 4, not 6 + 2.
template <int vectors, bool partial>
void panel(const Product& p, std::int64_t column, std::int64_t depthBegin, std::int64_t depthEnd, std::int64_t tail) {
  const std::int64_t tiles = (p.rows + kTileRows - 1) / kTileRows;
  for (std::int64_t i = 0; i < tiles; ++i) {
    const std::int64_t begin = p.rows * i / tiles, rows = p.rows * (i + 1) / tiles - begin;
    unroll<kTileRows>([&](auto r) LAB_INLINE {
      if (rows == decltype(r)::v + 1)
        tile<decltype(r)::v + 1, vectors, partial>(p, begin, column, depthBegin, depthEnd, tail);
    });
  }
}

void multiply(const Product& p) {
  std::int64_t depthBegin = 0;
  do {  // runs once even for depth 0, so that c is written
    const std::int64_t depthEnd = p.depth < depthBegin + kDepthBlock ? p.depth : depthBegin + kDepthBlock;
    std::int64_t column = 0;
    for (; column + kTileVectors * kLanes <= p.columns; column += kTileVectors * kLanes) {
      panel<kTileVectors, false>(p, column, depthBegin, depthEnd, kLanes);
    }
    const std::int64_t rest = p.columns - column;
    unroll<kTileVectors>([&](auto v) LAB_INLINE {
      const std::int64_t tail = rest - decltype(v)::v * kLanes;
      if (tail > 0 && tail <= kLanes) panel<decltype(v)::v + 1, true>(p, column, depthBegin, depthEnd, tail);
    });
    depthBegin = depthEnd;
  } while (depthBegin < p.depth);
}

void weightGradientRows(std::int64_t begin, std::int64_t end, std::int64_t n, std::int64_t in, std::int64_t out,
                        const float* x, const float* dy, float* dw) {
  // x is read along its columns, which touches one or two cache lines per example. So a block is first copied together
  // in one burst of independent loads, and then read from the first-level cache.
  constexpr std::int64_t kExamples = 64, kWidth = 48;
  alignas(64) float block[kExamples * kWidth];
  for (std::int64_t row = begin; row < end; row += kWidth) {
    const std::int64_t width = end - row < kWidth ? end - row : kWidth;
    std::int64_t example = 0;
    do {  // runs once even for n = 0, so that dw is written
      const std::int64_t examples = n - example < kExamples ? n - example : kExamples;
      for (std::int64_t i = 0; i < examples; ++i) {
        const float* from = x + (example + i) * in + row;
        if (width == kWidth)
          std::memcpy(block + i * kWidth, from, kWidth * sizeof(float));
        else
          std::memcpy(block + i * kWidth, from, static_cast<std::size_t>(width) * sizeof(float));
      }
      Product product;
      product.depth = examples;
      product.columns = out;
      product.aRow = 1;
      product.aDepth = kWidth;
      product.b = dy + example * out;
      product.bRow = out;
      product.cRow = out;
      product.accumulate = example > 0;
      // The next block's lines lie a row of x apart, where no processor fetches ahead by itself: some before each part.
      // A part is a tile's rows, unless dy is wider than a tile: its panel must stay in the first-level cache.
      const std::int64_t after = example + examples, following = n - after < kExamples ? n - after : kExamples;
      const std::int64_t parts = out <= kTileVectors * kLanes ? (width + kTileRows - 1) / kTileRows : 1;
      for (std::int64_t i = 0; i < parts; ++i) {
        for (std::int64_t k = following * i / parts; k < following * (i + 1) / parts; ++k)
          for (std::int64_t line = 0; line < width; line += 16) __builtin_prefetch(x + (after + k) * in + row + line);
        const std::int64_t first = width * i / parts;
        product.rows = width * (i + 1) / parts - first;
        product.a = block + first;
        product.c = dw + (row + first) * out;
        multiply(product);
      }
      example += examples;
    } while (example < n);
  }
}

using Four = float __attribute__((vector_size(16)));

// Transposes `from` (rows, columns), with rows `fromRow` apart, into `to` (columns, rows), with rows `toRow` apart.
LAB_INLINE inline void transpose(std::int64_t rows, std::int64_t columns, const float* from, std::int64_t fromRow,
                                 float* to, std::int64_t toRow) {
  const std::int64_t wholeRows = rows / 4 * 4, wholeColumns = columns / 4 * 4;
  for (std::int64_t r = 0; r < wholeRows; r += 4) {
    for (std::int64_t c = 0; c < wholeColumns; c += 4) {
      Four in[4], out[4];
      for (int i = 0; i < 4; ++i) std::memcpy(&in[i], from + (r + i) * fromRow + c, sizeof(Four));
      const Four low01 = __builtin_shufflevector(in[0], in[1], 0, 4, 1, 5);
      const Four high01 = __builtin_shufflevector(in[0], in[1], 2, 6, 3, 7);
      const Four low23 = __builtin_shufflevector(in[2], in[3], 0, 4, 1, 5);
      const Four high23 = __builtin_shufflevector(in[2], in[3], 2, 6, 3, 7);
      out[0] = __builtin_shufflevector(low01, low23, 0, 1, 4, 5);
      out[1] = __builtin_shufflevector(low01, low23, 2, 3, 6, 7);
      out[2] = __builtin_shufflevector(high01, high23, 0, 1, 4, 5);
      out[3] = __builtin_shufflevector(high01, high23, 2, 3, 6, 7);
      for (int i = 0; i < 4; ++i) std::memcpy(to + (c + i) * toRow + r, &out[i], sizeof(Four));
    }
  }
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = r < wholeRows ? wholeColumns : 0; c < columns; ++c) {
      to[c * toRow + r] = from[r * fromRow + c];
    }
  }
}

void inputGradientColumns(std::int64_t begin, std::int64_t end, std::int64_t n, std::int64_t in, std::int64_t out,
                          const float* dy, const float* w, float* dx) {
  constexpr std::int64_t kBlock = 64;
  alignas(64) float transposed[kBlock * kGradientColumns];
  for (std::int64_t depth = 0; depth < out; depth += kBlock) {
    Product product;
    product.depth = out - depth < kBlock ? out - depth : kBlock;
    transpose(end - begin, product.depth, w + begin * out + depth, out, transposed, kGradientColumns);
    product.rows = n;
    product.columns = end - begin;
    product.a = dy + depth;
    product.aRow = out;
    product.aDepth = 1;
    product.b = transposed;
    product.bRow = kGradientColumns;
    product.c = dx + begin;
    product.cRow = in;
    product.accumulate = depth > 0;
    multiply(product);
  }
}
