// SPDX-License-Identifier: GPL-3.0-or-later
// Cases of batch normalisation: sums of channels, and a GPU's fused operations. With every number of rows at which sums
// are split.
#include <string>
#include <utility>
#include <vector>

#include "core/base/at.h"
#include "core/selftest/fused_layers.h"
#include "core/selftest/operation_case_parts.h"

namespace lab {
namespace {

using namespace case_parts;

OperationCase channelSums(std::int64_t rows, std::int64_t channels, bool gradient) {
  return productCase(
      withCount((gradient ? "gradientSums, channels " : "sums, channels ") + std::to_string(channels), rows),
      Kind::Exact, 1, [=](Source& source, Backend& backend) {
        const Floats x = source.floats(rows * channels), dy = source.floats(rows * channels),
                     centre = source.floats(channels);
        const std::vector<double> mean(centre.begin(), centre.end());
        std::vector<ChannelSums> sums(static_cast<std::size_t>(channels));
        if (gradient)
          backend.layers()->gradientSums(rows, channels, x.data(), dy.data(), mean.data(), sums.data());
        else
          backend.layers()->sums(rows, channels, x.data(), sums.data());
        OperationOutputs outputs;
        for (const ChannelSums& sum : sums)
          outputs.floats.push_back({static_cast<float>(sum.first), static_cast<float>(sum.second)});
        return outputs;
      });
}

OperationCase perChannel(std::int64_t rows, std::int64_t channels, bool combined) {
  return productCase(
      withCount((combined ? "combine, channels " : "scaleAndShift, channels ") + std::to_string(channels), rows),
      Kind::Exact, 1, [=](Source& source, Backend& backend) {
        const Floats x = source.floats(rows * channels), dy = source.floats(rows * channels),
                     a = source.floats(channels), b = source.floats(channels), c = source.floats(channels);
        Guarded<float> y(rows * channels);
        if (combined)
          backend.layers()->combine(rows, channels, dy.data(), a.data(), x.data(), b.data(), c.data(), y.data());
        else
          backend.layers()->scaleAndShift(rows, channels, x.data(), a.data(), b.data(), y.data());
        return collectFloats(y);
      });
}

enum class Norm { Batch, Moving, Backward, BackwardOfFirst };

// Few values may have a variance near zero: a larger ε keeps the effects of rounding small.
OperationCase normalization(std::int64_t rows, std::int64_t channels, bool scaled, Norm what) {
  const char* names[] = {"normalize", "normalizeByMoving", "normalizeBackward", "normalizeBackward of the first layer"};
  OperationCase result = productCase(
      withCount(names[static_cast<int>(what)] + std::string(scaled ? "" : " without gamma and beta") + ", channels " +
                    std::to_string(channels),
                rows),
      Kind::Real, 1, [=](Source& source, Backend& backend) {
        const Floats x = source.floats(rows * channels), dy = source.floats(rows * channels),
                     gamma = source.floats(channels), beta = source.floats(channels), mask = source.floats(x.size());
        Guarded<float> movingMean(source.floats(channels)), movingVariance(source.positiveFloats(channels));
        Guarded<float> y(rows * channels), dGamma(channels), dBeta(channels);
        const BatchNormOf of{.rows = rows,
                             .channels = channels,
                             .gamma = scaled ? gamma.data() : nullptr,
                             .beta = scaled ? beta.data() : nullptr,
                             .epsilon = rows < 60 ? 0.25 : 1e-3,
                             .momentum = 0.9};
        std::vector<double> norm(static_cast<std::size_t>(2 * channels), 1);
        for (std::int64_t c = 0; c < channels; ++c) at(norm, c) = at(gamma, c);
        return withFused(backend, [&](FusedLayers& fused) {
          if (what == Norm::Batch)
            fused.normalize(of, x.data(), y.data(), norm.data(), movingMean.data(), movingVariance.data());
          else if (what == Norm::Moving)
            fused.normalizeByMoving(of, movingMean.data(), movingVariance.data(), x.data(), y.data());
          else
            fused.normalizeBackward(of, norm.data(), x.data(), dy.data(), scaled ? mask.data() : nullptr,
                                    scaled ? dGamma.data() : nullptr, scaled ? dBeta.data() : nullptr,
                                    what == Norm::Backward ? y.data() : nullptr);
          OperationOutputs outputs = collectFloats(y, movingMean, movingVariance, dGamma, dBeta);
          outputs.floats.emplace_back(norm.begin(), norm.end());
          return outputs;
        });
      });
  result.bound = 64 * kEpsilon;  // for values of a few units
  result.scale = {};
  return result;
}

}  // namespace

std::vector<OperationCase> normCases() {
  std::vector<OperationCase> cases;
  for (const auto& [rows, channels] :
       {std::pair{0, 5}, {1, 1}, {2, 3}, {7, 32}, {64, 33}, {65, 5}, {257, 20}, {600, 40}, {1030, 3}}) {
    for (const bool other : {false, true}) {
      cases.push_back(channelSums(rows, channels, other));
      cases.push_back(perChannel(rows, channels, other));
      for (const Norm what : {Norm::Batch, Norm::Moving, Norm::Backward})
        cases.push_back(normalization(rows, channels, other, what));
    }
    cases.push_back(normalization(rows, channels, true, Norm::BackwardOfFirst));
  }
  return cases;
}

}  // namespace lab
