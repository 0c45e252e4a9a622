// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/resnet20.h"

#include <string>
#include <utility>
#include <vector>

namespace lab {
namespace {

using Kind = NetworkLayer::Kind;

// Names layers as Keras counts them, and returns each layer's index.
class Graph {
 public:
  int add(const std::string& base, NetworkLayer layer, std::vector<int> inputs) {
    int& count = base == "conv2d"                ? convolutions_
                 : base == "batch_normalization" ? norms_
                 : base == "re_lu"               ? relus_
                                                 : adds_;
    layer.name = count == 0 ? base : base + "_" + std::to_string(count);
    ++count;
    layer.inputs = std::move(inputs);
    layers_.push_back(std::move(layer));
    return static_cast<int>(layers_.size()) - 1;
  }
  int conv(int from, std::int64_t filters, std::int64_t side, std::int64_t stride) {
    return add("conv2d",
               {.kind = Kind::Conv2D,
                .units = filters,
                .side = side,
                .strideY = stride,
                .strideX = stride,
                .same = true,
                .bias = false},
               {from});
  }
  int norm(int from) { return add("batch_normalization", {.kind = Kind::BatchNorm}, {from}); }
  int relu(int from) { return add("re_lu", {.kind = Kind::Activation, .relu = true}, {from}); }
  int sum(int a, int b) { return add("add", {.kind = Kind::Add}, {a, b}); }
  std::vector<NetworkLayer>& layers() { return layers_; }

 private:
  std::vector<NetworkLayer> layers_;
  int convolutions_ = 0, norms_ = 0, relus_ = 0, adds_ = 0;
};

NeuralNetwork make() {
  constexpr int kStages = 3, kBlocks = 3;
  Graph graph;
  int at = graph.relu(graph.norm(graph.conv(NetworkLayer::kNetworkInput, 16, 3, 1)));
  for (int stage = 0; stage < kStages; ++stage)
    for (int block = 0; block < kBlocks; ++block) {
      const std::int64_t filters = 16 << stage;
      const bool shrinks = stage > 0 && block == 0;
      const int first = graph.relu(graph.norm(graph.conv(at, filters, 3, shrinks ? 2 : 1)));
      // Keras puts layers at equal distance from the output next to each other.
      const int second = graph.conv(first, filters, 3, 1);
      const int projection = shrinks ? graph.conv(at, filters, 1, 2) : at;
      const int normed = graph.norm(second);
      at = graph.relu(graph.sum(normed, shrinks ? graph.norm(projection) : at));
    }
  std::vector<NetworkLayer>& layers = graph.layers();
  layers.push_back({.kind = Kind::GlobalAveragePool2D, .name = "global_average_pooling2d"});
  layers.push_back({.kind = Kind::Dense, .name = "dense", .units = 10});
  return {"resnet20", {32, 32, 3}, std::move(layers)};
}

}  // namespace

const NeuralNetwork& resnet20Network() {
  static const NeuralNetwork network = make();
  return network;
}

}  // namespace lab
