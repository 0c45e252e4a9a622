// SPDX-License-Identifier: GPL-3.0-or-later
// What networks that are graphs need besides simple layers: sums and parts of arrays, other activations, depthwise
// convolutions, layer normalisation. The kernels follow their definitions; none of them is tuned.
#pragma once

#include "core/device/cuda/block.h"
#include "core/device/cuda/element_kernels.h"
#include "core/device/cuda/layer_args.h"
#include "core/device/cuda/norm_kernels.h"

namespace lab::gpu {

struct SumOfTwoKernel {
  using Args = SumOfTwoArgs;
  struct Shared {};
  static constexpr int kThreads = kElementThreads;
  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared&) {
    eachElement(block, a.size, [&](std::int64_t i) { a.y[i] = a.a[i] + a.b[i]; });
  }
};

struct BlocksKernel {
  using Args = BlocksArgs;
  struct Shared {};
  static constexpr int kThreads = kElementThreads;
  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared&) {
    eachElement(block, a.size, [&](std::int64_t i) {
      const std::int64_t row = i / a.count, image = row / a.rows;
      const std::int64_t in = a.first + image * a.image + (row - image * a.rows) * a.row + (i - row * a.count);
      if (a.places != 0)
        a.to[in] = a.from[i];
      else
        a.to[i] = a.from[in];
    });
  }
};

struct ActivationKernel {
  using Args = ActivationArgs;
  struct Shared {};
  static constexpr int kThreads = kElementThreads;

  LAB_DEVICE static double sigmoid(double x) { return 1 / (1 + exp(-x)); }
  LAB_DEVICE static double normalShare(double x) { return 0.5 * erfc(-x * 0.7071067811865476); }

  LAB_DEVICE static double value(const Args& a, double x) {
    switch (static_cast<ActivationFunction>(a.function)) {
      case ActivationFunction::Sigmoid:
        return sigmoid(x);
      case ActivationFunction::Tanh:
        return tanh(x);
      case ActivationFunction::Silu:
        return x * sigmoid(x);
      case ActivationFunction::Gelu:
        return x * normalShare(x);
      case ActivationFunction::LeakyRelu:
        return x < 0 ? a.slope * x : x;
      case ActivationFunction::Relu6:  // NaN stays NaN
        return x <= 0 ? 0 : x >= kRelu6Most ? kRelu6Most : x;
      case ActivationFunction::None:
        break;
    }
    return x;
  }
  LAB_DEVICE static double derivative(const Args& a, double x) {
    switch (static_cast<ActivationFunction>(a.function)) {
      case ActivationFunction::Sigmoid:
        return sigmoid(x) * (1 - sigmoid(x));
      case ActivationFunction::Tanh:
        return 1 - tanh(x) * tanh(x);
      case ActivationFunction::Silu:
        return sigmoid(x) * (1 + x * (1 - sigmoid(x)));
      case ActivationFunction::Gelu:
        return normalShare(x) + x * 0.3989422804014327 * exp(-x * x / 2);
      case ActivationFunction::LeakyRelu:  // at 0 the slope, as in TensorFlow
        return x <= 0 ? a.slope : 1;
      case ActivationFunction::Relu6:
        return x <= 0 || x >= kRelu6Most ? 0 : 1;
      case ActivationFunction::None:
        break;
    }
    return 1;
  }

  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared&) {
    eachElement(block, a.size, [&](std::int64_t i) {
      const double x = static_cast<double>(a.x[i]);
      a.out[i] = static_cast<float>(a.dy == nullptr ? value(a, x) : static_cast<double>(a.dy[i]) * derivative(a, x));
    });
  }
};

// ---- depthwise convolutions

struct DepthwiseKernel {
  using Args = DepthwiseArgs;
  struct Shared {};
  static constexpr int kThreads = kElementThreads;
  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared&) {
    const std::int64_t filters = a.channels * a.multiplier;
    eachElement(block, a.size, [&](std::int64_t i) {
      const std::int64_t place = i / filters, filter = i - place * filters;
      const std::int64_t row = place / a.outWidth, n = row / a.outHeight;
      const std::int64_t top = (row - n * a.outHeight) * a.strideY - a.padTop;
      const std::int64_t left = (place - row * a.outWidth) * a.strideX - a.padLeft;
      const float* image = a.in + n * a.inHeight * a.inWidth * a.channels + filter / a.multiplier;
      float sum = 0;
      for (std::int64_t y = 0; y < a.height; ++y)
        for (std::int64_t x = 0; x < a.width; ++x) {
          if (top + y < 0 || top + y >= a.inHeight || left + x < 0 || left + x >= a.inWidth) continue;
          sum = multiplyAdd(image[((top + y) * a.inWidth + left + x) * a.channels],
                            a.kernel[(y * a.width + x) * filters + filter], sum);
        }
      if (a.bias != nullptr) sum += a.bias[filter];
      a.out[i] = a.relu != 0 && sum <= 0 ? 0 : sum;
    });
  }
};

// Computes an element of dx from all windows that contain it.
struct DepthwiseInputGradientKernel {
  using Args = DepthwiseArgs;
  struct Shared {};
  static constexpr int kThreads = kElementThreads;
  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared&) {
    const std::int64_t filters = a.channels * a.multiplier;
    eachElement(block, a.size, [&](std::int64_t i) {
      const std::int64_t place = i / a.channels, channel = i - place * a.channels;
      const std::int64_t line = place / a.inWidth, n = line / a.inHeight;
      const std::int64_t row = line - n * a.inHeight + a.padTop, column = place - line * a.inWidth + a.padLeft;
      float sum = 0;
      for (std::int64_t y = 0; y < a.height; ++y)
        for (std::int64_t x = 0; x < a.width; ++x) {
          const std::int64_t oy = (row - y) / a.strideY, ox = (column - x) / a.strideX;
          if (row < y || column < x || oy * a.strideY != row - y || ox * a.strideX != column - x) continue;
          if (oy >= a.outHeight || ox >= a.outWidth) continue;
          const std::int64_t from = ((n * a.outHeight + oy) * a.outWidth + ox) * filters + channel * a.multiplier;
          const std::int64_t tap = (y * a.width + x) * filters + channel * a.multiplier;
          for (std::int64_t m = 0; m < a.multiplier; ++m) sum = multiplyAdd(a.dy[from + m], a.kernel[tap + m], sum);
        }
      a.out[i] = sum;
    });
  }
};

// Columns are taps and filters, rows are places.
struct DepthwiseKernelGradientKernel {
  using Args = DepthwiseArgs;
  using Shared = NormShared;
  static constexpr int kThreads = kNormThreads;
  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared& shared) {
    const std::int64_t filters = a.channels * a.multiplier, places = a.n * a.outHeight * a.outWidth;
    eachChannelSum(
        block, shared, 0, places, a.size,
        [&](std::int64_t place, std::int64_t column, double& sum, double&) {
          const std::int64_t tap = column / filters, filter = column - tap * filters;
          const std::int64_t row = place / a.outWidth, n = row / a.outHeight;
          const std::int64_t y = (row - n * a.outHeight) * a.strideY - a.padTop + tap / a.width;
          const std::int64_t x = (place - row * a.outWidth) * a.strideX - a.padLeft + tap % a.width;
          if (y < 0 || y >= a.inHeight || x < 0 || x >= a.inWidth) return;
          const float in = a.in[((n * a.inHeight + y) * a.inWidth + x) * a.channels + filter / a.multiplier];
          sum += static_cast<double>(in) * static_cast<double>(a.dy[place * filters + filter]);
        },
        [&](std::int64_t column, double sum, double) { a.out[column] = static_cast<float>(sum); });
  }
};

// ---- layer normalisation

struct RowOf {
  double mean, inverse;
};
LAB_DEVICE RowOf rowOf(const LayerNormArgs& a, const float* x) {
  double sum = 0, squares = 0;
  for (std::int64_t c = 0; c < a.channels; ++c) sum += static_cast<double>(x[c]);
  const double mean = sum / static_cast<double>(a.channels);
  for (std::int64_t c = 0; c < a.channels; ++c) {
    const double off = static_cast<double>(x[c]) - mean;
    squares += off * off;
  }
  return {mean, 1 / sqrt(squares / static_cast<double>(a.channels) + a.epsilon)};
}
LAB_DEVICE double factorOf(const LayerNormArgs& a, std::int64_t c) {
  return a.gamma != nullptr ? static_cast<double>(a.gamma[c]) : 1;
}

struct LayerNormKernel {
  using Args = LayerNormArgs;
  struct Shared {};
  static constexpr int kThreads = kElementThreads;
  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared&) {
    eachElement(block, a.rows, [&](std::int64_t r) {
      const float* x = a.x + r * a.channels;
      const RowOf row = rowOf(a, x);
      for (std::int64_t c = 0; c < a.channels; ++c) {
        const double z = (static_cast<double>(x[c]) - row.mean) * row.inverse;
        const double beta = a.beta != nullptr ? static_cast<double>(a.beta[c]) : 0;
        a.out[r * a.channels + c] = static_cast<float>(z * factorOf(a, c) + beta);
      }
    });
  }
};

// dx = 1/σ · (g − mean of g − z · mean of g·z) with g = γ · dy and z = (x − mean) / σ.
struct LayerNormBackwardKernel {
  using Args = LayerNormArgs;
  struct Shared {};
  static constexpr int kThreads = kElementThreads;
  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared&) {
    eachElement(block, a.rows, [&](std::int64_t r) {
      const float *x = a.x + r * a.channels, *dy = a.dy + r * a.channels;
      const RowOf row = rowOf(a, x);
      a.moments[2 * r] = row.mean;
      a.moments[2 * r + 1] = row.inverse;
      if (a.out == nullptr) return;
      double sum = 0, products = 0;
      for (std::int64_t c = 0; c < a.channels; ++c) {
        const double g = factorOf(a, c) * static_cast<double>(dy[c]);
        sum += g;
        products += g * (static_cast<double>(x[c]) - row.mean) * row.inverse;
      }
      const double count = static_cast<double>(a.channels);
      for (std::int64_t c = 0; c < a.channels; ++c) {
        const double g = factorOf(a, c) * static_cast<double>(dy[c]);
        const double z = (static_cast<double>(x[c]) - row.mean) * row.inverse;
        a.out[r * a.channels + c] = static_cast<float>(row.inverse * (g - sum / count - z * products / count));
      }
    });
  }
};

struct LayerNormGradientsKernel {
  using Args = LayerNormGradientsArgs;
  using Shared = NormShared;
  static constexpr int kThreads = kNormThreads;
  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared& shared) {
    eachChannelSum(
        block, shared, 0, a.rows, a.channels,
        [&](std::int64_t row, std::int64_t channel, double& products, double& sum) {
          const double dy = static_cast<double>(a.dy[row * a.channels + channel]);
          const double x = static_cast<double>(a.x[row * a.channels + channel]);
          products += dy * (x - a.moments[2 * row]) * a.moments[2 * row + 1];
          sum += dy;
        },
        [&](std::int64_t channel, double products, double sum) {
          if (a.dGamma != nullptr) a.dGamma[channel] = static_cast<float>(products);
          if (a.dBeta != nullptr) a.dBeta[channel] = static_cast<float>(sum);
        });
  }
};

}  // namespace lab::gpu
