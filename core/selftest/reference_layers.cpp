// SPDX-License-Identifier: GPL-3.0-or-later
// The reference for layers of any size: every operation as its definition reads, on the calling thread. Do not make it
// faster; cpu_layers.cpp is the fast one.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/at.h"
#include "core/device/cross_entropy.h"
#include "core/selftest/reference.h"

namespace lab {
namespace {

// Calls body(place in the output, tap in the window, place in the input), without channels, for all inside the image.
template <typename Body>
void forEachTap(const LayerWindow& w, const Body& body) {
  for (std::int64_t place = 0; place < w.places(); ++place)
    for (std::int64_t tap = 0; tap < w.height * w.width; ++tap) {
      const std::int64_t y = place / w.outWidth * w.strideY - w.padTop + tap / w.width;
      const std::int64_t x = place % w.outWidth * w.strideX - w.padLeft + tap % w.width;
      if (y >= 0 && y < w.inHeight && x >= 0 && x < w.inWidth) body(place, tap, y * w.inWidth + x);
    }
}

class ReferenceLayers final : public LayerBackend {
 public:
  void conv2d(std::int64_t n, const LayerWindow& w, std::int64_t filters, const float* x, const float* kernel,
              const float* bias, bool relu, float* y) override {
    for (std::int64_t i = 0; i < n; ++i, x += w.inSize(), y += w.places() * filters) {
      std::fill_n(y, w.places() * filters, 0.0F);
      forEachTap(w, [&](std::int64_t place, std::int64_t tap, std::int64_t at) {
        for (std::int64_t c = 0; c < w.channels; ++c)
          for (std::int64_t f = 0; f < filters; ++f)
            y[place * filters + f] += x[at * w.channels + c] * kernel[(tap * w.channels + c) * filters + f];
      });
      for (std::int64_t j = 0; j < w.places() * filters; ++j) {
        if (bias != nullptr) y[j] += bias[j % filters];
        if (relu && y[j] <= 0) y[j] = 0;  // keeps NaN
      }
    }
  }

  void conv2dKernelGradient(std::int64_t n, const LayerWindow& w, std::int64_t filters, const float* x, const float* dy,
                            float* dKernel) override {
    std::fill_n(dKernel, w.taps() * filters, 0.0F);
    for (std::int64_t i = 0; i < n; ++i, x += w.inSize(), dy += w.places() * filters)
      forEachTap(w, [&](std::int64_t place, std::int64_t tap, std::int64_t at) {
        for (std::int64_t c = 0; c < w.channels; ++c)
          for (std::int64_t f = 0; f < filters; ++f)
            dKernel[(tap * w.channels + c) * filters + f] += x[at * w.channels + c] * dy[place * filters + f];
      });
  }

  void conv2dInputGradient(std::int64_t n, const LayerWindow& w, std::int64_t filters, const float* dy,
                           const float* kernel, float* dx) override {
    std::fill_n(dx, n * w.inSize(), 0.0F);
    for (std::int64_t i = 0; i < n; ++i, dx += w.inSize(), dy += w.places() * filters)
      forEachTap(w, [&](std::int64_t place, std::int64_t tap, std::int64_t at) {
        for (std::int64_t c = 0; c < w.channels; ++c)
          for (std::int64_t f = 0; f < filters; ++f)
            dx[at * w.channels + c] += dy[place * filters + f] * kernel[(tap * w.channels + c) * filters + f];
      });
  }

  void biasGradient(std::int64_t rows, std::int64_t channels, const float* dy, float* db) override {
    for (std::int64_t c = 0; c < channels; ++c) {
      double sum = 0;
      for (std::int64_t row = 0; row < rows; ++row) sum += static_cast<double>(dy[row * channels + c]);
      db[c] = static_cast<float>(sum);
    }
  }

  void maxPool(std::int64_t n, const LayerWindow& w, const float* x, float* y, std::uint16_t* winners) override {
    const std::int64_t out = w.places() * w.channels;
    for (std::int64_t i = 0; i < n; ++i, x += w.inSize(), y += out, winners += out) {
      constexpr std::uint16_t kNone = 0xffff;
      std::fill_n(winners, out, kNone);
      forEachTap(w, [&](std::int64_t place, std::int64_t tap, std::int64_t at) {
        for (std::int64_t c = 0; c < w.channels; ++c) {
          const std::int64_t to = place * w.channels + c;
          if (winners[to] != kNone && !(x[at * w.channels + c] > y[to])) continue;
          winners[to] = static_cast<std::uint16_t>(tap);
          y[to] = x[at * w.channels + c];
        }
      });
    }
  }

  void maxPoolBackward(std::int64_t n, const LayerWindow& w, const std::uint16_t* winners, const float* dy,
                       float* dx) override {
    const std::int64_t out = w.places() * w.channels;
    std::fill_n(dx, n * w.inSize(), 0.0F);
    for (std::int64_t i = 0; i < n; ++i, dx += w.inSize(), dy += out, winners += out)
      forEachTap(w, [&](std::int64_t place, std::int64_t tap, std::int64_t at) {
        for (std::int64_t c = 0; c < w.channels; ++c)
          if (winners[place * w.channels + c] == tap) dx[at * w.channels + c] += dy[place * w.channels + c];
      });
  }

  void averagePool(std::int64_t n, const LayerWindow& w, const float* x, float* y) override {
    const std::int64_t out = w.places() * w.channels;
    const std::vector<float> counts = countsOf(w);
    std::fill_n(y, n * out, 0.0F);
    for (std::int64_t i = 0; i < n; ++i, x += w.inSize(), y += out) {
      forEachTap(w, [&](std::int64_t place, std::int64_t, std::int64_t at) {
        for (std::int64_t c = 0; c < w.channels; ++c) y[place * w.channels + c] += x[at * w.channels + c];
      });
      for (std::int64_t j = 0; j < out; ++j) y[j] /= at(counts, j / w.channels);
    }
  }

  void averagePoolBackward(std::int64_t n, const LayerWindow& w, const float* dy, float* dx) override {
    const std::vector<float> counts = countsOf(w);
    std::fill_n(dx, n * w.inSize(), 0.0F);
    for (std::int64_t i = 0; i < n; ++i, dx += w.inSize(), dy += w.places() * w.channels)
      forEachTap(w, [&](std::int64_t place, std::int64_t, std::int64_t at) {
        for (std::int64_t c = 0; c < w.channels; ++c)
          dx[at * w.channels + c] += dy[place * w.channels + c] / lab::at(counts, place);
      });
  }

  void relu(std::int64_t size, const float* x, float* y) override {
    for (std::int64_t i = 0; i < size; ++i) y[i] = x[i] <= 0 ? 0 : x[i];
  }

  void dropout(std::int64_t n, std::int64_t size, const DropoutMask& mask, const float* x, float* y) override {
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < size; ++j) y[i * size + j] = x[i * size + j] * mask.factor(i, j);
  }

  void depthwise(std::int64_t n, const LayerWindow& w, std::int64_t m, const float* x, const float* kernel,
                 const float* bias, bool relu, float* y) override {
    const std::int64_t out = w.channels * m;
    std::fill_n(y, n * w.places() * out, 0.0F);
    for (std::int64_t i = 0; i < n; ++i, x += w.inSize(), y += w.places() * out) {
      forEachTap(w, [&](std::int64_t place, std::int64_t tap, std::int64_t at) {
        for (std::int64_t c = 0; c < out; ++c) y[place * out + c] += x[at * w.channels + c / m] * kernel[tap * out + c];
      });
      for (std::int64_t j = 0; j < w.places() * out; ++j) {
        if (bias != nullptr) y[j] += bias[j % out];
        if (relu && y[j] <= 0) y[j] = 0;
      }
    }
  }

  void depthwiseKernelGradient(std::int64_t n, const LayerWindow& w, std::int64_t m, const float* x, const float* dy,
                               float* dKernel) override {
    const std::int64_t out = w.channels * m;
    std::fill_n(dKernel, w.height * w.width * out, 0.0F);
    for (std::int64_t i = 0; i < n; ++i, x += w.inSize(), dy += w.places() * out)
      forEachTap(w, [&](std::int64_t place, std::int64_t tap, std::int64_t at) {
        for (std::int64_t c = 0; c < out; ++c)
          dKernel[tap * out + c] += x[at * w.channels + c / m] * dy[place * out + c];
      });
  }

  void depthwiseInputGradient(std::int64_t n, const LayerWindow& w, std::int64_t m, const float* dy,
                              const float* kernel, float* dx) override {
    const std::int64_t out = w.channels * m;
    std::fill_n(dx, n * w.inSize(), 0.0F);
    for (std::int64_t i = 0; i < n; ++i, dx += w.inSize(), dy += w.places() * out)
      forEachTap(w, [&](std::int64_t place, std::int64_t tap, std::int64_t at) {
        for (std::int64_t c = 0; c < out; ++c)
          dx[at * w.channels + c / m] += dy[place * out + c] * kernel[tap * out + c];
      });
  }

  void clear(std::int64_t size, float* y) override { std::fill_n(y, size, 0.0F); }
  void add(std::int64_t size, const float* a, const float* b, float* y) override {
    for (std::int64_t i = 0; i < size; ++i) y[i] = a[i] + b[i];
  }
  void placeBlocks(const LayerBlocks& b, const float* dense, float* larger) override {
    for (std::int64_t i = 0; i < b.size(); ++i) larger[placeIn(b, i)] = dense[i];
  }
  void takeBlocks(const LayerBlocks& b, const float* larger, float* dense) override {
    for (std::int64_t i = 0; i < b.size(); ++i) dense[i] = larger[placeIn(b, i)];
  }

  void activation(std::int64_t size, ActivationFunction function, double slope, const float* x, float* y) override {
    for (std::int64_t i = 0; i < size; ++i)
      y[i] = static_cast<float>(valueOf(function, slope, static_cast<double>(x[i])));
  }
  void activationGradient(std::int64_t size, ActivationFunction function, double slope, const float* x, const float* dy,
                          float* dx) override {
    for (std::int64_t i = 0; i < size; ++i)
      dx[i] = static_cast<float>(static_cast<double>(dy[i]) * slopeOf(function, slope, static_cast<double>(x[i])));
  }

  void layerNorm(std::int64_t rows, std::int64_t channels, double epsilon, const float* x, const float* gamma,
                 const float* beta, float* y) override {
    for (std::int64_t r = 0; r < rows; ++r) {
      const std::vector<double> z = normalized(channels, epsilon, x + r * channels).z;
      for (std::int64_t c = 0; c < channels; ++c) {
        double value = at(z, c);
        if (gamma != nullptr) value *= static_cast<double>(gamma[c]);
        if (beta != nullptr) value += static_cast<double>(beta[c]);
        y[r * channels + c] = static_cast<float>(value);
      }
    }
  }

  // Uses the whole Jacobian of a row: dz_j/dx_k = (δ_jk − 1/C − z_j·z_k/C) / σ.
  void layerNormBackward(std::int64_t rows, std::int64_t channels, double epsilon, const float* x, const float* gamma,
                         const float* dy, float* dx, float* dGamma, float* dBeta) override {
    std::vector<double> products(static_cast<std::size_t>(channels)), sums(products);
    for (std::int64_t r = 0; r < rows; ++r) {
      const Normalized row = normalized(channels, epsilon, x + r * channels);
      for (std::int64_t k = 0; k < channels; ++k) {
        const double zk = at(row.z, k), dk = static_cast<double>(dy[r * channels + k]);
        at(products, k) += zk * dk;
        at(sums, k) += dk;
        double sum = 0;
        for (std::int64_t j = 0; dx != nullptr && j < channels; ++j) {
          const double zj = at(row.z, j), by = (j == k ? 1.0 : 0.0) - (1 + zj * zk) / channels;
          const double g = gamma == nullptr ? 1 : static_cast<double>(gamma[j]);
          sum += g * static_cast<double>(dy[r * channels + j]) * by * row.inverse;
        }
        if (dx != nullptr) dx[r * channels + k] = static_cast<float>(sum);
      }
    }
    for (std::int64_t c = 0; c < channels; ++c) {
      if (dGamma != nullptr) dGamma[c] = static_cast<float>(at(products, c));
      if (dBeta != nullptr) dBeta[c] = static_cast<float>(at(sums, c));
    }
  }

  void crossEntropy(std::int64_t n, std::int64_t classes, const float* logits, const std::uint8_t* labels, float scale,
                    float* losses, std::uint8_t* predictions, float* dLogits) override {
    lab::crossEntropy(n, classes, logits, labels, scale, losses, predictions, dLogits);
  }

  void sums(std::int64_t rows, std::int64_t channels, const float* x, ChannelSums* sums) override {
    std::fill_n(sums, channels, ChannelSums{});
    for (std::int64_t row = 0; row < rows; ++row)
      for (std::int64_t c = 0; c < channels; ++c) {
        const double value = static_cast<double>(x[row * channels + c]);
        sums[c].first += value;
        sums[c].second += value * value;
      }
  }

  void gradientSums(std::int64_t rows, std::int64_t channels, const float* x, const float* dy, const double* mean,
                    ChannelSums* sums) override {
    std::fill_n(sums, channels, ChannelSums{});
    for (std::int64_t row = 0; row < rows; ++row)
      for (std::int64_t c = 0; c < channels; ++c) {
        const double gradient = static_cast<double>(dy[row * channels + c]);
        sums[c].first += gradient;
        sums[c].second += gradient * (static_cast<double>(x[row * channels + c]) - mean[c]);
      }
  }

  void scaleAndShift(std::int64_t rows, std::int64_t channels, const float* x, const float* factor, const float* term,
                     float* y) override {
    for (std::int64_t i = 0; i < rows * channels; ++i) y[i] = x[i] * factor[i % channels] + term[i % channels];
  }

  void combine(std::int64_t rows, std::int64_t channels, const float* dy, const float* a, const float* x,
               const float* b, const float* c, float* dx) override {
    for (std::int64_t i = 0; i < rows * channels; ++i)
      dx[i] = dy[i] * a[i % channels] + x[i] * b[i % channels] + c[i % channels];
  }

 private:
  static std::int64_t placeIn(const LayerBlocks& b, std::int64_t i) {
    return b.first + i / (b.rows * b.count) * b.image + i / b.count % b.rows * b.row + i % b.count;
  }

  static double valueOf(ActivationFunction function, double slope, double x) {
    switch (function) {
      case ActivationFunction::Sigmoid:
        return 1 / (1 + std::exp(-x));
      case ActivationFunction::Tanh:
        return std::tanh(x);
      case ActivationFunction::Silu:
        return x / (1 + std::exp(-x));
      case ActivationFunction::Gelu:
        return x / 2 * (1 + std::erf(x / std::sqrt(2.0)));
      case ActivationFunction::LeakyRelu:
        return x < 0 ? slope * x : x;
      case ActivationFunction::Relu6:
        return std::min(std::max(x, 0.0), 6.0);
      case ActivationFunction::None:
        break;
    }
    return x;
  }
  // Computes the derivative by its definition as a limit, from both sides; at a kink the one that TensorFlow chooses.
  static double slopeOf(ActivationFunction function, double slope, double x) {
    if (function == ActivationFunction::LeakyRelu) return x <= 0 ? slope : 1;
    if (function == ActivationFunction::Relu6) return x > 0 && x < 6 ? 1 : 0;
    constexpr double kStep = 1e-5;
    return (valueOf(function, slope, x + kStep) - valueOf(function, slope, x - kStep)) / (2 * kStep);
  }

  struct Normalized {
    std::vector<double> z;
    double inverse = 0;
  };
  static Normalized normalized(std::int64_t channels, double epsilon, const float* x) {
    Normalized result{std::vector<double>(x, x + channels)};
    double mean = 0, variance = 0;
    for (const double value : result.z) mean += value / static_cast<double>(channels);
    for (const double value : result.z) variance += (value - mean) * (value - mean) / static_cast<double>(channels);
    result.inverse = 1 / std::sqrt(variance + epsilon);
    for (double& value : result.z) value = (value - mean) * result.inverse;
    return result;
  }

  // Returns how much of each place's window lies inside the image.
  static std::vector<float> countsOf(const LayerWindow& w) {
    std::vector<float> counts(static_cast<std::size_t>(w.places()));
    forEachTap(w, [&](std::int64_t place, std::int64_t, std::int64_t) { ++at(counts, place); });
    return counts;
  }
};

}  // namespace

std::unique_ptr<LayerBackend> makeReferenceLayers() {
  return std::make_unique<ReferenceLayers>();
}

}  // namespace lab
