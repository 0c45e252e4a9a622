// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "core/base/at.h"
#include "core/selftest/fused_layers.h"

namespace lab {
namespace {

class ComposedLayers final : public FusedLayers {
 public:
  explicit ComposedLayers(Backend& backend) : backend_(backend), layers_(*backend.layers()) {}

  void gather(std::int64_t n, std::int64_t size, std::int64_t, const std::uint8_t* pixels, const std::uint8_t* labels,
              const std::int32_t* indices, float* images, std::uint8_t* outLabels) override {
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < size; ++j)
        images[i * size + j] = static_cast<float>(pixels[indices[i] * size + j]) / 255.0F;
      outLabels[i] = labels[indices[i]];
    }
  }

  void courseGather(std::int64_t n, std::int64_t examples, const std::uint8_t* pixels, const std::uint8_t* labels,
                    const std::int32_t* indices, float* images, std::uint8_t* outLabels) override {
    gather(n, kImageSize, examples, pixels, labels, indices, images, outLabels);
  }

  void conv2dInputGradient(std::int64_t n, const LayerWindow& w, std::int64_t filters, const float* dy,
                           const float* kernel, const float* mask, float* dx) override {
    layers_.conv2dInputGradient(n, w, filters, dy, kernel, dx);
    cut(n * w.inSize(), mask, dx);
  }
  void denseInputGradient(std::int64_t n, std::int64_t in, std::int64_t out, const float* dy, const float* w,
                          const float* mask, float* dx) override {
    backend_.denseInputGradient(n, in, out, dy, w, dx);
    cut(n * in, mask, dx);
  }
  void maxPoolBackward(std::int64_t n, const LayerWindow& w, const std::uint16_t* winners, const float* dy,
                       const float* mask, float* dx) override {
    layers_.maxPoolBackward(n, w, winners, dy, dx);
    cut(n * w.inSize(), mask, dx);
  }
  void averagePoolBackward(std::int64_t n, const LayerWindow& w, const float* dy, const float* mask,
                           float* dx) override {
    layers_.averagePoolBackward(n, w, dy, dx);
    cut(n * w.inSize(), mask, dx);
  }

  void courseHead(std::int64_t n, CourseHead& h) override {
    std::vector<float> logits(static_cast<std::size_t>(n * kClasses));
    backend_.dense(n, kPooledSize, kHidden, h.x, h.kernel, h.bias, true, h.hidden);
    backend_.dense(n, kHidden, kClasses, h.hidden, h.logitsKernel, h.logitsBias, false, logits.data());
    backend_.softmaxCrossEntropy(n, logits.data(), h.labels, h.scale, h.losses, h.predictions, h.dLogits);
    backend_.denseInputGradient(n, kHidden, kClasses, h.dLogits, h.logitsKernel, h.dHidden);
    backend_.reluBackward(n * kHidden, h.hidden, h.dHidden);
    backend_.denseWeightGradient(n, kHidden, kClasses, h.hidden, h.dLogits, h.dLogitsKernel);
    backend_.denseBiasGradient(n, kClasses, h.dLogits, h.dLogitsBias);
    backend_.denseBiasGradient(n, kHidden, h.dHidden, h.dBias);
    tally(n, h.losses, h.predictions, h.labels, &h.lossSum, &h.correct);
  }

  void tally(std::int64_t n, const float* losses, const std::uint8_t* predictions, const std::uint8_t* labels,
             double* lossSum, std::int64_t* correct) override {
    *lossSum = 0;
    *correct = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      *lossSum += static_cast<double>(losses[i]);
      *correct += predictions[i] == labels[i] ? 1 : 0;
    }
  }

  // Multiplies every word by its own odd number, as in SplitMix64.
  std::uint64_t digest(std::int64_t size, const float* values) override {
    std::uint64_t sum = 0;
    for (std::int64_t i = 0; i < size; ++i) {
      std::uint64_t x = static_cast<std::uint64_t>(i + 1) * 0x9e3779b97f4a7c15U;
      x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
      x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
      sum += std::bit_cast<std::uint32_t>(values[i]) * ((x ^ (x >> 31)) | 1);
    }
    return sum;
  }

  void normalize(const BatchNormOf& of, const float* x, float* y, double* norm, float* movingMean,
                 float* movingVariance) override {
    if (of.rows == 0) return;
    const auto count = static_cast<double>(of.rows);
    const auto keep = static_cast<float>(of.momentum), take = static_cast<float>(1 - of.momentum);
    std::vector<ChannelSums> sums(static_cast<std::size_t>(of.channels));
    layers_.sums(of.rows, of.channels, x, sums.data());
    std::vector<float> factor, term;
    for (std::int64_t c = 0; c < of.channels; ++c) {
      const ChannelSums& sum = at(sums, c);
      const double mean = sum.first / count, variance = std::max(0.0, sum.second / count - mean * mean);
      addCoefficients(of, c, mean, variance, factor, term);
      norm[c] = mean;
      norm[of.channels + c] = 1 / std::sqrt(variance + of.epsilon);
      if (movingMean == nullptr) continue;
      movingMean[c] = movingMean[c] * keep + static_cast<float>(mean) * take;
      movingVariance[c] = movingVariance[c] * keep + static_cast<float>(variance) * take;
    }
    layers_.scaleAndShift(of.rows, of.channels, x, factor.data(), term.data(), y);
  }

  void normalizeByMoving(const BatchNormOf& of, const float* movingMean, const float* movingVariance, const float* x,
                         float* y) override {
    std::vector<float> factor, term;
    for (std::int64_t c = 0; c < of.channels; ++c)
      addCoefficients(of, c, static_cast<double>(movingMean[c]), static_cast<double>(movingVariance[c]), factor, term);
    layers_.scaleAndShift(of.rows, of.channels, x, factor.data(), term.data(), y);
  }

  // dx = γ/σ · (dy − mean of dy − (x − mean) / σ² · mean of dy·(x − mean))
  void normalizeBackward(const BatchNormOf& of, const double* norm, const float* x, const float* dy, const float* mask,
                         float* dGamma, float* dBeta, float* dx) override {
    std::vector<ChannelSums> sums(static_cast<std::size_t>(of.channels));
    layers_.gradientSums(of.rows, of.channels, x, dy, norm, sums.data());
    const auto count = static_cast<double>(of.rows);
    std::vector<float> a, b, constant;
    for (std::int64_t c = 0; c < of.channels; ++c) {
      const ChannelSums& sum = at(sums, c);
      const double mean = norm[c], inverse = norm[of.channels + c];
      if (dGamma != nullptr) dGamma[c] = static_cast<float>(sum.second * inverse);
      if (dBeta != nullptr) dBeta[c] = static_cast<float>(sum.first);
      const double factor = (of.gamma != nullptr ? static_cast<double>(of.gamma[c]) : 1) * inverse;
      const double slope = of.rows == 0 ? 0 : factor * inverse * inverse * sum.second / count;
      a.push_back(static_cast<float>(factor));
      b.push_back(static_cast<float>(-slope));
      constant.push_back(of.rows == 0 ? 0 : static_cast<float>(slope * mean - factor * sum.first / count));
    }
    if (dx == nullptr) return;
    layers_.combine(of.rows, of.channels, dy, a.data(), x, b.data(), constant.data(), dx);
    cut(of.rows * of.channels, mask, dx);
  }

 private:
  void cut(std::int64_t size, const float* mask, float* dx) {
    if (mask != nullptr) backend_.reluBackward(size, mask, dx);
  }
  static void addCoefficients(const BatchNormOf& of, std::int64_t c, double mean, double variance,
                              std::vector<float>& factor, std::vector<float>& term) {
    const double inverse = 1 / std::sqrt(variance + of.epsilon);
    const double gamma = of.gamma != nullptr ? static_cast<double>(of.gamma[c]) : 1;
    const double beta = of.beta != nullptr ? static_cast<double>(of.beta[c]) : 0;
    factor.push_back(static_cast<float>(gamma * inverse));
    term.push_back(static_cast<float>(beta - gamma * inverse * mean));
  }

  Backend& backend_;
  LayerBackend& layers_;
};

}  // namespace

std::unique_ptr<FusedLayers> composeLayers(Backend& backend) {
  return std::make_unique<ComposedLayers>(backend);
}

}  // namespace lab
