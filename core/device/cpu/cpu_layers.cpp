// SPDX-License-Identifier: GPL-3.0-or-later
// Layers of any size on the processor: convolutions (cpu_convolution.h), pooling and elementwise operations. Work is
// divided over examples, by sizes alone; sums over examples are computed within pieces and then over the pieces, so
// bits never depend on threads.
#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "core/base/ceil_divide.h"
#include "core/device/cpu/cpu_convolution.h"
#include "core/device/cpu/cpu_depthwise.h"
#include "core/device/cpu/cpu_layer_norm.h"
#include "core/device/cpu/kernels.h"
#include "core/device/cross_entropy.h"
#include "core/device/layer_backend.h"

namespace lab {
namespace {

constexpr std::int64_t kPieceFloats = 32768;      // of elementwise operations
constexpr std::int64_t kActivationFloats = 2048;  // of exponentials and similar functions
constexpr std::int64_t kMaskFloats = 1024;        // of a dropout mask, computed together
constexpr std::int64_t kRowsPerPiece = 2048;      // when summing channels

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

class CpuLayers final : public LayerBackend {
 public:
  CpuLayers(ThreadPool& pool, const CpuKernels& kernels)
      : pool_(pool), kernels_(kernels), convolution_(pool, kernels), depthwise_(pool), layerNorm_(pool) {}

  void conv2d(std::int64_t n, const LayerWindow& w, std::int64_t filters, const float* x, const float* kernel,
              const float* bias, bool relu, float* y) override {
    convolution_.forward(n, w, filters, x, kernel, bias, relu, y, nullptr);
  }
  void conv2dKernelGradient(std::int64_t n, const LayerWindow& w, std::int64_t filters, const float* x, const float* dy,
                            float* dKernel) override {
    convolution_.kernelGradient(n, w, filters, x, {dy, nullptr}, dKernel);
  }
  void conv2dInputGradient(std::int64_t n, const LayerWindow& w, std::int64_t filters, const float* dy,
                           const float* kernel, float* dx) override {
    convolution_.inputGradient(n, w, filters, {dy, nullptr}, kernel, dx);
  }
  void biasGradient(std::int64_t rows, std::int64_t channels, const float* dy, float* db) override {
    convolution_.biasGradient(rows, channels, {dy, nullptr}, db);
  }

  bool fusesPooling(const LayerWindow&, std::int64_t filters) const override { return filters % kPooledFilters == 0; }
  void conv2dPool(std::int64_t n, const LayerWindow& w, std::int64_t filters, const float* x, const float* kernel,
                  const float* bias, bool relu, float* pooled, std::uint8_t* winners) override {
    convolution_.forward(n, w, filters, x, kernel, bias, relu, pooled, winners);
  }
  void conv2dPoolBackward(std::int64_t n, const LayerWindow& w, std::int64_t filters, const float* x,
                          const float* kernel, const std::uint8_t* winners, const float* dPooledForProducts,
                          const float* dPooled, float* dKernel, float* dBias, float* dx) override {
    if (dKernel != nullptr) convolution_.kernelGradient(n, w, filters, x, {dPooledForProducts, winners}, dKernel);
    if (dBias != nullptr)
      convolution_.biasGradient(n * (w.outHeight / 2) * (w.outWidth / 2), filters, {dPooled, winners}, dBias);
    if (dx != nullptr) convolution_.inputGradient(n, w, filters, {dPooledForProducts, winners}, kernel, dx);
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

  void depthwise(std::int64_t n, const LayerWindow& w, std::int64_t multiplier, const float* x, const float* kernel,
                 const float* bias, bool relu, float* y) override {
    depthwise_.forward(n, w, multiplier, x, kernel, bias, relu, y);
  }
  void depthwiseKernelGradient(std::int64_t n, const LayerWindow& w, std::int64_t multiplier, const float* x,
                               const float* dy, float* dKernel) override {
    depthwise_.kernelGradient(n, w, multiplier, x, dy, dKernel);
  }
  void depthwiseInputGradient(std::int64_t n, const LayerWindow& w, std::int64_t multiplier, const float* dy,
                              const float* kernel, float* dx) override {
    depthwise_.inputGradient(n, w, multiplier, dy, kernel, dx);
  }

  void clear(std::int64_t size, float* y) override { std::fill_n(y, size, 0.0F); }
  void add(std::int64_t size, const float* a, const float* b, float* y) override {
    inPieces(size, kPieceFloats, [&](std::int64_t first, std::int64_t count) {
      for (std::int64_t i = first; i < first + count; ++i) y[i] = a[i] + b[i];
    });
  }
  void placeBlocks(const LayerBlocks& blocks, const float* dense, float* larger) override {
    forEachBlock(blocks, [&](std::int64_t at, std::int64_t in) { std::copy_n(dense + at, blocks.count, larger + in); });
  }
  void takeBlocks(const LayerBlocks& blocks, const float* larger, float* dense) override {
    forEachBlock(blocks, [&](std::int64_t at, std::int64_t in) { std::copy_n(larger + in, blocks.count, dense + at); });
  }
  void activation(std::int64_t size, ActivationFunction function, double slope, const float* x, float* y) override {
    inPieces(size, kActivationFloats, [&](std::int64_t first, std::int64_t count) {
      for (std::int64_t i = first; i < first + count; ++i)
        y[i] = static_cast<float>(activationAt(function, slope, static_cast<double>(x[i])).value);
    });
  }
  void activationGradient(std::int64_t size, ActivationFunction function, double slope, const float* x, const float* dy,
                          float* dx) override {
    inPieces(size, kActivationFloats, [&](std::int64_t first, std::int64_t count) {
      for (std::int64_t i = first; i < first + count; ++i)
        dx[i] = static_cast<float>(static_cast<double>(dy[i]) *
                                   activationAt(function, slope, static_cast<double>(x[i])).derivative);
    });
  }

  void layerNorm(std::int64_t rows, std::int64_t channels, double epsilon, const float* x, const float* gamma,
                 const float* beta, float* y) override {
    layerNorm_.forward(rows, channels, epsilon, x, gamma, beta, y);
  }
  void layerNormBackward(std::int64_t rows, std::int64_t channels, double epsilon, const float* x, const float* gamma,
                         const float* dy, float* dx, float* dGamma, float* dBeta) override {
    layerNorm_.backward(rows, channels, epsilon, x, gamma, dy, dx, dGamma, dBeta);
  }

  void dropout(std::int64_t n, std::int64_t size, const DropoutMask& mask, const float* x, float* y) override {
    pool_.forEach(n, [&](std::int64_t i) {
      float factors[kMaskFloats];
      for (std::int64_t first = 0; first < size; first += kMaskFloats) {
        const std::int64_t count = std::min(kMaskFloats, size - first), at = i * size + first;
        mask.factors(i, first, std::span(factors, static_cast<std::size_t>(count)));
        for (std::int64_t j = 0; j < count; ++j) y[at + j] = x[at + j] * factors[j];
      }
    });
  }

  void crossEntropy(std::int64_t n, std::int64_t classes, const float* logits, const std::uint8_t* labels, float scale,
                    float* losses, std::uint8_t* predictions, float* dLogits) override {
    lab::crossEntropy(n, classes, logits, labels, scale, losses, predictions, dLogits);
  }

  void sums(std::int64_t rows, std::int64_t channels, const float* x, ChannelSums* sums) override {
    sumChannels(rows, channels, sums, [&](std::int64_t first, std::int64_t count, double* a, double* b) {
      kernels_.addMoments(count, channels, x + first * channels, a, b);
    });
  }

  void gradientSums(std::int64_t rows, std::int64_t channels, const float* x, const float* dy, const double* mean,
                    ChannelSums* sums) override {
    sumChannels(rows, channels, sums, [&](std::int64_t first, std::int64_t count, double* a, double* b) {
      kernels_.addGradientMoments(count, channels, x + first * channels, dy + first * channels, mean, a, b);
    });
  }

  void scaleAndShift(std::int64_t rows, std::int64_t channels, const float* x, const float* factor, const float* term,
                     float* y) override {
    inPieces(rows, rowsOfPiece(channels), [&](std::int64_t first, std::int64_t count) {
      kernels_.scaleAndShift(count, channels, x + first * channels, factor, term, y + first * channels);
    });
  }

  void combine(std::int64_t rows, std::int64_t channels, const float* dy, const float* a, const float* x,
               const float* b, const float* c, float* dx) override {
    inPieces(rows, rowsOfPiece(channels), [&](std::int64_t first, std::int64_t count) {
      const std::int64_t at = first * channels;
      kernels_.combine(count, channels, dy + at, a, x + at, b, c, dx + at);
    });
  }

 private:
  static std::int64_t rowsOfPiece(std::int64_t channels) {
    return std::max<std::int64_t>(1, kPieceFloats / std::max<std::int64_t>(1, channels));
  }

  // Calls body(where a row begins in the dense array, where in the larger one).
  template <typename Body>
  void forEachBlock(const LayerBlocks& blocks, const Body& body) {
    inPieces(blocks.images * blocks.rows, rowsOfPiece(blocks.count), [&](std::int64_t first, std::int64_t count) {
      for (std::int64_t i = first; i < first + count; ++i)
        body(i * blocks.count, blocks.first + i / blocks.rows * blocks.image + i % blocks.rows * blocks.row);
    });
  }

  // Calls addRows(first row, rows, first sums, second sums) for pieces, whose sums are then added in order.
  template <typename AddRows>
  void sumChannels(std::int64_t rows, std::int64_t channels, ChannelSums* sums, const AddRows& addRows) {
    std::fill_n(sums, channels, ChannelSums{});
    const std::int64_t pieces = ceilDivide(rows, kRowsPerPiece);
    std::vector<double> parts(static_cast<std::size_t>(2 * pieces * channels));
    pool_.forEach(pieces, [&](std::int64_t piece) {
      double* const to = parts.data() + 2 * piece * channels;
      const std::int64_t first = piece * kRowsPerPiece;
      addRows(first, std::min(kRowsPerPiece, rows - first), to, to + channels);
    });
    for (std::int64_t piece = 0; piece < pieces; ++piece)
      for (std::int64_t c = 0; c < channels; ++c) {
        const double* const part = parts.data() + 2 * piece * channels;
        sums[c].first += part[c];
        sums[c].second += part[channels + c];
      }
  }

  // Calls task(first, count) for each run of `piece` elements (the last may be shorter) of `size`.
  template <typename Task>
  void inPieces(std::int64_t size, std::int64_t piece, const Task& task) {
    pool_.forEach(ceilDivide(size, piece), [&](std::int64_t i) { task(i * piece, std::min(piece, size - i * piece)); });
  }

  ThreadPool& pool_;
  const CpuKernels& kernels_;
  CpuConvolution convolution_;
  CpuDepthwise depthwise_;
  CpuLayerNorm layerNorm_;
};

}  // namespace

std::unique_ptr<LayerBackend> makeCpuLayers(ThreadPool& pool, const CpuKernels& kernels) {
  return std::make_unique<CpuLayers>(pool, kernels);
}

}  // namespace lab
