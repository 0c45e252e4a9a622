// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/network_profile.h"

#include <functional>
#include <numeric>
#include <string>

namespace lab {
namespace {

using Kind = NetworkLayer::Kind;

double countOf(const std::vector<std::int64_t>& shape) {
  return static_cast<double>(std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>()));
}

std::string fromTo(std::int64_t from, std::int64_t to) {
  return " " + std::to_string(from) + "→" + std::to_string(to);
}

LayerProfile profileOf(const NeuralNetwork& network, std::size_t index) {
  const NetworkLayer& layer = network.layers()[index];
  const std::int64_t in = network.inputOf(index).back();
  LayerProfile profile;
  profile.activations = countOf(layer.output);
  profile.elementwisePasses = 2;
  profile.kernels = 1;
  const bool normalizesBatch = layer.kind == Kind::BatchNorm;
  const std::int64_t bias = layer.bias ? layer.output.back() : 0, kernel = layer.parameters - bias;
  if (normalizesBatch || layer.kind == Kind::LayerNorm) {
    // Two passes more than the relu after a product, and no kernels of its own, as in the presets.
    profile.name = (normalizesBatch ? "norm" : "layer norm") + fromTo(in, in);
    profile.elementwisePasses = 4;
    profile.kernels = 0;
    if (normalizesBatch) profile.statistics = 2 * in;  // mean and variance
    if (layer.scaled) profile.tensors.push_back(in);
    if (layer.centered) profile.tensors.push_back(in);
    // Per channel the sums of x and of x², then of dy and of dy·x; and the number of examples.
    if (layer.synchronized) profile.summedElements = 2 * in + 1;
    return profile;
  }
  if (layer.kind == Kind::Conv2D || layer.kind == Kind::DepthwiseConv2D) {
    profile.name = (layer.kind == Kind::Conv2D ? "conv" : "depthwise") + std::to_string(layer.side) + "x" +
                   std::to_string(layer.width) + fromTo(in, layer.output.back());
    profile.forwardMac = static_cast<double>(kernel * layer.output[0] * layer.output[1]);
  } else {
    profile.name = "dense" + fromTo(in, layer.units);
    profile.forwardMac = static_cast<double>(kernel);
  }
  profile.tensors = {kernel};
  if (bias > 0) profile.tensors.push_back(bias);
  return profile;
}

}  // namespace

ModelProfile profileOf(const NeuralNetwork& network) {
  ModelProfile profile;
  profile.key = network.key();
  const ModelProfile* preset = findModelPreset(network.key());
  profile.name = preset != nullptr ? preset->name : network.key();
  profile.inputElements = static_cast<double>(network.inputSize());
  for (std::size_t i = 0; i < network.layers().size(); ++i)
    if (network.layers()[i].forward >= 0) profile.layers.push_back(profileOf(network, i));
  return profile;
}

}  // namespace lab
