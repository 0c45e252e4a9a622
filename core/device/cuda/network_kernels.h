// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of the course network's own operations: gathering the batch, convolution + bias + relu + pool forward and
// backward, the loss.
#pragma once

#include "core/device/cuda/block.h"
#include "core/device/cuda/kernels.h"

namespace lab::gpu {

inline constexpr int kFilterLanes = 32;  // a warp's threads are the 32 filters
inline constexpr int kTaps = 9;
inline constexpr int kConvThreads = 13 * kFilterLanes;  // a warp for each row of pooled cells
static_assert(kFilters == kFilterLanes && kPooledSide == 13);

// The row of a convolution's thread. Computed unsigned, so that the division is a shift.
LAB_DEVICE int rowOf(int t) {
  return static_cast<int>(static_cast<unsigned>(t) / kFilterLanes);
}
LAB_DEVICE int filterOf(int t) {
  return static_cast<int>(static_cast<unsigned>(t) % kFilterLanes);
}

struct GatherKernel {
  using Args = GatherArgs;
  struct Shared {};
  static constexpr int kThreads = kImageSize / 4;

  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared&) {
    const std::int64_t n = block.x();
    const std::int64_t example = a.indices[n];
    block.threads([&](int t) {
      const FourBytes in = *reinterpret_cast<const FourBytes*>(a.pixels + example * kImageSize + 4 * t);
      float* out = a.images + n * kImageSize + 4 * t;
      LAB_UNROLL for (int i = 0; i < 4; ++i) out[i] = static_cast<float>(in.v[i]) / 255.0F;
      if (t == 0) a.outLabels[n] = a.labels[example];
    });
  }
};

// Starts to fetch a thread's share of an image stored as bytes.
LAB_DEVICE FourBytes fetchImage(const ImageSource& source, std::int64_t n, int t) {
  if (source.images != nullptr || t >= kImageSize / 4) return {};
  return *reinterpret_cast<const FourBytes*>(source.pixels + std::int64_t{source.indices[n]} * kImageSize + 4 * t);
}

// Puts image n of a batch into shared memory, by kConvThreads threads; bytes give the same floats as in GatherKernel.
LAB_DEVICE void storeImage(const ImageSource& source, std::int64_t n, int t, const FourBytes& in, float* image) {
  if (source.images != nullptr) {
    for (int i = t; i < kImageSize; i += kConvThreads) image[i] = source.images[n * kImageSize + i];
  } else if (t < kImageSize / 4) {
    LAB_UNROLL for (int i = 0; i < 4; ++i) image[4 * t + i] = static_cast<float>(in.v[i]) / 255.0F;
  }
}

// Each thread has one filter and walks along a row of pooled cells with the 4×4 patch in registers; each cell replaces
// two columns of it. Several images per block were slower on an H100.
struct ConvForwardKernel {
  using Args = ConvForwardArgs;
  struct Registers {
    float weights[kTaps];
    float bias;
  };
  struct Shared {
    alignas(16) float image[kImageSize];
  };
  static constexpr int kThreads = kConvThreads;
  // 48 registers per thread, none spilled
  static constexpr int kBlocksTogether = static_cast<int>(kConvBlocksTogether);

  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared& shared) {
    typename Block::template PerThread<Registers> registers(block);
    const std::int64_t n = block.x();
    block.threads([&](int t) {  // weights are fetched together with the image
      Registers& r = registers[t];
      const int filter = filterOf(t);
      LAB_UNROLL for (int tap = 0; tap < kTaps; ++tap) r.weights[tap] = a.kernel[tap * kFilterLanes + filter];
      r.bias = a.bias[filter];
      storeImage(a.source, n, t, fetchImage(a.source, n, t), shared.image);
      if (t == kThreads - 1 && a.labels != nullptr) a.outLabels[n] = a.labels[a.source.indices[n]];
    });
    block.threads([&](int t) {
      using Two = Floats<2>;
      const int row = rowOf(t), filter = filterOf(t);
      const Registers& r = registers[t];
      const float* corner = shared.image + 2 * row * kImageSide;
      float patch[4][4];
      LAB_UNROLL for (int y = 0; y < 4; ++y) {
        const Two two = *reinterpret_cast<const Two*>(corner + y * kImageSide);
        LAB_UNROLL for (int x = 0; x < 2; ++x) patch[y][x + 2] = two.v[x];
      }
      const std::int64_t cell0 = (n * kPooledSide + row) * kPooledSide * kFilterLanes + filter;
      float* pooled = a.pooled + cell0;
      std::uint8_t* argmax = a.argmax + cell0;
      LAB_UNROLL_4 for (int column = 0; column < kPooledSide; ++column) {
        LAB_UNROLL for (int y = 0; y < 4; ++y) {
          const Two two = *reinterpret_cast<const Two*>(corner + y * kImageSide + 2 * column + 2);
          LAB_UNROLL for (int x = 0; x < 2; ++x) {
            patch[y][x] = patch[y][x + 2];
            patch[y][x + 2] = two.v[x];
          }
        }
        float best = 0;
        int winner = 0;
        LAB_UNROLL for (int place = 0; place < 4; ++place) {
          float sum = 0;
          LAB_UNROLL for (int tap = 0; tap < kTaps; ++tap) sum =
              multiplyAdd(patch[place / 2 + tap / 3][place % 2 + tap % 3], r.weights[tap], sum);
          sum += r.bias;
          if (place == 0 || sum > best) {
            best = sum;
            winner = place;
          }
        }
        const bool cut = best <= 0;  // a NaN is not cut, so that a diverged network is visible
        pooled[column * kFilterLanes] = cut ? 0 : best;
        argmax[column * kFilterLanes] = static_cast<std::uint8_t>(cut ? kNoGradient : winner);
      }
    });
  }
};

// Each thread has one filter and one row of cells, and fetches half of them at once. A block adds its rows at the end;
// ColumnSums adds the blocks.
struct ConvBackwardKernel {
  using Args = ConvBackwardArgs;
  struct Registers {
    float sums[kTaps + 1];
  };
  struct Shared {
    union {
      alignas(16) float images[2][kImageSize];
      float sums[kPooledSide][kConvSums];
    };
  };
  static constexpr int kThreads = kConvThreads;
  // 48 registers per thread, none spilled
  static constexpr int kBlocksTogether = static_cast<int>(kConvBlocksTogether);

  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared& shared) {
    typename Block::template PerThread<Registers> registers(block);
    const std::int64_t first = block.x() * a.imagesPerBlock;
    const std::int64_t last = first + a.imagesPerBlock < a.n ? first + a.imagesPerBlock : a.n;
    block.threads([&](int t) {
      LAB_UNROLL for (float& sum : registers[t].sums) sum = 0;
      storeImage(a.source, first, t, fetchImage(a.source, first, t), shared.images[0]);
    });
    int current = 0;
    for (std::int64_t n = first; n < last; ++n) {
      block.threads([&](int t) {
        FourBytes next = {};
        if (n + 1 < last) next = fetchImage(a.source, n + 1, t);
        constexpr int kHalf = (kPooledSide + 1) / 2;
        addCells<0, kHalf>(registers[t], a, n, t, shared.images[current]);
        addCells<kHalf, kPooledSide>(registers[t], a, n, t, shared.images[current]);
        if (n + 1 < last) storeImage(a.source, n + 1, t, next, shared.images[1 - current]);
      });
      current = 1 - current;
    }
    block.threads([&](int t) {
      LAB_UNROLL for (int i = 0; i <= kTaps; ++i) shared.sums[rowOf(t)][i * kFilterLanes + filterOf(t)] =
          registers[t].sums[i];
    });
    block.threads([&](int t) {
      if (t >= kConvSums) return;
      float sum = 0;
      for (int row = 0; row < kPooledSide; ++row) sum += shared.sums[row][t];
      a.partial[block.x() * kConvSums + t] = sum;
    });
  }

  // Adds the cells of the thread's row from column `begin` to before `end`.
  template <int begin, int end>
  LAB_DEVICE static void addCells(Registers& r, const Args& a, std::int64_t n, int t, const float* image) {
    const int row = rowOf(t);
    const std::int64_t cell0 = (n * kPooledSide + row) * kPooledSide * kFilterLanes + filterOf(t);
    const bool alike = a.dPooledForKernel == a.dPooled;
    float gradient[end - begin];
    int winner[end - begin];
    LAB_UNROLL for (int i = 0; i < end - begin; ++i) {
      winner[i] = a.argmax[cell0 + (begin + i) * kFilterLanes];
      gradient[i] = a.dPooledForKernel[cell0 + (begin + i) * kFilterLanes];
    }
    LAB_UNROLL for (int i = 0; i < end - begin; ++i) {
      const bool cut = winner[i] == kNoGradient;
      const float forKernel = cut ? 0 : gradient[i];
      const int place = cut ? 0 : winner[i];
      const float* corner = image + (2 * row + place / 2) * kImageSide + 2 * (begin + i) + place % 2;
      LAB_UNROLL for (int tap = 0; tap < kTaps; ++tap) r.sums[tap] =
          multiplyAdd(corner[tap / 3 * kImageSide + tap % 3], forKernel, r.sums[tap]);
      r.sums[kTaps] += alike ? forKernel : cut ? 0 : a.dPooled[cell0 + (begin + i) * kFilterLanes];
    }
  }
};

// Computes loss, prediction and gradient of one example on one thread. dLogits may be null.
LAB_DEVICE void crossEntropy(const float* logits, int label, float scale, float* loss, std::uint8_t* prediction,
                             float* dLogits) {
  float row[kClasses];
  LAB_UNROLL for (int c = 0; c < kClasses; ++c) row[c] = logits[c];
  int best = 0;
  float highest = row[0];
  LAB_UNROLL for (int c = 1; c < kClasses; ++c) {
    if (row[c] > highest) {
      highest = row[c];
      best = c;
    }
  }
  float sum = 0, chosen = 0;
  LAB_UNROLL for (int c = 0; c < kClasses; ++c) {
    if (c == label) chosen = row[c] - highest;
    row[c] = expf(row[c] - highest);
    sum += row[c];
  }
  *loss = logf(sum) - chosen;
  *prediction = static_cast<std::uint8_t>(best);
  if (dLogits == nullptr) return;
  LAB_UNROLL for (int c = 0; c < kClasses; ++c) dLogits[c] = scale * (row[c] / sum - (c == label ? 1.0F : 0.0F));
}

// One thread per example.
struct SoftmaxKernel {
  using Args = SoftmaxArgs;
  struct Shared {};
  static constexpr int kThreads = kSoftmaxThreads;

  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared&) {
    block.threads([&](int t) {
      const std::int64_t n = block.x() * kThreads + t;
      if (n >= a.n) return;
      crossEntropy(a.logits + n * kClasses, a.labels[n], a.scale, a.losses + n, a.predictions + n,
                   a.dLogits == nullptr ? nullptr : a.dLogits + n * kClasses);
    });
  }
};

struct TallyKernel {
  using Args = TallyArgs;
  static constexpr int kThreads = 256;
  struct Shared {
    double lossSum[kThreads];
    std::int64_t correct[kThreads];
  };

  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared& shared) {
    block.threads([&](int t) {
      double lossSum = 0;
      std::int64_t correct = 0;
      for (std::int64_t n = t; n < a.n; n += kThreads) {
        lossSum += static_cast<double>(a.losses[n]);
        correct += a.predictions[n] == a.labels[n] ? 1 : 0;
      }
      shared.lossSum[t] = lossSum;
      shared.correct[t] = correct;
    });
    for (int half = kThreads / 2; half > 0; half /= 2) {
      block.threads([&](int t) {
        if (t >= half) return;
        shared.lossSum[t] += shared.lossSum[t + half];
        shared.correct[t] += shared.correct[t + half];
      });
    }
    block.threads([&](int t) {
      if (t != 0) return;
      a.out->lossSum = shared.lossSum[0];
      a.out->correct = shared.correct[0];
    });
  }
};

}  // namespace lab::gpu
