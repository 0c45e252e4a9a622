// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/network_profile.h"

#include <functional>
#include <numeric>
#include <string>

#include "core/base/at.h"
#include "core/model/known_networks.h"

namespace lab {
namespace {

using Kind = NetworkLayer::Kind;

double countOf(const std::vector<std::int64_t>& shape) {
  return static_cast<double>(std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>()));
}

std::string fromTo(std::int64_t from, std::int64_t to) {
  return " " + std::to_string(from) + "→" + std::to_string(to);
}

// Returns the operation of the product whose kernels compute a normalisation too; -1 if it follows no product.
int fusedWith(const NeuralNetwork& network, std::size_t index) {
  for (int from = network.layers()[index].inputs.front(); from != NetworkLayer::kNetworkInput;) {
    const NetworkLayer& layer = at(network.layers(), from);
    if (layer.forward >= 0 && layer.kind != Kind::BatchNorm && layer.kind != Kind::LayerNorm) return layer.forward;
    from = layer.inputs.front();
  }
  return -1;
}

LayerProfile profileOf(const NeuralNetwork& network, std::size_t index) {
  const NetworkLayer& layer = network.layers()[index];
  const std::int64_t in = network.inputOf(index).back();
  LayerProfile profile;
  profile.activations = countOf(layer.output);
  profile.elementwisePasses = 2;
  const bool normalizesBatch = layer.kind == Kind::BatchNorm;
  const std::int64_t bias = layer.bias ? layer.output.back() : 0, kernel = layer.parameters - bias;
  if (normalizesBatch || layer.kind == Kind::LayerNorm) {
    // Twice two passes besides the two of the relu after a product.
    profile.name = (normalizesBatch ? "norm" : "layer norm") + fromTo(in, in);
    profile.elementwisePasses = 4;
    profile.fusedWith = fusedWith(network, index);
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
  profile.name = network.key();
  for (const KnownNetwork& known : timedNetworks())
    if (known.key == network.key()) profile.name = known.name;
  profile.inputElements = static_cast<double>(network.inputSize());
  for (std::size_t i = 0; i < network.layers().size(); ++i)
    if (network.layers()[i].forward >= 0) profile.layers.push_back(profileOf(network, i));
  return profile;
}

}  // namespace lab
