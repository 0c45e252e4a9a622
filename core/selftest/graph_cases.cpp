// SPDX-License-Identifier: GPL-3.0-or-later
// Cases of operations that only graphs need: depthwise convolutions, layer normalisation, activations, sums and parts
// of arrays.
#include <string>
#include <utility>
#include <vector>

#include "core/selftest/operation_case_parts.h"

namespace lab {
namespace {

using namespace case_parts;

struct DepthwiseCase {
  LayerWindow window;
  std::int64_t multiplier = 1, n = 1;

  std::int64_t in() const { return n * window.inSize(); }
  std::int64_t out() const { return n * window.places() * window.channels * multiplier; }
  std::int64_t kernel() const { return window.taps() * multiplier; }
  std::string text() const {
    return ", " + std::to_string(window.inHeight) + "x" + std::to_string(window.inWidth) + ", " +
           std::to_string(window.channels) + " channels times " + std::to_string(multiplier) + ", window " +
           std::to_string(window.height) + "x" + std::to_string(window.width) + ", stride " +
           std::to_string(window.strideY) + ", n = " + std::to_string(n);
  }
};

std::vector<DepthwiseCase> depthwiseCases() {
  std::vector<DepthwiseCase> all;
  for (const std::int64_t n : {0, 1, 5})
    for (const std::int64_t multiplier : {1, 3})
      for (const std::int64_t channels : {1, 5, 32}) {
        all.push_back({{9, 8, channels, 3, 3, 1, 1, 1, 1, 9, 8}, multiplier, n});  // same
        all.push_back({{7, 6, channels, 3, 2, 2, 1, 0, 0, 3, 5}, multiplier, n});  // valid
        all.push_back({{8, 8, channels, 4, 4, 3, 3, 1, 1, 3, 3}, multiplier, n});  // skips some pixels
      }
  return all;
}

OperationCase depthwise(const DepthwiseCase& c, Kind kind) {
  return productCase("depthwise" + c.text(), kind, c.window.taps(), [=](Source& source, Backend& backend) {
    const Floats x = source.floats(c.in()), kernel = source.floats(c.kernel()),
                 bias = source.floats(c.window.channels * c.multiplier), dy = source.floats(c.out());
    Guarded<float> y(c.out()), cut(c.out()), dKernel(c.kernel()), dx(c.in());
    LayerBackend& layers = *backend.layers();
    layers.depthwise(c.n, c.window, c.multiplier, x.data(), kernel.data(), nullptr, false, y.data());
    layers.depthwise(c.n, c.window, c.multiplier, x.data(), kernel.data(), bias.data(), kind == Kind::Exact,
                     cut.data());
    layers.depthwiseKernelGradient(c.n, c.window, c.multiplier, x.data(), dy.data(), dKernel.data());
    layers.depthwiseInputGradient(c.n, c.window, c.multiplier, dy.data(), kernel.data(), dx.data());
    return collectFloats(y, cut, dKernel, dx);
  });
}

// Few values may have a variance near zero: a large ε keeps the effects of rounding small.
OperationCase layerNorm(std::int64_t rows, std::int64_t channels, bool scaled, bool first) {
  OperationCase result = productCase(
      withCount("layerNorm" + std::string(scaled ? "" : " without gamma and beta") +
                    (first ? " of the first layer" : "") + ", channels " + std::to_string(channels),
                rows),
      Kind::Real, 1, [=](Source& source, Backend& backend) {
        const Floats x = source.floats(rows * channels), dy = source.floats(rows * channels),
                     gamma = source.floats(channels), beta = source.floats(channels);
        Guarded<float> y(rows * channels), dx(rows * channels), dGamma(channels), dBeta(channels);
        const float* by = scaled ? gamma.data() : nullptr;
        backend.layers()->layerNorm(rows, channels, 0.25, x.data(), by, scaled ? beta.data() : nullptr, y.data());
        backend.layers()->layerNormBackward(rows, channels, 0.25, x.data(), by, dy.data(), first ? nullptr : dx.data(),
                                            scaled ? dGamma.data() : nullptr, dBeta.data());
        return collectFloats(y, dx, dGamma, dBeta);
      });
  result.bound = 64 * kEpsilon;  // for values of a few units
  result.scale = {};
  return result;
}

OperationCase activation(std::int64_t size, ActivationFunction function) {
  OperationCase result =
      productCase(withCount("activation " + std::string(activationWord(function)), size), Kind::Real, 1,
                  [=](Source& source, Backend& backend) {
                    Floats x = source.floats(size);
                    const Floats dy = source.floats(size);
                    for (float& value : x) value *= 9;
                    if (size > 0) x.front() = 0;  // a kink of some
                    Guarded<float> y(size), dx(size);
                    backend.layers()->activation(size, function, 0.3, x.data(), y.data());
                    backend.layers()->activationGradient(size, function, 0.3, x.data(), dy.data(), dx.data());
                    return collectFloats(y, dx);
                  });
  result.bound = 4 * kEpsilon;
  result.scale = {};
  return result;
}

OperationCase blocks(const LayerBlocks& of) {
  return productCase("blocks of " + std::to_string(of.count) + ", n = " + std::to_string(of.images), Kind::Exact, 1,
                     [=](Source& source, Backend& backend) {
                       const std::int64_t extent = of.images * of.image + of.first;
                       const Floats dense = source.floats(of.size()), larger = source.floats(extent);
                       Guarded<float> placed(larger), taken(of.size()), sum(of.size()), cleared(larger);
                       LayerBackend& layers = *backend.layers();
                       layers.placeBlocks(of, dense.data(), placed.data());
                       layers.takeBlocks(of, larger.data(), taken.data());
                       layers.add(of.size(), dense.data(), taken.data(), sum.data());
                       layers.clear(extent, cleared.data());
                       return collectFloats(placed, taken, sum, cleared);
                     });
}

}  // namespace

std::vector<OperationCase> graphCases() {
  std::vector<OperationCase> cases;
  for (const DepthwiseCase& each : depthwiseCases())
    for (const Kind kind : {Kind::Exact, Kind::Real}) cases.push_back(depthwise(each, kind));
  for (const auto& [rows, channels] : {std::pair{0, 5}, {1, 1}, {3, 7}, {64, 33}, {300, 16}, {7, 513}})
    for (const bool scaled : {true, false})
      for (const bool first : {true, false}) cases.push_back(layerNorm(rows, channels, scaled, first));
  for (const std::int64_t size : {0, 1, 255, 257, 3000})
    for (const auto& [function, word] : kActivationWords) cases.push_back(activation(size, function));
  for (const std::int64_t n : {0, 1, 3}) {
    cases.push_back(blocks({.images = n, .rows = 6, .count = 10, .image = 9 * 13, .row = 13, .first = 15}));
    cases.push_back(blocks({.images = n, .rows = 700, .count = 3, .image = 700 * 8, .row = 8, .first = 2}));
  }
  return cases;
}

}  // namespace lab
