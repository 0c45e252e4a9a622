// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/device/cpu/cpu_convolution.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/at.h"
#include "core/base/ceil_divide.h"

namespace lab {
namespace {

constexpr std::int64_t kPieceFlop = 4'000'000;   // per group of examples convolved together: some 20 µs
constexpr std::int64_t kSumPieces = 16;          // pieces in which a kernel's gradient is summed; affects the bits
constexpr std::int64_t kSumFloatsAtOnce = 4096;  // of all pieces
constexpr std::int64_t kBiasRows = 2048;         // rows of a bias gradient that are summed together

// The size of an image with all the padding that its windows reach.
struct Frame {
  std::int64_t height = 0, width = 0, channels = 0;
  bool padded = false;
  std::int64_t rowSize() const { return width * channels; }
  std::int64_t size() const { return height * rowSize(); }
};

Frame frameOf(const LayerWindow& w) {
  Frame frame;
  frame.height = std::max(w.padTop + w.inHeight, (w.outHeight - 1) * w.strideY + w.height);
  frame.width = std::max(w.padLeft + w.inWidth, (w.outWidth - 1) * w.strideX + w.width);
  frame.channels = w.channels;
  frame.padded = frame.height != w.inHeight || frame.width != w.inWidth;
  return frame;
}

Convolution convolutionOf(const LayerWindow& w, std::int64_t filters) {
  const Frame frame = frameOf(w);
  Convolution of;
  of.imageSize = frame.size();
  of.rowSize = frame.rowSize();
  of.stepY = w.strideY * of.rowSize;
  of.stepX = w.strideX * w.channels;
  of.height = w.height;
  of.width = w.width * w.channels;
  of.outHeight = w.outHeight;
  of.outWidth = w.outWidth;
  of.filters = filters;
  return of;
}

// Calls body(floats of a row, where it is in the image, where in the frame).
template <typename Body>
void forEachRow(const LayerWindow& w, const Frame& frame, std::int64_t n, const Body& body) {
  const std::int64_t row = w.inWidth * w.channels;
  if (!frame.padded) return body(n * w.inSize(), std::int64_t{0}, std::int64_t{0});
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t y = 0; y < w.inHeight; ++y)
      body(row, (i * w.inHeight + y) * row,
           i * frame.size() + (w.padTop + y) * frame.rowSize() + w.padLeft * w.channels);
}

void takeImages(const LayerWindow& w, const Frame& frame, std::int64_t n, const float* images, float* framed) {
  if (frame.padded) std::fill_n(framed, n * frame.size(), 0.0F);
  forEachRow(w, frame, n, [&](std::int64_t floats, std::int64_t image, std::int64_t to) {
    std::memcpy(framed + to, images + image, static_cast<std::size_t>(floats) * sizeof(float));
  });
}

void giveImages(const LayerWindow& w, const Frame& frame, std::int64_t n, const float* framed, float* images) {
  forEachRow(w, frame, n, [&](std::int64_t floats, std::int64_t image, std::int64_t from) {
    std::memcpy(images + image, framed + from, static_cast<std::size_t>(floats) * sizeof(float));
  });
}

// Returns whether whole vectors along a window's row reach beyond it, and so beyond the last image.
bool reachesBehind(const Convolution& of) {
  return of.width % kWindowSlack != 0;
}

std::int64_t valuesOf(const Convolution& of, const OutputGradient& dy) {
  const std::int64_t side = dy.winners != nullptr ? 2 : 1;
  return (of.outHeight / side) * (of.outWidth / side) * of.filters;
}

OutputGradient from(const OutputGradient& dy, std::int64_t values) {
  return {dy.values + values, dy.winners != nullptr ? dy.winners + values : nullptr};
}

// Uninitialised memory for a selection.
struct Selection {
  explicit Selection(const Convolution& of)
      : at(new std::int32_t[size(SelectionRoom::room(of) + kWindowSlack)]),
        values(new float[size(std::max(SelectionRoom::room(of), 4 * of.rowSize) + kWindowSlack)]),
        begins(new std::int32_t[size(4 * of.outHeight * of.outWidth + 1)]) {}
  SelectionRoom room() const { return {at.get(), values.get(), begins.get()}; }

 private:
  static std::size_t size(std::int64_t count) { return static_cast<std::size_t>(count); }
  std::unique_ptr<std::int32_t[]> at;
  std::unique_ptr<float[]> values;
  std::unique_ptr<std::int32_t[]> begins;
};

// If the stride is 1, the input's gradient is itself a convolution: of dy, with the padding that its windows reach, by
// the kernel turned by half a turn, with channels and filters exchanged (Dumoulin and Visin 2016, "A guide to
// convolution arithmetic for deep learning", 4.2).
LayerWindow reversedWindow(const LayerWindow& w, std::int64_t filters) {
  return {.inHeight = w.outHeight,
          .inWidth = w.outWidth,
          .channels = filters,
          .height = w.height,
          .width = w.width,
          .padTop = w.height - 1 - w.padTop,
          .padLeft = w.width - 1 - w.padLeft,
          .outHeight = w.inHeight,
          .outWidth = w.inWidth};
}

void reverseTap(const LayerWindow& w, std::int64_t filters, std::int64_t tap, const float* kernel, float* reversed) {
  const float* const from = kernel + (w.height * w.width - 1 - tap) * w.channels * filters;
  float* const to = reversed + tap * filters * w.channels;
  for (std::int64_t f = 0; f < filters; ++f)
    for (std::int64_t c = 0; c < w.channels; ++c) to[f * w.channels + c] = from[c * filters + f];
}

// Returns whether lists of nonzero values would be slower. Decided for each example, so that no row's bits depend on
// others.
bool isDense(std::int64_t size, const float* dy) {
  constexpr std::int64_t kZerosPerList = 4;  // lists win if a quarter is zero
  return kZerosPerList * std::count(dy, dy + size, 0.0F) < size;
}

}  // namespace

void CpuConvolution::forward(std::int64_t n, const LayerWindow& w, std::int64_t filters, const float* x,
                             const float* kernel, const float* bias, bool relu, float* y, std::uint8_t* winners) {
  const Convolution whole = convolutionOf(w, filters);
  const Frame frame = frameOf(w);
  const std::int64_t out = winners == nullptr ? w.places() * filters : (w.outHeight / 2) * (w.outWidth / 2) * filters;
  const std::int64_t flop = std::max<std::int64_t>(1, 2 * w.places() * w.taps() * filters);
  inPieces(n, std::clamp<std::int64_t>(kPieceFlop / flop, 1, 8), [&](std::int64_t first, std::int64_t count) {
    Convolution of = whole;
    of.n = count;
    of.images = x + first * w.inSize();
    AlignedBuffer<float> framed;
    if (frame.padded) {
      framed = scratch_.take(count * frame.size());
      takeImages(w, frame, count, of.images, framed.data());
      of.images = framed.data();
    }
    if (winners == nullptr)
      kernels_.convolve(of, kernel, bias, relu, y + first * out);
    else
      kernels_.convolvePool(of, kernel, bias, relu, y + first * out, winners + first * out);
    if (frame.padded) scratch_.giveBack(std::move(framed));
  });
}

void CpuConvolution::kernelGradient(std::int64_t n, const LayerWindow& w, std::int64_t filters, const float* x,
                                    const OutputGradient& dy, float* dKernel) {
  const Convolution of = convolutionOf(w, filters);
  const bool pooled = dy.winners != nullptr;
  const std::int64_t size = kernels_.kernelSumsSize(of, pooled), count = std::min(n, kSumPieces);
  if (count == 0) {
    std::fill_n(dKernel, w.taps() * filters, 0.0F);
    return;
  }
  AlignedBuffer<float> sums = scratch_.take(count * size);
  pool_.forEach(count, [&](std::int64_t piece) {
    const std::int64_t first = n * piece / count;
    Convolution part = of;
    part.n = n * (piece + 1) / count - first;
    addKernelGradient(part, w, x + first * w.inSize(), from(dy, first * valuesOf(of, dy)), sums.data() + piece * size);
  });
  inPieces(size, kSumFloatsAtOnce, [&](std::int64_t first, std::int64_t floats) {
    for (std::int64_t piece = 1; piece < count; ++piece)
      kernels_.add(floats, sums.data() + piece * size + first, sums.data() + first);
  });
  pool_.forEach(w.height, [&](std::int64_t row) { kernels_.kernelFromSums(of, pooled, row, sums.data(), dKernel); });
  scratch_.giveBack(std::move(sums));
}

// Computes the kernel's gradient over the examples of `of`; overwrites.
void CpuConvolution::addKernelGradient(Convolution of, const LayerWindow& w, const float* x, const OutputGradient& dy,
                                       float* sums) {
  const Frame frame = frameOf(w);
  std::fill_n(sums, kernels_.kernelSumsSize(of, dy.winners != nullptr), 0.0F);
  of.images = x;
  AlignedBuffer<float> framed;
  if (const bool copies = frame.padded || reachesBehind(of); copies) {
    framed = scratch_.take(of.n * frame.size() + kWindowSlack);
    takeImages(w, frame, of.n, x, framed.data());
    of.images = framed.data();
  }
  const Selection selection(of);
  kernels_.addKernelGradient(of, dy, selection.room(), sums);
  if (!framed.empty()) scratch_.giveBack(std::move(framed));
}

void CpuConvolution::inputGradient(std::int64_t n, const LayerWindow& w, std::int64_t filters, const OutputGradient& dy,
                                   const float* kernel, float* dx) {
  const Convolution of = convolutionOf(w, filters);
  const std::int64_t values = valuesOf(of, dy);
  std::vector<char> dense(static_cast<std::size_t>(n));
  if (dy.winners == nullptr && w.strideY == 1 && w.strideX == 1)
    pool_.forEach(n, [&](std::int64_t i) { at(dense, i) = isDense(values, dy.values + i * values) ? 1 : 0; });
  // The kernel in the forms that the two methods read, made only if an example uses the method.
  AlignedBuffer<float> turned, reversed;
  if (std::ranges::find(dense, 0) != dense.end()) {
    turned = scratch_.take(kernels_.turnedSize(of));
    pool_.forEach(w.height, [&](std::int64_t row) { kernels_.turnKernel(of, row, kernel, turned.data()); });
  }
  if (std::ranges::find(dense, 1) != dense.end()) {
    reversed = scratch_.take(w.taps() * filters);
    pool_.forEach(w.height * w.width, [&](std::int64_t tap) { reverseTap(w, filters, tap, kernel, reversed.data()); });
  }
  const std::int64_t flop = std::max<std::int64_t>(1, 2 * w.places() * w.taps() * filters);
  inPieces(n, std::clamp<std::int64_t>(kPieceFlop / flop, 1, 8), [&](std::int64_t first, std::int64_t count) {
    // consecutive examples that use the same method
    for (auto run = dense.begin() + first, last = run + count; run != last;) {
      const std::int64_t at = run - dense.begin();
      const bool isRunDense = *run != 0;
      run = std::find(run, last, isRunDense ? 0 : 1);
      Convolution part = of;
      part.n = run - dense.begin() - at;
      if (isRunDense)
        denseInputGradient(w, filters, part.n, dy.values + at * values, reversed.data(), dx + at * w.inSize());
      else
        addInputGradient(part, w, from(dy, at * values), turned.data(), dx + at * w.inSize());
    }
  });
  if (!turned.empty()) scratch_.giveBack(std::move(turned));
  if (!reversed.empty()) scratch_.giveBack(std::move(reversed));
}

void CpuConvolution::denseInputGradient(const LayerWindow& w, std::int64_t filters, std::int64_t n, const float* dy,
                                        const float* reversed, float* dx) {
  const LayerWindow back = reversedWindow(w, filters);
  const Frame frame = frameOf(back);
  Convolution of = convolutionOf(back, w.channels);
  of.n = n;
  of.images = dy;
  AlignedBuffer<float> framed;
  if (frame.padded) {
    framed = scratch_.take(n * frame.size());
    takeImages(back, frame, n, dy, framed.data());
    of.images = framed.data();
  }
  kernels_.convolve(of, reversed, nullptr, false, dx);
  if (frame.padded) scratch_.giveBack(std::move(framed));
}

// Computes the gradient of the examples of `of`; overwrites.
void CpuConvolution::addInputGradient(Convolution of, const LayerWindow& w, const OutputGradient& dy,
                                      const float* turned, float* dx) {
  const Frame frame = frameOf(w);
  const Selection selection(of);
  if (!frame.padded && !reachesBehind(of)) {
    std::fill_n(dx, of.n * w.inSize(), 0.0F);
    kernels_.addInputGradient(of, dy, turned, selection.room(), dx);
    return;
  }
  AlignedBuffer<float> framed = scratch_.take(of.n * frame.size() + kWindowSlack);
  std::fill_n(framed.data(), of.n * frame.size() + kWindowSlack, 0.0F);
  kernels_.addInputGradient(of, dy, turned, selection.room(), framed.data());
  giveImages(w, frame, of.n, framed.data(), dx);
  scratch_.giveBack(std::move(framed));
}

void CpuConvolution::biasGradient(std::int64_t rows, std::int64_t channels, const OutputGradient& dy, float* db) {
  const std::int64_t pieces = ceilDivide(rows, kBiasRows);
  std::vector<double> sums(static_cast<std::size_t>(pieces * channels));
  pool_.forEach(pieces, [&](std::int64_t piece) {
    const std::int64_t first = piece * kBiasRows;
    const OutputGradient part = from(dy, first * channels);
    kernels_.addColumnSums(std::min(kBiasRows, rows - first), channels, part.values, part.winners,
                           sums.data() + piece * channels);
  });
  for (std::int64_t c = 0; c < channels; ++c) {
    double sum = 0;
    for (std::int64_t piece = 0; piece < pieces; ++piece) sum += at(sums, piece * channels + c);
    db[c] = static_cast<float>(sum);
  }
}

}  // namespace lab
