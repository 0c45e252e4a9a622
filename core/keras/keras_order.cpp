// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/keras/keras_order.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/base/at.h"

namespace lab {
namespace {

// Returns "conv2d" for "conv2d_3".
std::string baseOf(const std::string& name) {
  const std::size_t end = name.find_last_not_of("0123456789");
  return end != std::string::npos && end > 0 && end + 1 < name.size() && name[end] == '_' ? name.substr(0, end) : name;
}

// Returns the length of the longest path from each layer to the output.
std::vector<int> distances(const std::vector<NetworkLayer>& layers) {
  std::vector<int> distance(layers.size());
  for (std::size_t i = layers.size(); i-- > 0;)
    for (const int from : layers[i].inputs)
      if (from >= 0) {
        int& before = at(distance, from);
        before = std::max(before, distance[i] + 1);
      }
  return distance;
}

// Returns when a walk from the output, along each layer's inputs in order, first meets each layer.
std::vector<int> meetings(const std::vector<NetworkLayer>& layers) {
  std::vector<int> met(layers.size(), -1);
  std::vector<std::size_t> next{layers.size() - 1};
  for (int count = 0; !next.empty();) {
    const std::size_t layer = next.back();
    next.pop_back();
    if (met[layer] >= 0) continue;
    met[layer] = count++;
    for (auto from = layers[layer].inputs.rbegin(); from != layers[layer].inputs.rend(); ++from)
      if (*from >= 0) next.push_back(static_cast<std::size_t>(*from));
  }
  return met;
}

}  // namespace

KerasOrder inKerasOrder(const NeuralNetwork& network) {
  if (network.isChain()) {
    std::vector<std::size_t> same(network.layers().size());
    std::iota(same.begin(), same.end(), std::size_t{0});
    return {network, std::move(same)};
  }
  const std::vector<NetworkLayer>& layers = network.layers();
  const std::vector<int> distance = distances(layers), met = meetings(layers);
  std::vector<std::size_t> order(layers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(-distance[i], met[i]); });
  std::vector<std::size_t> places(layers.size());
  for (std::size_t i = 0; i < order.size(); ++i) places[order[i]] = i;
  std::map<std::string, int> count;
  std::vector<NetworkLayer> sorted;
  for (const std::size_t i : order) {
    NetworkLayer layer = layers[i];
    const std::string base = baseOf(layer.name);
    const int number = count[base]++;
    layer.name = number == 0 ? base : base + "_" + std::to_string(number);
    for (int& from : layer.inputs)
      if (from >= 0) from = static_cast<int>(at(places, from));
    sorted.push_back(std::move(layer));
  }
  return {NeuralNetwork(network.key(), network.input(), std::move(sorted)), std::move(places)};
}

}  // namespace lab
