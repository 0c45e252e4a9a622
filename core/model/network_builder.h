// SPDX-License-Identifier: GPL-3.0-or-later
// Builds a network layer by layer. Layers are named as Keras counts them: "conv2d", "conv2d_1".
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/model/neural_network.h"

namespace lab {

// Each function adds a layer and returns its index, for the layers that read it.
class NetworkBuilder {
 public:
  static constexpr int kInput = NetworkLayer::kNetworkInput;

  // How a convolution's kernel moves.
  struct Window {
    std::int64_t height = 1, width = 1, stride = 1;
    bool same = true;
    std::int64_t groups = 1;
  };

  int conv(int from, std::int64_t filters, const Window& window);  // without bias
  int norm(int from);
  int relu(int from);
  int convNormRelu(int from, std::int64_t filters, const Window& window);
  int convRelu(int from, std::int64_t filters, const Window& window);  // one layer, with bias
  int maxPool(int from, std::int64_t side, std::int64_t stride, bool same = false);
  int averagePool(int from, std::int64_t side);  // stride 1, the same size
  int sum(int first, int second);
  int concatenate(std::vector<int> inputs);
  int globalAverage(int from);
  int globalMax(int from);
  int flatten(int from);
  int denseRelu(int from, std::int64_t units);

  // Ends with a Dense of `classes` outputs.
  NeuralNetwork end(int from, std::int64_t classes, std::string key, std::vector<std::int64_t> input);

 private:
  int add(const std::string& base, NetworkLayer layer, std::vector<int> inputs);

  std::vector<NetworkLayer> layers_;
  std::map<std::string, int> count_;  // by base
};

}  // namespace lab
