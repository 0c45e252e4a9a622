// SPDX-License-Identifier: GPL-3.0-or-later
// Layers of any size on the processor. Convolutions are products of patches (what the window sees at each place) with
// the kernel, by the same packed product as the dense layers. Work is divided over examples, by sizes alone; what is
// summed over examples is summed within pieces and then piece by piece, so bits never depend on threads.
#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "core/device/eigen/kernels.h"
#include "core/device/eigen/scratch.h"
#include "core/device/layer_backend.h"

namespace lab {
namespace {

constexpr std::int64_t kPatchFloats = 65536;  // of the examples that one product takes together: 256 KiB
constexpr std::int64_t kMostTogether = 8;     // examples
constexpr std::int64_t kSumPieces = 16;       // that a kernel's gradient is summed in
constexpr std::int64_t kPieceFloats = 32768;  // of what goes element by element
constexpr std::int64_t kRowsPerPiece = 2048;  // of channels' sums

// body(first column inside the image, columns, first row's place in the patch) for each line of the window at a place.
struct Line {
  std::int64_t inRow = 0, inColumn = 0;  // in the image
  std::int64_t tap = 0;                  // in the patch
  std::int64_t columns = 0;
};

template <typename Body>
void forEachLine(const LayerWindow& w, std::int64_t place, const Body& body) {
  const std::int64_t top = place / w.outWidth * w.strideY - w.padTop;
  const std::int64_t left = place % w.outWidth * w.strideX - w.padLeft;
  const std::int64_t first = std::max<std::int64_t>(0, -left), end = std::min(w.width, w.inWidth - left);
  if (first >= end) return;
  for (std::int64_t row = std::max<std::int64_t>(0, -top); row < std::min(w.height, w.inHeight - top); ++row)
    body(Line{top + row, left + first, row * w.width + first, end - first});
}

bool isPadded(const LayerWindow& w) {
  return w.padTop > 0 || w.padLeft > 0 || (w.outHeight - 1) * w.strideY + w.height > w.inHeight ||
         (w.outWidth - 1) * w.strideX + w.width > w.inWidth;
}

// (places, taps) of one example.
void takePatches(const LayerWindow& w, const float* image, float* patches) {
  if (isPadded(w)) std::fill_n(patches, w.places() * w.taps(), 0.0F);
  for (std::int64_t place = 0; place < w.places(); ++place, patches += w.taps())
    forEachLine(w, place, [&](const Line& line) {
      std::memcpy(patches + line.tap * w.channels, image + (line.inRow * w.inWidth + line.inColumn) * w.channels,
                  static_cast<std::size_t>(line.columns * w.channels) * sizeof(float));
    });
}

std::int64_t together(const LayerWindow& w) {
  return std::clamp<std::int64_t>(kPatchFloats / (w.places() * w.taps()), 1, kMostTogether);
}

class CpuLayers final : public LayerBackend {
 public:
  CpuLayers(ThreadPool& pool, const CpuKernels& kernels) : pool_(pool), kernels_(kernels) {}

  void conv2d(std::int64_t n, const LayerWindow& w, std::int64_t filters, const float* x, const float* kernel,
              const float* bias, bool relu, float* y) override {
    inPieces(n, together(w), [&](std::int64_t first, std::int64_t count) {
      AlignedBuffer<float> patches = scratch_.take(count * w.places() * w.taps());
      for (std::int64_t i = 0; i < count; ++i)
        takePatches(w, x + (first + i) * w.inSize(), patches.data() + i * w.places() * w.taps());
      Product product;
      product.rows = count * w.places();
      product.depth = w.taps();
      product.columns = filters;
      product.a = patches.data();
      product.aRow = w.taps();
      product.aDepth = 1;
      product.b = kernel;
      product.bRow = filters;
      product.c = y + first * w.places() * filters;
      product.cRow = filters;
      product.bias = bias;
      product.relu = relu;
      kernels_.multiply(product);
      scratch_.giveBack(std::move(patches));
    });
  }

  void conv2dKernelGradient(std::int64_t n, const LayerWindow& w, std::int64_t filters, const float* x, const float* dy,
                            float* dKernel) override {
    const std::int64_t size = w.taps() * filters, count = std::min(n, kSumPieces);
    if (count == 0) {
      std::fill_n(dKernel, size, 0.0F);
      return;
    }
    AlignedBuffer<float> sums = scratch_.take(count * size);
    pool_.forEach(count, [&](std::int64_t piece) {
      sumKernelGradient(n * piece / count, n * (piece + 1) / count, w, filters, x, dy, sums.data() + piece * size);
    });
    inPieces(size, kPieceFloats, [&](std::int64_t first, std::int64_t floats) {
      std::copy_n(sums.data() + first, floats, dKernel + first);
      for (std::int64_t piece = 1; piece < count; ++piece)
        kernels_.add(floats, sums.data() + piece * size + first, dKernel + first);
    });
    scratch_.giveBack(std::move(sums));
  }

  void conv2dInputGradient(std::int64_t n, const LayerWindow& w, std::int64_t filters, const float* dy,
                           const float* kernel, float* dx) override {
    AlignedBuffer<float> transposed = scratch_.take(w.taps() * filters);  // (F, taps)
    for (std::int64_t tap = 0; tap < w.taps(); ++tap)
      for (std::int64_t f = 0; f < filters; ++f) transposed[f * w.taps() + tap] = kernel[tap * filters + f];
    inPieces(n, together(w), [&](std::int64_t first, std::int64_t count) {
      AlignedBuffer<float> patches = scratch_.take(count * w.places() * w.taps());
      Product product;
      product.rows = count * w.places();
      product.depth = filters;
      product.columns = w.taps();
      product.a = dy + first * w.places() * filters;
      product.aRow = filters;
      product.aDepth = 1;
      product.b = transposed.data();
      product.bRow = w.taps();
      product.c = patches.data();
      product.cRow = w.taps();
      kernels_.multiply(product);
      std::fill_n(dx + first * w.inSize(), count * w.inSize(), 0.0F);
      for (std::int64_t i = 0; i < count; ++i)
        addPatches(w, patches.data() + i * w.places() * w.taps(), dx + (first + i) * w.inSize());
      scratch_.giveBack(std::move(patches));
    });
    scratch_.giveBack(std::move(transposed));
  }

  void biasGradient(std::int64_t rows, std::int64_t channels, const float* dy, float* db) override {
    std::vector<ChannelSums> sums(static_cast<std::size_t>(channels));
    sumChannels(rows, channels, sums.data(), [&](std::int64_t row, ChannelSums* to) {
      for (std::int64_t c = 0; c < channels; ++c) to[c].first += static_cast<double>(dy[row * channels + c]);
    });
    for (std::int64_t c = 0; c < channels; ++c) db[c] = static_cast<float>(sums[static_cast<std::size_t>(c)].first);
  }

  void maxPool(std::int64_t n, const LayerWindow& w, const float* x, float* y, std::uint16_t* winners) override {
    const std::int64_t out = w.places() * w.channels;
    pool_.forEach(n, [&](std::int64_t i) {
      for (std::int64_t place = 0; place < w.places(); ++place) {
        float* best = y + i * out + place * w.channels;
        std::uint16_t* winner = winners + i * out + place * w.channels;
        bool first = true;
        forEachLine(w, place, [&](const Line& line) {
          const float* from = x + i * w.inSize() + (line.inRow * w.inWidth + line.inColumn) * w.channels;
          for (std::int64_t column = 0; column < line.columns; ++column, from += w.channels) {
            const auto tap = static_cast<std::uint16_t>(line.tap + column);
            if (std::exchange(first, false)) {
              std::copy_n(from, w.channels, best);
              std::fill_n(winner, w.channels, tap);
              continue;
            }
            for (std::int64_t c = 0; c < w.channels; ++c) {
              const bool better = from[c] > best[c];
              best[c] = better ? from[c] : best[c];
              winner[c] = better ? tap : winner[c];
            }
          }
        });
      }
    });
  }

  void maxPoolBackward(std::int64_t n, const LayerWindow& w, const std::uint16_t* winners, const float* dy,
                       float* dx) override {
    const std::int64_t out = w.places() * w.channels;
    pool_.forEach(n, [&](std::int64_t i) {
      float* to = dx + i * w.inSize();
      std::fill_n(to, w.inSize(), 0.0F);
      for (std::int64_t place = 0; place < w.places(); ++place) {
        const std::int64_t top = place / w.outWidth * w.strideY - w.padTop;
        const std::int64_t left = place % w.outWidth * w.strideX - w.padLeft;
        for (std::int64_t c = 0; c < w.channels; ++c) {
          const std::int64_t from = i * out + place * w.channels + c;
          const std::int64_t tap = winners[from];
          to[((top + tap / w.width) * w.inWidth + left + tap % w.width) * w.channels + c] += dy[from];
        }
      }
    });
  }

  void averagePool(std::int64_t n, const LayerWindow& w, const float* x, float* y) override {
    pool_.forEach(n, [&](std::int64_t i) {
      for (std::int64_t place = 0; place < w.places(); ++place) {
        float* mean = y + (i * w.places() + place) * w.channels;
        std::fill_n(mean, w.channels, 0.0F);
        std::int64_t count = 0;
        forEachLine(w, place, [&](const Line& line) {
          const float* from = x + i * w.inSize() + (line.inRow * w.inWidth + line.inColumn) * w.channels;
          for (std::int64_t column = 0; column < line.columns; ++column, from += w.channels)
            for (std::int64_t c = 0; c < w.channels; ++c) mean[c] += from[c];
          count += line.columns;
        });
        for (std::int64_t c = 0; c < w.channels; ++c) mean[c] /= static_cast<float>(count);
      }
    });
  }

  void averagePoolBackward(std::int64_t n, const LayerWindow& w, const float* dy, float* dx) override {
    pool_.forEach(n, [&](std::int64_t i) {
      std::fill_n(dx + i * w.inSize(), w.inSize(), 0.0F);
      for (std::int64_t place = 0; place < w.places(); ++place) {
        std::int64_t count = 0;
        forEachLine(w, place, [&](const Line& line) { count += line.columns; });
        const float* from = dy + (i * w.places() + place) * w.channels;
        forEachLine(w, place, [&](const Line& line) {
          float* to = dx + i * w.inSize() + (line.inRow * w.inWidth + line.inColumn) * w.channels;
          for (std::int64_t column = 0; column < line.columns; ++column, to += w.channels)
            for (std::int64_t c = 0; c < w.channels; ++c) to[c] += from[c] / static_cast<float>(count);
        });
      }
    });
  }

  void relu(std::int64_t size, const float* x, float* y) override {
    inPieces(size, kPieceFloats, [&](std::int64_t first, std::int64_t count) {
      for (std::int64_t i = first; i < first + count; ++i) y[i] = x[i] <= 0 ? 0 : x[i];
    });
  }

  void dropout(std::int64_t n, std::int64_t size, const DropoutMask& mask, const float* x, float* y) override {
    pool_.forEach(n, [&](std::int64_t i) {
      for (std::int64_t j = 0; j < size; ++j) y[i * size + j] = x[i * size + j] * mask.factor(i, j);
    });
  }

  void sums(std::int64_t rows, std::int64_t channels, const float* x, ChannelSums* sums) override {
    sumChannels(rows, channels, sums, [&](std::int64_t row, ChannelSums* to) {
      for (std::int64_t c = 0; c < channels; ++c) {
        const double value = static_cast<double>(x[row * channels + c]);
        to[c].first += value;
        to[c].second += value * value;
      }
    });
  }

  void gradientSums(std::int64_t rows, std::int64_t channels, const float* x, const float* dy, const double* mean,
                    ChannelSums* sums) override {
    sumChannels(rows, channels, sums, [&](std::int64_t row, ChannelSums* to) {
      for (std::int64_t c = 0; c < channels; ++c) {
        const double gradient = static_cast<double>(dy[row * channels + c]);
        to[c].first += gradient;
        to[c].second += gradient * (static_cast<double>(x[row * channels + c]) - mean[c]);
      }
    });
  }

  void scaleAndShift(std::int64_t rows, std::int64_t channels, const float* x, const float* factor, const float* term,
                     float* y) override {
    inPieces(rows, kRowsPerPiece, [&](std::int64_t first, std::int64_t count) {
      for (std::int64_t row = first; row < first + count; ++row)
        for (std::int64_t c = 0; c < channels; ++c) y[row * channels + c] = x[row * channels + c] * factor[c] + term[c];
    });
  }

  void combine(std::int64_t rows, std::int64_t channels, const float* dy, const float* a, const float* x,
               const float* b, const float* c, float* dx) override {
    inPieces(rows, kRowsPerPiece, [&](std::int64_t first, std::int64_t count) {
      for (std::int64_t row = first; row < first + count; ++row)
        for (std::int64_t i = 0; i < channels; ++i) {
          const std::int64_t at = row * channels + i;
          dx[at] = dy[at] * a[i] + x[at] * b[i] + c[i];
        }
    });
  }

 private:
  // Of examples [begin, end), overwritten.
  void sumKernelGradient(std::int64_t begin, std::int64_t end, const LayerWindow& w, std::int64_t filters,
                         const float* x, const float* dy, float* sum) {
    const std::int64_t most = together(w);
    AlignedBuffer<float> patches = scratch_.take(most * w.places() * w.taps());
    for (std::int64_t first = begin; first < end; first += most) {
      const std::int64_t count = std::min(most, end - first);
      for (std::int64_t i = 0; i < count; ++i)
        takePatches(w, x + (first + i) * w.inSize(), patches.data() + i * w.places() * w.taps());
      Product product;
      product.rows = w.taps();
      product.depth = count * w.places();
      product.columns = filters;
      product.a = patches.data();
      product.aRow = 1;
      product.aDepth = w.taps();
      product.b = dy + first * w.places() * filters;
      product.bRow = filters;
      product.c = sum;
      product.cRow = filters;
      product.accumulate = first > begin;
      kernels_.multiply(product);
    }
    scratch_.giveBack(std::move(patches));
  }

  // The other way round: each patch is added where it was taken.
  void addPatches(const LayerWindow& w, const float* patches, float* image) const {
    for (std::int64_t place = 0; place < w.places(); ++place, patches += w.taps())
      forEachLine(w, place, [&](const Line& line) {
        kernels_.add(line.columns * w.channels, patches + line.tap * w.channels,
                     image + (line.inRow * w.inWidth + line.inColumn) * w.channels);
      });
  }

  // addRow(row, sums) for every row, in pieces whose sums are then added in their order.
  template <typename AddRow>
  void sumChannels(std::int64_t rows, std::int64_t channels, ChannelSums* sums, const AddRow& addRow) {
    std::fill_n(sums, channels, ChannelSums{});
    const std::int64_t pieces = (rows + kRowsPerPiece - 1) / kRowsPerPiece;
    std::vector<ChannelSums> parts(static_cast<std::size_t>(pieces * channels));
    pool_.forEach(pieces, [&](std::int64_t piece) {
      ChannelSums* to = parts.data() + piece * channels;
      for (std::int64_t row = piece * kRowsPerPiece; row < std::min(rows, (piece + 1) * kRowsPerPiece); ++row)
        addRow(row, to);
    });
    for (std::int64_t i = 0; i < pieces * channels; ++i) {
      sums[i % channels].first += parts[static_cast<std::size_t>(i)].first;
      sums[i % channels].second += parts[static_cast<std::size_t>(i)].second;
    }
  }

  // task(first, count) for each run of `piece` (the last may be shorter) out of `size`.
  template <typename Task>
  void inPieces(std::int64_t size, std::int64_t piece, const Task& task) {
    pool_.forEach((size + piece - 1) / piece,
                  [&](std::int64_t i) { task(i * piece, std::min(piece, size - i * piece)); });
  }

  ThreadPool& pool_;
  const CpuKernels& kernels_;
  Scratch scratch_;
};

}  // namespace

std::unique_ptr<LayerBackend> makeCpuLayers(ThreadPool& pool, const CpuKernels& kernels) {
  return std::make_unique<CpuLayers>(pool, kernels);
}

}  // namespace lab
