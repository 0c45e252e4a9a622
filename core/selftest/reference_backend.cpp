// SPDX-License-Identifier: GPL-3.0-or-later
// The reference: every operation as its definition reads, on the calling thread, written with Eigen. Do not make it
// faster; cpu_backend.cpp is the fast one.
#include <bit>
#include <cmath>

#include <Eigen/Core>

#include "core/base/error.h"
#include "core/selftest/reference.h"

namespace lab {
namespace {

constexpr std::int64_t kTaps = kKernelSide * kKernelSide;
constexpr std::int64_t kMapSide = kImageSide - kKernelSide + 1;

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Patches = Eigen::Matrix<float, kMapSide * kMapSide, kTaps, Eigen::RowMajor>;
using FeatureMap = Eigen::Matrix<float, kMapSide * kMapSide, kFilters, Eigen::RowMajor>;

// Matrix products use lazyProduct, which sums each element separately. Eigen's blocked product would make a row's bits
// depend on its place in the batch, which backends must not do.
auto matrix(const float* data, std::int64_t rows, std::int64_t columns) {
  return Eigen::Map<const Matrix>(data, rows, columns);
}
auto matrix(float* data, std::int64_t rows, std::int64_t columns) {
  return Eigen::Map<Matrix>(data, rows, columns);
}
auto array(const float* data, std::int64_t size) {
  return Eigen::Map<const Eigen::ArrayXf>(data, size);
}
auto array(float* data, std::int64_t size) {
  return Eigen::Map<Eigen::ArrayXf>(data, size);
}

float nearestBfloat16(float value) {
  std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return std::bit_cast<float>((bits | 0x00400000U) & 0xffff0000U);  // stays a quiet NaN
  const std::uint32_t half = 0x7fffU + ((bits >> 16) & 1U);  // ties go to the even neighbour
  bits = (bits + half) & 0xffff0000U;
  return std::bit_cast<float>(bits);
}

// Returns the kernel's inputs in an image for each place of the map: (26·26, 9).
Patches patches(const float* images, std::int64_t image) {
  Patches result;
  for (std::int64_t row = 0; row < result.rows(); ++row) {
    const float* corner = images + image * kImageSize + row / kMapSide * kImageSide + row % kMapSide;
    for (std::int64_t tap = 0; tap < kTaps; ++tap) {
      result(row, tap) = corner[tap / kKernelSide * kImageSide + tap % kKernelSide];
    }
  }
  return result;
}
// Returns the map's element at `place` in the 2×2 window of a pooled cell.
template <typename Map>
auto& inMap(Map& map, std::int64_t cell, std::uint8_t place) {
  const std::int64_t filter = cell % kFilters, window = cell / kFilters;
  const std::int64_t y = 2 * (window / kPooledSide) + place / 2, x = 2 * (window % kPooledSide) + place % 2;
  return map(y * kMapSide + x, filter);
}
// Returns the gradient by the map from that by the pooled map: at each window's winner, and 0 elsewhere.
FeatureMap unpooled(std::int64_t image, const std::uint8_t* argmax, const float* dPooled) {
  FeatureMap result = FeatureMap::Zero();
  for (std::int64_t cell = 0; cell < kPooledSize; ++cell) {
    const std::int64_t i = image * kPooledSize + cell;
    if (argmax[i] != kNoGradient) inMap(result, cell, argmax[i]) = dPooled[i];
  }
  return result;
}

// An empty batch is never passed to Eigen, which could not form rows and columns of it.
class ReferenceBackend final : public Backend {
 public:
  std::string_view name() const override { return "reference"; }
  LayerBackend* layers() override { return layers_.get(); }

  void convReluPool(std::int64_t n, const float* images, const float* kernel, const float* bias, float* pooled,
                    std::uint8_t* argmax) override {
    for (std::int64_t image = 0; image < n; ++image) {
      FeatureMap map = patches(images, image).lazyProduct(matrix(kernel, kTaps, kFilters));
      map.rowwise() += matrix(bias, 1, kFilters).row(0);
      for (std::int64_t cell = 0; cell < kPooledSize; ++cell) {
        std::uint8_t winner = 0;
        for (std::uint8_t place = 1; place < 4; ++place) {
          if (inMap(map, cell, place) > inMap(map, cell, winner)) winner = place;
        }
        const float best = inMap(map, cell, winner);
        const bool cut = best <= 0;  // a NaN is kept, so that divergence of a network is visible
        pooled[image * kPooledSize + cell] = cut ? 0 : best;
        argmax[image * kPooledSize + cell] = cut ? kNoGradient : winner;
      }
    }
  }

  void convReluPoolBackward(std::int64_t n, const float* images, const std::uint8_t* argmax,
                            const float* dPooledForKernel, const float* dPooled, float* dKernel,
                            float* dBias) override {
    auto kernelGradient = matrix(dKernel, kTaps, kFilters);
    kernelGradient.setZero();
    for (std::int64_t image = 0; image < n; ++image) {
      const FeatureMap dMap = unpooled(image, argmax, dPooledForKernel);
      kernelGradient += patches(images, image).transpose().lazyProduct(dMap);
    }
    auto biasGradient = matrix(dBias, 1, kFilters);
    biasGradient.setZero();
    for (std::int64_t image = 0; image < n; ++image) {
      const FeatureMap dMap = unpooled(image, argmax, dPooled);
      for (Eigen::Index place = 0; place < dMap.rows(); ++place) biasGradient += dMap.row(place);
    }
  }

  void dense(std::int64_t n, std::int64_t in, std::int64_t out, const float* x, const float* w, const float* bias,
             bool relu, float* y) override {
    if (n == 0) return;
    auto result = matrix(y, n, out);
    result = matrix(x, n, in).lazyProduct(matrix(w, in, out));
    if (bias != nullptr) result.rowwise() += matrix(bias, 1, out).row(0);
    if (relu) result = (result.array() <= 0).select(0, result);  // keeps NaN
  }

  void denseWeightGradient(std::int64_t n, std::int64_t in, std::int64_t out, const float* x, const float* dy,
                           float* dw) override {
    auto gradient = matrix(dw, in, out);
    gradient.setZero();
    if (n > 0) gradient = matrix(x, n, in).transpose().lazyProduct(matrix(dy, n, out));
  }

  void denseBiasGradient(std::int64_t n, std::int64_t out, const float* dy, float* db) override {
    auto gradient = matrix(db, 1, out);
    gradient.setZero();
    if (n > 0) gradient = matrix(dy, n, out).colwise().sum();
  }

  void denseInputGradient(std::int64_t n, std::int64_t in, std::int64_t out, const float* dy, const float* w,
                          float* dx) override {
    if (n == 0) return;
    matrix(dx, n, in) = matrix(dy, n, out).lazyProduct(matrix(w, in, out).transpose());
  }

  void reluBackward(std::int64_t size, const float* y, float* dy) override {
    array(dy, size) = (array(y, size) <= 0).select(0, array(dy, size));
  }

  void softmaxCrossEntropy(std::int64_t n, const float* logits, const std::uint8_t* labels, float scale, float* losses,
                           std::uint8_t* predictions, float* dLogits) override {
    for (std::int64_t i = 0; i < n; ++i) {
      LAB_CHECK(labels[i] < kClasses);
      const Eigen::Map<const Eigen::Array<float, kClasses, 1>> row(logits + i * kClasses);
      std::uint8_t best = 0;
      for (std::uint8_t c = 1; c < kClasses; ++c) {
        if (row[c] > row[best]) best = c;
      }
      const Eigen::Array<float, kClasses, 1> powers = (row - row[best]).exp();
      losses[i] = std::log(powers.sum()) - (row[labels[i]] - row[best]);
      predictions[i] = best;
      if (dLogits == nullptr) continue;
      auto gradient = array(dLogits + i * kClasses, kClasses);
      gradient = powers / powers.sum();
      gradient[labels[i]] -= 1;
      gradient *= scale;
    }
  }

  void adam(std::int64_t size, const AdamStep& step, const float* gradient, float* m, float* v,
            float* weights) override {
    const auto g = array(gradient, size);
    auto mean = array(m, size), square = array(v, size);
    mean += (g - mean) * (1 - step.beta1);
    square += (g.square() - square) * (1 - step.beta2);
    array(weights, size) -= step.learningRate * mean / (square.sqrt() + step.epsilon);
  }

  void sgd(std::int64_t size, float learningRate, float momentum, const float* gradient, float* velocity,
           float* weights) override {
    const auto g = array(gradient, size);
    if (velocity == nullptr) {
      array(weights, size) -= learningRate * g;
      return;
    }
    array(velocity, size) = momentum * array(velocity, size) - learningRate * g;
    array(weights, size) += array(velocity, size);
  }

  void roundToBfloat16(std::int64_t size, const float* in, float* out) override {
    for (std::int64_t i = 0; i < size; ++i) out[i] = nearestBfloat16(in[i]);
  }

  void add(std::int64_t size, const float* source, float* destination) override {
    array(destination, size) += array(source, size);
  }

  void copy(std::int64_t size, const float* source, float* destination) override {
    array(destination, size) = array(source, size);
  }

  bool identical(std::int64_t size, const float* a, const float* b) override {
    for (std::int64_t i = 0; i < size; ++i) {
      if (std::bit_cast<std::uint32_t>(a[i]) != std::bit_cast<std::uint32_t>(b[i])) return false;
    }
    return true;
  }

 private:
  std::unique_ptr<LayerBackend> layers_ = makeReferenceLayers();
};

}  // namespace

std::unique_ptr<Backend> makeReferenceBackend() {
  return std::make_unique<ReferenceBackend>();
}

}  // namespace lab
