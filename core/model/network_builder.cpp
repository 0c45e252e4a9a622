// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/network_builder.h"

#include <utility>

namespace lab {
namespace {

using Kind = NetworkLayer::Kind;

NetworkLayer convolution(std::int64_t filters, const NetworkBuilder::Window& window) {
  return {.kind = Kind::Conv2D,
          .units = filters,
          .side = window.height,
          .width = window.width,
          .strideY = window.stride,
          .strideX = window.stride,
          .groups = window.groups,
          .same = window.same,
          .bias = false};
}

}  // namespace

int NetworkBuilder::conv(int from, std::int64_t filters, const Window& window) {
  return add("conv2d", convolution(filters, window), {from});
}

int NetworkBuilder::norm(int from) {
  return add("batch_normalization", {.kind = Kind::BatchNorm}, {from});
}

int NetworkBuilder::relu(int from) {
  return add("re_lu", {.kind = Kind::Activation, .relu = true}, {from});
}

int NetworkBuilder::convNormRelu(int from, std::int64_t filters, const Window& window) {
  return relu(norm(conv(from, filters, window)));
}

int NetworkBuilder::convRelu(int from, std::int64_t filters, const Window& window) {
  NetworkLayer layer = convolution(filters, window);
  layer.relu = layer.bias = true;
  return add("conv2d", std::move(layer), {from});
}

int NetworkBuilder::maxPool(int from, std::int64_t side, std::int64_t stride, bool same) {
  return add("max_pooling2d",
             {.kind = Kind::MaxPool2D, .side = side, .strideY = stride, .strideX = stride, .same = same}, {from});
}

int NetworkBuilder::averagePool(int from, std::int64_t side) {
  return add("average_pooling2d", {.kind = Kind::AveragePool2D, .side = side, .strideY = 1, .strideX = 1, .same = true},
             {from});
}

int NetworkBuilder::sum(int first, int second) {
  return add("add", {.kind = Kind::Add}, {first, second});
}

int NetworkBuilder::concatenate(std::vector<int> inputs) {
  return add("concatenate", {.kind = Kind::Concatenate}, std::move(inputs));
}

int NetworkBuilder::globalAverage(int from) {
  return add("global_average_pooling2d", {.kind = Kind::GlobalAveragePool2D}, {from});
}

int NetworkBuilder::globalMax(int from) {
  return add("global_max_pooling2d", {.kind = Kind::GlobalMaxPool2D}, {from});
}

int NetworkBuilder::flatten(int from) {
  return add("flatten", {.kind = Kind::Flatten}, {from});
}

int NetworkBuilder::denseRelu(int from, std::int64_t units) {
  return add("dense", {.kind = Kind::Dense, .units = units, .relu = true}, {from});
}

NeuralNetwork NetworkBuilder::end(int from, std::int64_t classes, std::string key, std::vector<std::int64_t> input) {
  add("dense", {.kind = Kind::Dense, .units = classes}, {from});
  return {std::move(key), std::move(input), std::move(layers_)};
}

int NetworkBuilder::add(const std::string& base, NetworkLayer layer, std::vector<int> inputs) {
  const int number = count_[base]++;
  layer.name = number == 0 ? base : base + "_" + std::to_string(number);
  layer.inputs = std::move(inputs);
  layers_.push_back(std::move(layer));
  return static_cast<int>(layers_.size()) - 1;
}

}  // namespace lab
