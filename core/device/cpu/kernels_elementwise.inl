// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels that make one pass over flat memory. The first and last, incomplete vectors go through the same instructions
// as the others, so an element's bits do not depend on where a range was cut. Included by kernels.inl.

// Calls body(offset, load, store) over [0, size): for whole vectors, before and after them with partial loads and
// stores. Whole vectors begin where `written` reaches a multiple of their size, so that none is stored into two cache
// lines: a flat buffer's largest variable is aligned, its beginning is not (Layout::alignmentLead()).
template <typename Body>
LAB_INLINE inline void forVectors(std::int64_t size, const float* written, const Body& body) {
  const auto part = [&body](std::int64_t i, std::int64_t count) LAB_INLINE {
    body(
        i, [count](const float* p) LAB_INLINE { return loadFirst(p, count); },
        [count](float* p, Vector v) LAB_INLINE { storeFirst(p, v, count); });
  };
  const auto ahead = static_cast<std::int64_t>((-reinterpret_cast<std::uintptr_t>(written) / sizeof(float)) % kLanes);
  std::int64_t i = ahead < size ? ahead : size;
  if (i > 0) part(0, i);
  for (; i + kLanes <= size; i += kLanes) body(i, load, store);
  if (i < size) part(i, size - i);
}

void reluBackward(std::int64_t size, const float* y, float* dy) {
  forVectors(size, dy, [&](std::int64_t i, auto get, auto put) LAB_INLINE {
    put(dy + i, zeroWhere(lessEqual(get(y + i), zero()), get(dy + i)));
  });
}

constexpr std::int64_t kAhead = 256;  // elements, 1 KiB

void adam(std::int64_t size, float learningRate, float complement1, float complement2, float epsilon,
          const float* gradient, float* m, float* v, float* weights) {
  const Vector rate = broadcast(learningRate), c1 = broadcast(complement1), c2 = broadcast(complement2),
               small = broadcast(epsilon);
  forVectors(size, weights, [&](std::int64_t i, auto get, auto put) LAB_INLINE {
    // The processor's own prefetching starts anew at every 4 KiB page, and there are four arrays here.
    __builtin_prefetch(gradient + i + kAhead);
    __builtin_prefetch(m + i + kAhead, 1);
    __builtin_prefetch(v + i + kAhead, 1);
    __builtin_prefetch(weights + i + kAhead, 1);
    const Vector g = get(gradient + i), oldM = get(m + i), oldV = get(v + i);
    const Vector newM = flushed(multiplyAdd(minus(g, oldM), c1, oldM));
    const Vector newV = flushed(multiplyAdd(minus(times(g, g), oldV), c2, oldV));
    put(m + i, newM);
    put(v + i, newV);
    put(weights + i, minus(get(weights + i), over(times(rate, newM), plus(squareRoot(newV), small))));
  });
}

void sgd(std::int64_t size, float learningRate, float momentum, const float* gradient, float* velocity,
         float* weights) {
  const Vector rate = broadcast(-learningRate), keep = broadcast(momentum);
  if (velocity == nullptr) {
    forVectors(size, weights, [&](std::int64_t i, auto get, auto put) LAB_INLINE {
      put(weights + i, multiplyAdd(rate, get(gradient + i), get(weights + i)));
    });
    return;
  }
  forVectors(size, weights, [&](std::int64_t i, auto get, auto put) LAB_INLINE {
    const Vector next = flushed(multiplyAdd(keep, get(velocity + i), times(rate, get(gradient + i))));
    put(velocity + i, next);
    put(weights + i, plus(get(weights + i), next));
  });
}

void roundToBfloat16(std::int64_t size, const float* in, float* out) {
  // Works on the bits, for which the compiler's own vectors are exact. A NaN becomes a quiet NaN; ties go to even.
  for (std::int64_t i = 0; i < size; ++i) {
    std::uint32_t bits;
    std::memcpy(&bits, in + i, sizeof bits);
    const std::uint32_t rounded = (bits + 0x7fffU + ((bits >> 16) & 1U)) & 0xffff0000U;
    const std::uint32_t quiet = (bits | 0x00400000U) & 0xffff0000U;
    bits = (bits & 0x7fffffffU) > 0x7f800000U ? quiet : rounded;
    std::memcpy(out + i, &bits, sizeof bits);
  }
}

void add(std::int64_t size, const float* source, float* destination) {
  forVectors(size, destination, [&](std::int64_t i, auto get, auto put) LAB_INLINE {
    put(destination + i, plus(get(destination + i), get(source + i)));
  });
}

void triad(std::int64_t size, float factor, const float* b, const float* c, float* a) {
  const Vector f = broadcast(factor);
  forVectors(size, a, [&](std::int64_t i, auto get, auto put) LAB_INLINE {
    put(a + i, multiplyAdd(f, get(c + i), get(b + i)));
  });
}

// Enough independent chains to hide a multiply-add's latency (4 or 5 cycles on two ports), few enough for 16 registers.
constexpr int kPeakChains = 12, kPeakUnroll = 4;

float multiplyAddRounds(std::int64_t rounds) {
  Vector sums[kPeakChains];
  const Vector factor = broadcast(0.999F), term = broadcast(0.001F);
  unroll<kPeakChains>([&](auto i) LAB_INLINE { sums[decltype(i)::v] = broadcast(0.1F * decltype(i)::v); });
  for (std::int64_t round = 0; round < rounds; ++round) {
    unroll<kPeakUnroll>([&](auto) LAB_INLINE {
      unroll<kPeakChains>([&](auto i)
                              LAB_INLINE { sums[decltype(i)::v] = multiplyAdd(sums[decltype(i)::v], factor, term); });
    });
  }
  Vector total = zero();
  unroll<kPeakChains>([&](auto i) LAB_INLINE { total = plus(total, sums[decltype(i)::v]); });
  float lanes[kLanes];
  store(lanes, total);
  return lanes[0];
}
