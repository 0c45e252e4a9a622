// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of the network's own operations: the batch, convolution + bias + relu + pool forward and backward, the loss.
#pragma once

#include "core/device/cuda/block.h"
#include "core/device/cuda/kernels.h"

namespace lab::gpu {

inline constexpr int kFilterLanes = 32;  // a warp's threads are the 32 filters
inline constexpr int kTaps = 9;
inline constexpr int kConvThreads = 13 * kFilterLanes;  // a warp for each row of pooled cells
static_assert(kFilters == kFilterLanes && kPooledSide == 13);

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

// Image n of a batch into shared memory, by kConvThreads threads: the same floats from bytes as GatherKernel's.
LAB_DEVICE void loadImage(const ImageSource& source, std::int64_t n, int t, float* image) {
  if (source.images != nullptr) {
    for (int i = t; i < kImageSize; i += kConvThreads) image[i] = source.images[n * kImageSize + i];
    return;
  }
  if (t >= kImageSize / 4) return;
  const std::int64_t example = source.indices[n];
  const FourBytes in = *reinterpret_cast<const FourBytes*>(source.pixels + example * kImageSize + 4 * t);
  LAB_UNROLL for (int i = 0; i < 4; ++i) image[4 * t + i] = static_cast<float>(in.v[i]) / 255.0F;
}

// Each thread has one filter and walks along a row of pooled cells with the 4×4 patch in registers, of which two
// columns are new in every cell.
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

  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared& shared) {
    typename Block::template PerThread<Registers> registers(block);
    const std::int64_t n = block.x();
    block.threads([&](int t) {  // weights are on their way together with the image
      Registers& r = registers[t];
      const int filter = t % kFilterLanes;
      LAB_UNROLL for (int tap = 0; tap < kTaps; ++tap) r.weights[tap] = a.kernel[tap * kFilterLanes + filter];
      r.bias = a.bias[filter];
      loadImage(a.source, n, t, shared.image);
      if (t == kThreads - 1 && a.labels != nullptr) a.outLabels[n] = a.labels[a.source.indices[n]];
    });
    block.threads([&](int t) {
      const int row = t / kFilterLanes, filter = t % kFilterLanes;
      const Registers& r = registers[t];
      const float* corner = shared.image + 2 * row * kImageSide;
      float patch[4][4];
      LAB_UNROLL for (int y = 0; y < 4; ++y) LAB_UNROLL for (int x = 0; x < 2; ++x) patch[y][x + 2] =
          corner[y * kImageSide + x];
      std::int64_t cell = ((n * kPooledSide + row) * kPooledSide) * kFilterLanes + filter;
      for (int column = 0; column < kPooledSide; ++column, cell += kFilterLanes) {
        LAB_UNROLL for (int y = 0; y < 4; ++y) LAB_UNROLL for (int x = 0; x < 2; ++x) {
          patch[y][x] = patch[y][x + 2];
          patch[y][x + 2] = corner[y * kImageSide + 2 * column + 2 + x];
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
        const bool cut = best <= 0;  // a NaN is not cut, so that a diverged network shows
        a.pooled[cell] = cut ? 0 : best;
        a.argmax[cell] = static_cast<std::uint8_t>(cut ? kNoGradient : winner);
      }
    });
  }
};

// Each thread has one filter and one row of cells, whose gradients are all on their way before the first is used; the
// rows of a block are added at its end, the blocks by ColumnSums.
struct ConvBackwardKernel {
  using Args = ConvBackwardArgs;
  struct Registers {
    float sums[kTaps + 1];
    float forKernel[kPooledSide], forBias[kPooledSide];
    int winner[kPooledSide];
  };
  struct Shared {
    alignas(16) float image[kImageSize];
    float sums[kPooledSide][kConvSums];
  };
  static constexpr int kThreads = kConvThreads;
  static constexpr int kBlocksTogether = 2;  // 72 registers a thread, and none spilled

  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared& shared) {
    typename Block::template PerThread<Registers> registers(block);
    block.threads([&](int t) { LAB_UNROLL for (float& sum : registers[t].sums) sum = 0; });
    const bool alike = a.dPooledForKernel == a.dPooled;
    const std::int64_t first = block.x() * a.imagesPerBlock;
    const std::int64_t last = first + a.imagesPerBlock < a.n ? first + a.imagesPerBlock : a.n;
    for (std::int64_t n = first; n < last; ++n) {
      block.threads([&](int t) {
        Registers& r = registers[t];
        const std::int64_t cell0 = (n * kPooledSide + t / kFilterLanes) * kPooledSide * kFilterLanes + t % kFilterLanes;
        LAB_UNROLL for (int column = 0; column < kPooledSide; ++column) {
          const std::int64_t cell = cell0 + column * kFilterLanes;
          r.winner[column] = a.argmax[cell];
          r.forBias[column] = a.dPooled[cell];
          r.forKernel[column] = alike ? r.forBias[column] : a.dPooledForKernel[cell];
        }
        loadImage(a.source, n, t, shared.image);
      });
      block.threads([&](int t) {
        Registers& r = registers[t];
        const int row = t / kFilterLanes;
        LAB_UNROLL for (int column = 0; column < kPooledSide; ++column) {
          const bool cut = r.winner[column] == kNoGradient;
          const float forKernel = cut ? 0 : r.forKernel[column], forBias = cut ? 0 : r.forBias[column];
          const int place = cut ? 0 : r.winner[column];
          const float* corner = shared.image + (2 * row + place / 2) * kImageSide + 2 * column + place % 2;
          LAB_UNROLL for (int tap = 0; tap < kTaps; ++tap) r.sums[tap] =
              multiplyAdd(corner[tap / 3 * kImageSide + tap % 3], forKernel, r.sums[tap]);
          r.sums[kTaps] += forBias;
        }
      });
    }
    block.threads([&](int t) {
      LAB_UNROLL for (int i = 0; i <= kTaps; ++i) shared.sums[t / kFilterLanes][i * kFilterLanes + t % kFilterLanes] =
          registers[t].sums[i];
    });
    block.threads([&](int t) {
      if (t >= kConvSums) return;
      float sum = 0;
      for (int row = 0; row < kPooledSide; ++row) sum += shared.sums[row][t];
      a.partial[block.x() * kConvSums + t] = sum;
    });
  }
};

// Loss, prediction and gradient of one example, on one thread. dLogits may be null.
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

// One thread an example.
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
