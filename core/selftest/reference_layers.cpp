// SPDX-License-Identifier: GPL-3.0-or-later
// The judge of layers of any size: every operation as its definition reads, on the calling thread. Do not make it
// faster; cpu_layers.cpp is the fast one.
#include <algorithm>
#include <vector>

#include "core/device/cross_entropy.h"
#include "core/selftest/reference.h"

namespace lab {
namespace {

// body(place in the output, tap in the window, place in the input), channels left out, for all that lies in the image.
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
        if (relu && y[j] <= 0) y[j] = 0;  // a NaN stays
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
      for (std::int64_t j = 0; j < out; ++j) y[j] /= counts[static_cast<std::size_t>(j / w.channels)];
    }
  }

  void averagePoolBackward(std::int64_t n, const LayerWindow& w, const float* dy, float* dx) override {
    const std::vector<float> counts = countsOf(w);
    std::fill_n(dx, n * w.inSize(), 0.0F);
    for (std::int64_t i = 0; i < n; ++i, dx += w.inSize(), dy += w.places() * w.channels)
      forEachTap(w, [&](std::int64_t place, std::int64_t, std::int64_t at) {
        for (std::int64_t c = 0; c < w.channels; ++c)
          dx[at * w.channels + c] += dy[place * w.channels + c] / counts[static_cast<std::size_t>(place)];
      });
  }

  void relu(std::int64_t size, const float* x, float* y) override {
    for (std::int64_t i = 0; i < size; ++i) y[i] = x[i] <= 0 ? 0 : x[i];
  }

  void dropout(std::int64_t n, std::int64_t size, const DropoutMask& mask, const float* x, float* y) override {
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < size; ++j) y[i * size + j] = x[i * size + j] * mask.factor(i, j);
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
  // How much of each place's window lies inside the image.
  static std::vector<float> countsOf(const LayerWindow& w) {
    std::vector<float> counts(static_cast<std::size_t>(w.places()));
    forEachTap(w, [&](std::int64_t place, std::int64_t, std::int64_t) { ++counts[static_cast<std::size_t>(place)]; });
    return counts;
  }
};

}  // namespace

std::unique_ptr<LayerBackend> makeReferenceLayers() {
  return std::make_unique<ReferenceLayers>();
}

}  // namespace lab
