// SPDX-License-Identifier: GPL-3.0-or-later
// Loops along the channels, which the compiler vectorizes. Work is divided over examples, or, where examples are
// summed, over the window's taps, so bits do not depend on threads.
#include "core/device/cpu/cpu_depthwise.h"
#include "core/base/at.h"

#include <algorithm>
#include <vector>

namespace lab {
namespace {

// Returns the input's place under a tap of a place's window, or -1 outside the image.
std::int64_t inputPlace(const LayerWindow& w, std::int64_t place, std::int64_t tap) {
  const std::int64_t row = place / w.outWidth * w.strideY - w.padTop + tap / w.width;
  const std::int64_t column = place % w.outWidth * w.strideX - w.padLeft + tap % w.width;
  const bool inside = row >= 0 && row < w.inHeight && column >= 0 && column < w.inWidth;
  return inside ? row * w.inWidth + column : -1;
}

// Calls body(place in the output, tap, place in the input) for everything that lies in the image.
template <typename Body>
void forEachTap(const LayerWindow& w, const Body& body) {
  for (std::int64_t place = 0; place < w.places(); ++place)
    for (std::int64_t tap = 0; tap < w.height * w.width; ++tap)
      if (const std::int64_t from = inputPlace(w, place, tap); from >= 0) body(place, tap, from);
}

}  // namespace

void CpuDepthwise::forward(std::int64_t n, const LayerWindow& w, std::int64_t multiplier, const float* x,
                           const float* kernel, const float* bias, bool relu, float* y) {
  const std::int64_t out = w.channels * multiplier;
  pool_.forEach(n, [&](std::int64_t i) {
    float* const to = y + i * w.places() * out;
    std::fill_n(to, w.places() * out, 0.0F);
    forEachTap(w, [&](std::int64_t place, std::int64_t tap, std::int64_t from) {
      const float* in = x + i * w.inSize() + from * w.channels;
      const float* k = kernel + tap * out;
      float* sum = to + place * out;
      if (multiplier == 1)
        for (std::int64_t c = 0; c < out; ++c) sum[c] += in[c] * k[c];
      else
        for (std::int64_t c = 0; c < out; ++c) sum[c] += in[c / multiplier] * k[c];
    });
    for (std::int64_t j = 0; j < w.places() * out; ++j) {
      const float value = bias == nullptr ? to[j] : to[j] + bias[j % out];
      to[j] = relu && value <= 0 ? 0 : value;
    }
  });
}

void CpuDepthwise::kernelGradient(std::int64_t n, const LayerWindow& w, std::int64_t multiplier, const float* x,
                                  const float* dy, float* dKernel) {
  const std::int64_t out = w.channels * multiplier;
  pool_.forEach(w.height * w.width, [&](std::int64_t tap) {
    std::vector<double> sums(static_cast<std::size_t>(out));
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t place = 0; place < w.places(); ++place) {
        const std::int64_t from = inputPlace(w, place, tap);
        if (from < 0) continue;
        const float *in = x + i * w.inSize() + from * w.channels, *d = dy + (i * w.places() + place) * out;
        for (std::int64_t c = 0; c < out; ++c)
          at(sums, c) += static_cast<double>(in[c / multiplier]) * static_cast<double>(d[c]);
      }
    std::ranges::transform(sums, dKernel + tap * out, [](double sum) { return static_cast<float>(sum); });
  });
}

void CpuDepthwise::inputGradient(std::int64_t n, const LayerWindow& w, std::int64_t multiplier, const float* dy,
                                 const float* kernel, float* dx) {
  const std::int64_t out = w.channels * multiplier;
  pool_.forEach(n, [&](std::int64_t i) {
    float* const to = dx + i * w.inSize();
    std::fill_n(to, w.inSize(), 0.0F);
    forEachTap(w, [&](std::int64_t place, std::int64_t tap, std::int64_t from) {
      const float *d = dy + (i * w.places() + place) * out, *k = kernel + tap * out;
      float* sum = to + from * w.channels;
      for (std::int64_t c = 0; c < out; ++c) sum[c / multiplier] += d[c] * k[c];
    });
  });
}

}  // namespace lab
