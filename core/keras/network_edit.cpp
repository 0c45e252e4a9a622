// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/keras/network_edit.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/keras/keras_json.h"
#include "core/keras/keras_order.h"

namespace lab {
namespace {

using Kind = NetworkLayer::Kind;
using Layers = std::vector<NetworkLayer>;

NetworkLayer usual(Kind kind) {
  switch (kind) {
    case Kind::Conv2D:
      return {.kind = kind, .name = "conv2d", .units = 16, .side = 3, .relu = true};
    case Kind::MaxPool2D:
      return {.kind = kind, .name = "max_pooling2d", .side = 2};
    case Kind::Dense:
      return {.kind = kind, .name = "dense", .units = 32, .relu = true};
    case Kind::Dropout:
      return {.kind = kind, .name = "dropout", .rate = 0.25};
    case Kind::BatchNorm:
      return {.kind = kind, .name = "batch_normalization"};
    default:
      break;
  }
  LAB_CHECK(false);
}

bool isOfImages(Kind kind) {
  return kind == Kind::Conv2D || kind == Kind::MaxPool2D;
}

// Returns the Dense that gives the classes; a softmax may follow it.
std::size_t outputOf(const Layers& layers) {
  const auto last = std::ranges::find(layers.rbegin(), layers.rend(), Kind::Dense, &NetworkLayer::kind);
  return last == layers.rend() ? layers.size() - 1 : static_cast<std::size_t>(layers.rend() - last) - 1;
}

std::size_t flattenOf(const Layers& layers) {
  return static_cast<std::size_t>(std::ranges::find(layers, Kind::Flatten, &NetworkLayer::kind) - layers.begin());
}

// Inserts the layer between the layer before `at` and all layers that read that one.
void insert(Layers& layers, std::size_t at, NetworkLayer layer) {
  const int own = static_cast<int>(at);
  layer.inputs = {own - 1};
  for (NetworkLayer& each : layers)
    for (int& from : each.inputs) from += from >= own - 1 ? 1 : 0;
  layers.insert(layers.begin() + static_cast<std::ptrdiff_t>(at), std::move(layer));
}

// Returns the network with layers named as Keras counts them, and checked.
EditedNetwork made(const NeuralNetwork& from, Layers layers, std::size_t layer, const std::string& key) {
  const NeuralNetwork edited(key, from.input(), std::move(layers));
  const KerasOrder order = inKerasOrder(edited);
  return {parseKerasJson(kerasJson(order.network), key, key), order.places[layer]};
}

}  // namespace

const std::vector<Kind>& kindsToAdd() {
  static const std::vector<Kind> kinds{Kind::Conv2D, Kind::MaxPool2D, Kind::Dense, Kind::Dropout, Kind::BatchNorm};
  return kinds;
}

EditedNetwork withLayer(const NeuralNetwork& network, std::size_t after, Kind kind, const std::string& key) {
  Layers layers = network.layers();
  const std::size_t flatten = flattenOf(layers), output = outputOf(layers);
  std::size_t at = std::min(after + 1, output);
  if (isOfImages(kind) && flatten < layers.size()) at = std::min(at, flatten);
  if (kind == Kind::Dense && flatten < output) at = std::clamp(at, flatten + 1, output);
  insert(layers, at, usual(kind));
  return made(network, std::move(layers), at, key);
}

bool canRemove(const NeuralNetwork& network, std::size_t layer) {
  const NetworkLayer& of = network.layers()[layer];
  return layer < outputOf(network.layers()) && of.kind != Kind::Flatten && of.inputs.size() == 1;
}

EditedNetwork withoutLayer(const NeuralNetwork& network, std::size_t layer, const std::string& key) {
  LAB_CHECK(canRemove(network, layer));
  Layers layers = network.layers();
  const int own = static_cast<int>(layer), before = layers[layer].inputs.front();
  layers.erase(layers.begin() + static_cast<std::ptrdiff_t>(layer));
  for (NetworkLayer& each : layers)
    for (int& from : each.inputs) from = from == own ? before : from > own ? from - 1 : from;
  return made(network, std::move(layers), layer > 0 ? layer - 1 : 0, key);
}

bool hasUnits(const NeuralNetwork& network, std::size_t layer) {
  const Kind kind = network.layers()[layer].kind;
  return kind == Kind::Conv2D || (kind == Kind::Dense && layer < outputOf(network.layers()));
}

EditedNetwork withUnits(const NeuralNetwork& network, std::size_t layer, std::int64_t units, const std::string& key) {
  LAB_CHECK(hasUnits(network, layer));
  Layers layers = network.layers();
  layers[layer].units = units;
  return made(network, std::move(layers), layer, key);
}

}  // namespace lab
