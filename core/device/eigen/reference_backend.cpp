// SPDX-License-Identifier: GPL-3.0-or-later
// The judge: every operation as its definition reads, one loop per index, on the calling thread. Do not make it
// faster; cpu_backend.cpp is the fast one.
#include <bit>
#include <cmath>
#include <cstring>

#include "core/base/error.h"
#include "core/device/backend.h"

namespace lab {
namespace {

constexpr std::int64_t kTaps = kKernelSide * kKernelSide;

float nearestBfloat16(float value) {
  std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return std::bit_cast<float>((bits | 0x00400000U) & 0xffff0000U);  // stays a quiet NaN
  const std::uint32_t half = 0x7fffU + ((bits >> 16) & 1U);  // ties go to the even neighbour
  bits = (bits + half) & 0xffff0000U;
  return std::bit_cast<float>(bits);
}

class ReferenceBackend final : public Backend {
 public:
  std::string_view name() const override { return "reference"; }

  void convReluPool(std::int64_t n, const float* images, const float* kernel, const float* bias, float* pooled,
                    std::uint8_t* argmax) override {
    for (std::int64_t image = 0; image < n; ++image) {
      for (std::int64_t row = 0; row < kPooledSide; ++row) {
        for (std::int64_t column = 0; column < kPooledSide; ++column) {
          for (std::int64_t filter = 0; filter < kFilters; ++filter) {
            float best = 0;
            std::uint8_t winner = 0;
            for (std::uint8_t place = 0; place < 4; ++place) {
              const std::int64_t y = 2 * row + place / 2, x = 2 * column + place % 2;
              float sum = 0;
              for (std::int64_t tap = 0; tap < kTaps; ++tap) {
                sum += pixel(images, image, y + tap / kKernelSide, x + tap % kKernelSide) *
                       kernel[tap * kFilters + filter];
              }
              sum += bias[filter];
              if (place == 0 || sum > best) {
                best = sum;
                winner = place;
              }
            }
            const std::int64_t cell = cellIndex(image, row, column, filter);
            const bool cut = best <= 0;  // a NaN is not cut, so that a diverged network shows
            pooled[cell] = cut ? 0 : best;
            argmax[cell] = cut ? kNoGradient : winner;
          }
        }
      }
    }
  }

  void convReluPoolBackward(std::int64_t n, const float* images, const std::uint8_t* argmax,
                            const float* dPooledForKernel, const float* dPooled, float* dKernel,
                            float* dBias) override {
    std::memset(dKernel, 0, sizeof(float) * kTaps * kFilters);
    std::memset(dBias, 0, sizeof(float) * kFilters);
    for (std::int64_t image = 0; image < n; ++image) {
      for (std::int64_t row = 0; row < kPooledSide; ++row) {
        for (std::int64_t column = 0; column < kPooledSide; ++column) {
          for (std::int64_t filter = 0; filter < kFilters; ++filter) {
            const std::int64_t cell = cellIndex(image, row, column, filter);
            const std::uint8_t winner = argmax[cell];
            if (winner == kNoGradient) continue;
            const std::int64_t y = 2 * row + winner / 2, x = 2 * column + winner % 2;
            for (std::int64_t tap = 0; tap < kTaps; ++tap) {
              dKernel[tap * kFilters + filter] +=
                  pixel(images, image, y + tap / kKernelSide, x + tap % kKernelSide) * dPooledForKernel[cell];
            }
            dBias[filter] += dPooled[cell];
          }
        }
      }
    }
  }

  void dense(std::int64_t n, std::int64_t in, std::int64_t out, const float* x, const float* w, const float* bias,
             bool relu, float* y) override {
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < out; ++j) {
        float sum = 0;
        for (std::int64_t k = 0; k < in; ++k) sum += x[i * in + k] * w[k * out + j];
        sum += bias[j];
        y[i * out + j] = relu && sum <= 0 ? 0 : sum;
      }
    }
  }

  void denseWeightGradient(std::int64_t n, std::int64_t in, std::int64_t out, const float* x, const float* dy,
                           float* dw) override {
    for (std::int64_t k = 0; k < in; ++k) {
      for (std::int64_t j = 0; j < out; ++j) {
        float sum = 0;
        for (std::int64_t i = 0; i < n; ++i) sum += x[i * in + k] * dy[i * out + j];
        dw[k * out + j] = sum;
      }
    }
  }

  void denseBiasGradient(std::int64_t n, std::int64_t out, const float* dy, float* db) override {
    for (std::int64_t j = 0; j < out; ++j) {
      float sum = 0;
      for (std::int64_t i = 0; i < n; ++i) sum += dy[i * out + j];
      db[j] = sum;
    }
  }

  void denseInputGradient(std::int64_t n, std::int64_t in, std::int64_t out, const float* dy, const float* w,
                          float* dx) override {
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t k = 0; k < in; ++k) {
        float sum = 0;
        for (std::int64_t j = 0; j < out; ++j) sum += dy[i * out + j] * w[k * out + j];
        dx[i * in + k] = sum;
      }
    }
  }

  void reluBackward(std::int64_t size, const float* y, float* dy) override {
    for (std::int64_t i = 0; i < size; ++i) {
      if (y[i] <= 0) dy[i] = 0;
    }
  }

  void softmaxCrossEntropy(std::int64_t n, const float* logits, const std::uint8_t* labels, float scale, float* losses,
                           std::uint8_t* predictions, float* dLogits) override {
    for (std::int64_t i = 0; i < n; ++i) {
      const float* row = logits + i * kClasses;
      LAB_CHECK(labels[i] < kClasses);
      std::uint8_t best = 0;
      for (std::uint8_t c = 1; c < kClasses; ++c) {
        if (row[c] > row[best]) best = c;
      }
      float sum = 0;
      for (std::int64_t c = 0; c < kClasses; ++c) sum += std::exp(row[c] - row[best]);
      losses[i] = std::log(sum) - (row[labels[i]] - row[best]);
      predictions[i] = best;
      if (dLogits == nullptr) continue;
      for (std::int64_t c = 0; c < kClasses; ++c) {
        const float probability = std::exp(row[c] - row[best]) / sum;
        dLogits[i * kClasses + c] = scale * (probability - (c == labels[i] ? 1.0F : 0.0F));
      }
    }
  }

  void adam(std::int64_t size, const AdamStep& step, const float* gradient, float* m, float* v,
            float* weights) override {
    for (std::int64_t i = 0; i < size; ++i) {
      m[i] += (gradient[i] - m[i]) * (1 - step.beta1);
      v[i] += (gradient[i] * gradient[i] - v[i]) * (1 - step.beta2);
      weights[i] -= step.learningRate * m[i] / (std::sqrt(v[i]) + step.epsilon);
    }
  }

  void sgd(std::int64_t size, float learningRate, float momentum, const float* gradient, float* velocity,
           float* weights) override {
    for (std::int64_t i = 0; i < size; ++i) {
      if (velocity == nullptr) {
        weights[i] -= learningRate * gradient[i];
      } else {
        velocity[i] = momentum * velocity[i] - learningRate * gradient[i];
        weights[i] += velocity[i];
      }
    }
  }

  void roundToBfloat16(std::int64_t size, const float* in, float* out) override {
    for (std::int64_t i = 0; i < size; ++i) out[i] = nearestBfloat16(in[i]);
  }

  void add(std::int64_t size, const float* source, float* destination) override {
    for (std::int64_t i = 0; i < size; ++i) destination[i] += source[i];
  }

  void copy(std::int64_t size, const float* source, float* destination) override {
    for (std::int64_t i = 0; i < size; ++i) destination[i] = source[i];
  }

  bool identical(std::int64_t size, const float* a, const float* b) override {
    for (std::int64_t i = 0; i < size; ++i) {
      if (std::bit_cast<std::uint32_t>(a[i]) != std::bit_cast<std::uint32_t>(b[i])) return false;
    }
    return true;
  }

 private:
  static float pixel(const float* images, std::int64_t image, std::int64_t y, std::int64_t x) {
    return images[image * kImageSize + y * kImageSide + x];
  }
  static std::int64_t cellIndex(std::int64_t image, std::int64_t row, std::int64_t column, std::int64_t filter) {
    return ((image * kPooledSide + row) * kPooledSide + column) * kFilters + filter;
  }
};

}  // namespace

std::unique_ptr<Backend> makeReferenceBackend() {
  return std::make_unique<ReferenceBackend>();
}

}  // namespace lab
