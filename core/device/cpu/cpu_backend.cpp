// SPDX-License-Identifier: GPL-3.0-or-later
// The fast backend: divides each operation into pieces, by its sizes alone, and runs the kernels of one path on them.
// It keeps only scratch memory between calls, so replicas may share it and call it from several threads at once.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/base/aligned_buffer.h"
#include "core/base/ceil_divide.h"
#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/base/suggest.h"
#include "core/device/backend.h"
#include "core/device/cpu/kernels.h"
#include "core/device/cpu/paths.h"
#include "core/device/cpu/scratch.h"
#include "core/device/cross_entropy.h"
#include "core/device/layer_backend.h"
#include "core/device/messages.h"

namespace lab {
namespace {

constexpr std::int64_t kConvImages = 4;        // images of a piece of the convolution, 10 to 40 µs
constexpr std::int64_t kSumImages = 8;         // images whose gradients are summed together; affects the result's bits
constexpr std::int64_t kGradientRows = 48;     // rows of a weight gradient: three cache lines of a column of x
constexpr std::int64_t kElements = 16 * 1024;  // of flat memory, 64 KiB
constexpr std::int64_t kSoftmaxRows = 256;
constexpr std::int64_t kSumFloats = (kKernelSide * kKernelSide + 1) * kFilters;

// Returns the rows of a dense layer in one piece: enough that reading w again for each piece costs little, few enough
// that a small batch still divides among several threads. If the other threads are busy with replicas of their own,
// dividing gains nothing, and no cache holds this replica's w, so w is read as rarely as possible. Rows are
// independent, so the division does not change any bit.
std::int64_t denseRows(std::int64_t n, bool othersAreBusy) {
  if (othersAreBusy && n <= 128) return 32;
  return n <= 512 ? 12 : 48;
}

class CpuBackend final : public Backend {
 public:
  CpuBackend(ThreadPool& pool, const CpuKernels& kernels)
      : pool_(pool),
        kernels_(kernels),
        name_(std::string("cpu ") + kernels.path),
        layers_(makeCpuLayers(pool, kernels)) {}

  std::string_view name() const override { return name_; }
  LayerBackend* layers() override { return layers_.get(); }

  void convReluPool(std::int64_t n, const float* images, const float* kernel, const float* bias, float* pooled,
                    std::uint8_t* argmax) override {
    inPieces(n, kConvImages, [&](std::int64_t first, std::int64_t count) {
      kernels_.convReluPool(count, images + first * kImageSize, kernel, bias, pooled + first * kPooledSize,
                            argmax + first * kPooledSize);
    });
  }

  void convReluPoolBackward(std::int64_t n, const float* images, const std::uint8_t* argmax,
                            const float* dPooledForKernel, const float* dPooled, float* dKernel,
                            float* dBias) override {
    const std::int64_t size = ceilDivide(n, kSumImages) * kSumFloats;
    AlignedBuffer<float> sums = scratch_.take(size);
    inPieces(n, kSumImages, [&](std::int64_t first, std::int64_t count) {
      const std::int64_t cell = first * kPooledSize;
      kernels_.convReluPoolBackward(count, images + first * kImageSize, argmax + cell, dPooledForKernel + cell,
                                    dPooled + cell, sums.data() + first / kSumImages * kSumFloats);
    });
    float total[kSumFloats] = {};
    for (std::int64_t i = 0; i < size; i += kSumFloats) kernels_.add(kSumFloats, sums.data() + i, total);
    scratch_.giveBack(std::move(sums));
    std::memcpy(dKernel, total, sizeof(float) * (kSumFloats - kFilters));
    std::memcpy(dBias, total + kSumFloats - kFilters, sizeof(float) * kFilters);
  }

  void dense(std::int64_t n, std::int64_t in, std::int64_t out, const float* x, const float* w, const float* bias,
             bool relu, float* y) override {
    // Cuts into equal pieces: 64 rows give six pieces of 10 or 11 rows, not five and a small one.
    const std::int64_t count = ceilDivide(n, denseRows(n, pool_.inTask()));
    pool_.forEach(count, [&](std::int64_t i) {
      const std::int64_t first = n * i / count;
      Product product;
      product.rows = n * (i + 1) / count - first;
      product.depth = in;
      product.columns = out;
      product.a = x + first * in;
      product.aRow = in;
      product.aDepth = 1;
      product.b = w;
      product.bRow = out;
      product.c = y + first * out;
      product.cRow = out;
      product.bias = bias;
      product.relu = relu;
      kernels_.multiply(product);
    });
  }

  void denseWeightGradient(std::int64_t n, std::int64_t in, std::int64_t out, const float* x, const float* dy,
                           float* dw) override {
    inPieces(in, kGradientRows, [&](std::int64_t first, std::int64_t count) {
      kernels_.weightGradientRows(first, first + count, n, in, out, x, dy, dw);
    });
  }

  void denseBiasGradient(std::int64_t n, std::int64_t out, const float* dy, float* db) override {
    std::fill_n(db, out, 0.0F);
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < out; ++j) db[j] += dy[i * out + j];
    }
  }

  void denseInputGradient(std::int64_t n, std::int64_t in, std::int64_t out, const float* dy, const float* w,
                          float* dx) override {
    if (n == 0) return;
    inPieces(in, kGradientColumns, [&](std::int64_t first, std::int64_t count) {
      kernels_.inputGradientColumns(first, first + count, n, in, out, dy, w, dx);
    });
  }

  // The columns of x of a piece are in the cache when the same columns of dx are written.
  void denseGradients(std::int64_t n, std::int64_t in, std::int64_t out, const float* x, const float* dy,
                      const float* w, float* dw, float* dx) override {
    static_assert(kGradientRows <= kGradientColumns);
    inPieces(in, kGradientRows, [&](std::int64_t first, std::int64_t count) {
      kernels_.weightGradientRows(first, first + count, n, in, out, x, dy, dw);
      if (n > 0) kernels_.inputGradientColumns(first, first + count, n, in, out, dy, w, dx);
    });
  }

  void reluBackward(std::int64_t size, const float* y, float* dy) override {
    inPieces(size, kElements,
             [&](std::int64_t first, std::int64_t count) { kernels_.reluBackward(count, y + first, dy + first); });
  }

  void softmaxCrossEntropy(std::int64_t n, const float* logits, const std::uint8_t* labels, float scale, float* losses,
                           std::uint8_t* predictions, float* dLogits) override {
    inPieces(n, kSoftmaxRows, [&](std::int64_t first, std::int64_t count) {
      crossEntropy(count, kClasses, logits + first * kClasses, labels + first, scale, losses + first,
                   predictions + first, dLogits == nullptr ? nullptr : dLogits + first * kClasses);
    });
  }

  void adam(std::int64_t size, const AdamStep& step, const float* gradient, float* m, float* v,
            float* weights) override {
    inPieces(size, kElements, [&](std::int64_t first, std::int64_t count) {
      kernels_.adam(count, step.learningRate, 1 - step.beta1, 1 - step.beta2, step.epsilon, gradient + first, m + first,
                    v + first, weights + first);
    });
  }

  void sgd(std::int64_t size, float learningRate, float momentum, const float* gradient, float* velocity,
           float* weights) override {
    inPieces(size, kElements, [&](std::int64_t first, std::int64_t count) {
      kernels_.sgd(count, learningRate, momentum, gradient + first, velocity == nullptr ? nullptr : velocity + first,
                   weights + first);
    });
  }

  void roundToBfloat16(std::int64_t size, const float* in, float* out) override {
    inPieces(size, kElements,
             [&](std::int64_t first, std::int64_t count) { kernels_.roundToBfloat16(count, in + first, out + first); });
  }

  void add(std::int64_t size, const float* source, float* destination) override {
    inPieces(size, kElements,
             [&](std::int64_t first, std::int64_t count) { kernels_.add(count, source + first, destination + first); });
  }

  void copy(std::int64_t size, const float* source, float* destination) override {
    inPieces(size, kElements, [&](std::int64_t first, std::int64_t count) {
      std::memcpy(destination + first, source + first, static_cast<std::size_t>(count) * sizeof(float));
    });
  }

  bool identical(std::int64_t size, const float* a, const float* b) override {
    std::atomic<bool> same{true};
    inPieces(size, kElements, [&](std::int64_t first, std::int64_t count) {
      if (std::memcmp(a + first, b + first, static_cast<std::size_t>(count) * sizeof(float)) != 0) same = false;
    });
    return same;
  }

 private:
  // Calls task(first, count) for each run of `piece` elements (the last may be shorter) of `size`.
  template <typename Task>
  void inPieces(std::int64_t size, std::int64_t piece, const Task& task) {
    pool_.forEach(ceilDivide(size, piece), [&](std::int64_t i) { task(i * piece, std::min(piece, size - i * piece)); });
  }

  ThreadPool& pool_;
  const CpuKernels& kernels_;
  std::string name_;
  std::unique_ptr<LayerBackend> layers_;
  Scratch scratch_;
};

}  // namespace

std::vector<const CpuKernels*> availableCpuKernels() {
  std::vector<const CpuKernels*> result;
  const auto add = [&](const CpuKernels* kernels) {
    if (kernels != nullptr) result.push_back(kernels);
  };
  // Ask the processor first: even the function that names a path's kernels is compiled for this path.
  if (processorHasAvx512()) add(avx512Kernels());
  if (processorHasAvx2()) add(avx2Kernels());
  result.push_back(baselineKernels());
  return result;
}

std::vector<std::string> cpuIsas() {
  std::vector<std::string> result;
  for (const CpuKernels* kernels : availableCpuKernels()) result.emplace_back(kernels->path);
  return result;
}

std::unique_ptr<Backend> makeCpuBackend(ThreadPool& pool, std::string_view path) {
  for (const CpuKernels* kernels : availableCpuKernels()) {
    if (path == kernels->path) return std::make_unique<CpuBackend>(pool, *kernels);
  }
  throw UserError(unknownName(say::processorPath, path, cpuIsas()));
}

std::unique_ptr<Backend> makeCpuBackend(ThreadPool& pool) {
  const char* forced = std::getenv("STRATEGYLAB_CPU_PATH");
  if (forced != nullptr && *forced != '\0') return makeCpuBackend(pool, forced);
  return std::make_unique<CpuBackend>(pool, *availableCpuKernels().front());
}

}  // namespace lab
