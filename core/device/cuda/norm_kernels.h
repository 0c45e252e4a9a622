// SPDX-License-Identifier: GPL-3.0-or-later
// Batch normalisation: sums over a batch in double, as on the processor (core/model/layer_pass.cpp), in an order that
// only sizes decide; each channel's coefficients from these sums; and the values. Sums of several replicas are parts
// like any others.
#pragma once

#include "core/device/cuda/block.h"
#include "core/device/cuda/conv_product_kernels.h"
#include "core/device/cuda/element_kernels.h"
#include "core/device/cuda/layer_args.h"

namespace lab::gpu {

inline constexpr int kNormThreads = static_cast<int>(kSumColumns * kNormLanes);
struct NormShared {
  struct {
    double first, second;
  } sums[kNormLanes][kSumColumns];
};

// Lane l of a channel adds rows l, l + 8, …; then the lanes are added in order, and body(channel, sums) receives the
// sum.
template <typename Block, typename Read, typename Body>
LAB_DEVICE void eachChannelSum(Block& block, NormShared& shared, std::int64_t begin, std::int64_t end,
                               std::int64_t channels, const Read& read, const Body& body) {
  constexpr int kColumns = static_cast<int>(kSumColumns), kLanes = static_cast<int>(kNormLanes);
  block.threads([&](int t) {
    const std::int64_t channel = block.x() * kColumns + t % kColumns;
    double first = 0, second = 0;
    if (channel < channels)
      for (std::int64_t row = begin + t / kColumns; row < end; row += kLanes) read(row, channel, first, second);
    shared.sums[t / kColumns][t % kColumns].first = first;
    shared.sums[t / kColumns][t % kColumns].second = second;
  });
  block.threads([&](int t) {
    const std::int64_t channel = block.x() * kColumns + t;
    if (t >= kColumns || channel >= channels) return;
    double first = 0, second = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
      first += shared.sums[lane][t].first;
      second += shared.sums[lane][t].second;
    }
    body(channel, first, second);
  });
}

struct NormSumsKernel {
  using Args = NormSumsArgs;
  using Shared = NormShared;
  static constexpr int kThreads = kNormThreads;

  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared& shared) {
    const std::int64_t begin = block.y() * a.rowsPerBlock;
    const std::int64_t end = begin + a.rowsPerBlock < a.rows ? begin + a.rowsPerBlock : a.rows;
    eachChannelSum(
        block, shared, begin, end, a.channels,
        [&](std::int64_t row, std::int64_t channel, double& first, double& second) {
          const std::int64_t at = row * a.channels + channel;
          const double x = static_cast<double>(a.x[at]);
          const double one = a.dy == nullptr ? x : static_cast<double>(a.dy[at]);
          first += one;
          second += one * (a.dy == nullptr ? x : x - a.mean[channel]);
        },
        [&](std::int64_t channel, double first, double second) {
          ChannelSums& out = a.partial[block.y() * a.channels + channel];
          out.first = first;
          out.second = second;
        });
  }
};

// Adds up the parts for the kernels below.
template <typename Block, typename Args, typename Body>
LAB_DEVICE void eachTotal(Block& block, NormShared& shared, const Args& a, const Body& body) {
  eachChannelSum(
      block, shared, 0, a.parts, a.channels,
      [&](std::int64_t part, std::int64_t channel, double& first, double& second) {
        first += a.partial[part * a.channels + channel].first;
        second += a.partial[part * a.channels + channel].second;
      },
      body);
}

struct NormTotalKernel {
  using Args = NormTotalArgs;
  using Shared = NormShared;
  static constexpr int kThreads = kNormThreads;
  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared& shared) {
    eachTotal(block, shared, a, [&](std::int64_t channel, double first, double second) {
      a.total[channel].first = first;
      a.total[channel].second = second;
    });
  }
};

struct NormForwardKernel {
  using Args = NormForwardArgs;
  using Shared = NormShared;
  static constexpr int kThreads = kNormThreads;
  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared& shared) {
    eachTotal(block, shared, a, [&](std::int64_t channel, double first, double second) {
      const double mean = first / a.count, spread = second / a.count - mean * mean, variance = spread > 0 ? spread : 0;
      const double inverse = 1 / sqrt(variance + a.epsilon);
      const double gamma = a.gamma != nullptr ? static_cast<double>(a.gamma[channel]) : 1;
      const double beta = a.beta != nullptr ? static_cast<double>(a.beta[channel]) : 0;
      a.norm[channel] = mean;
      a.norm[a.channels + channel] = inverse;
      a.coefficients[channel] = static_cast<float>(gamma * inverse);
      a.coefficients[a.channels + channel] = static_cast<float>(beta - gamma * inverse * mean);
      if (a.movingMean == nullptr) return;
      a.movingMean[channel] = a.movingMean[channel] * a.keep + static_cast<float>(mean) * a.take;
      a.movingVariance[channel] = a.movingVariance[channel] * a.keep + static_cast<float>(variance) * a.take;
    });
  }
};

// dx = γ/σ · (dy − mean of dy − (x − mean) / σ² · mean of dy·(x − mean))
struct NormBackwardKernel {
  using Args = NormBackwardArgs;
  using Shared = NormShared;
  static constexpr int kThreads = kNormThreads;
  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared& shared) {
    eachTotal(block, shared, a, [&](std::int64_t channel, double first, double second) {
      const double mean = a.norm[channel], inverse = a.norm[a.channels + channel];
      if (a.dGamma != nullptr) a.dGamma[channel] = static_cast<float>(second * inverse);
      if (a.dBeta != nullptr) a.dBeta[channel] = static_cast<float>(first);
      if (a.coefficients == nullptr) return;
      const double gamma = a.gamma != nullptr ? static_cast<double>(a.gamma[channel]) : 1;
      const double factor = gamma * inverse, slope = factor * inverse * inverse * second / a.count;
      a.coefficients[channel] = static_cast<float>(factor);
      a.coefficients[a.channels + channel] = static_cast<float>(-slope);
      a.coefficients[2 * a.channels + channel] = static_cast<float>(slope * mean - factor * first / a.count);
    });
  }
};

struct NormMovingKernel {
  using Args = NormMovingArgs;
  struct Shared {};
  static constexpr int kThreads = kElementThreads;
  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared&) {
    eachElement(block, a.channels, [&](std::int64_t c) {
      const double gamma = a.gamma != nullptr ? static_cast<double>(a.gamma[c]) : 1;
      const double beta = a.beta != nullptr ? static_cast<double>(a.beta[c]) : 0;
      const double inverse = 1 / sqrt(static_cast<double>(a.variance[c]) + a.epsilon);
      a.coefficients[c] = static_cast<float>(gamma * inverse);
      a.coefficients[a.channels + c] = static_cast<float>(beta - gamma * inverse * static_cast<double>(a.mean[c]));
    });
  }
};

struct ScaleAndShiftKernel {
  using Args = ScaleAndShiftArgs;
  struct Shared {};
  static constexpr int kThreads = kElementThreads;
  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared&) {
    eachElement(block, a.size, [&](std::int64_t i) {
      const int element = static_cast<int>(i);
      const int channel = element - divided(element, a.byChannels) * static_cast<int>(a.channels);
      a.y[i] = a.x[i] * a.factor[channel] + a.term[channel];
    });
  }
};

struct CombineKernel {
  using Args = CombineArgs;
  struct Shared {};
  static constexpr int kThreads = kElementThreads;
  template <typename Block>
  LAB_DEVICE static void run(Block& block, const Args& a, Shared&) {
    eachElement(block, a.size, [&](std::int64_t i) {
      const int element = static_cast<int>(i);
      const int channel = element - divided(element, a.byChannels) * static_cast<int>(a.channels);
      const float dx = a.dy[i] * a.a[channel] + a.x[i] * a.b[channel] + a.c[channel];
      a.dx[i] = a.mask != nullptr && a.mask[i] <= 0 ? 0 : dx;
    });
  }
};

}  // namespace lab::gpu
