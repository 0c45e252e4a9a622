// SPDX-License-Identifier: GPL-3.0-or-later
// A network as a graph of layers, and what follows from it: where each variable lies, what a step computes, what it
// costs. A value that a run is built with and carries (RunInfo); nothing asks for "the" network.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/device/activation.h"
#include "core/model/layout.h"

namespace lab {

struct LayerWindow;

// Floating point operations, bytes to and from device memory, kernels launched.
struct OpCost {
  double flop = 0;
  double bytes = 0;
  int launches = 0;
};

struct NetworkLayer {
  enum class Kind {
    Conv2D,
    MaxPool2D,
    Flatten,
    Dense,
    AveragePool2D,
    Dropout,
    BatchNorm,
    Activation,
    Add,
    Concatenate,  // along the last axis
    GlobalAveragePool2D,
    GlobalMaxPool2D,
    ZeroPadding2D,
    DepthwiseConv2D,
    LayerNorm,  // along the last axis
  };
  static constexpr int kNetworkInput = -1;
  Kind kind = Kind::Dense;
  std::string name;        // Keras's, "conv2d"; its variables are "conv2d/kernel" and "conv2d/bias"
  std::int64_t units = 0;  // filters, outputs; of a DepthwiseConv2D for each channel
  std::int64_t side = 0;   // height of the kernel or the window
  bool relu = false;

  // Where it is not the usual.
  std::int64_t width = 0;                 // of the kernel or the window; 0: as its height
  std::int64_t strideY = 0, strideX = 0;  // 0: 1 of a convolution, the window's own size of pooling
  bool same = false;     // padding: ⌈in / stride⌉ places; else the window only lies inside the image
  bool bias = true;      // Conv2D, DepthwiseConv2D, Dense
  bool softmax = false;  // the network's last: its outputs are probabilities
  double rate = 0;       // Dropout: the share of units that a step leaves out
  double momentum = 0.99, epsilon = 1e-3;                  // BatchNorm; LayerNorm has an epsilon, too
  bool scaled = true, centered = true;                     // of both: whether it has gamma and beta
  bool synchronized = false;                               // BatchNorm: over all replicas' examples
  ActivationFunction function = ActivationFunction::None;  // Activation: what is neither relu nor softmax
  double slope = 0;                                        // LeakyRelu, left of 0
  std::array<std::int64_t, 4> margins = {};                // ZeroPadding2D: above, below, at the left, at the right
  std::vector<int> inputs = {};  // places of the layers that it reads, or kNetworkInput; none: the one before it

  // What the network works out.
  std::vector<std::int64_t> output = {};  // of one example, (H, W, C) or (C)
  std::int64_t parameters = 0;            // that are trained
  int forward = -1, backward = -1;        // its operations; -1: none of its own
  int readers = 0;                        // layers that read its output
  bool trains = false;                    // a variable, or a batch's statistics, are in what it gives

  bool operator==(const NetworkLayer&) const = default;
};

// How the window of a convolution or a pooling layer walks over its input. A global pooling's is the whole image.
LayerWindow windowOf(const NetworkLayer& layer, const std::vector<std::int64_t>& input);

// One operation of a step. A layer without variables is done with the one before it.
struct NetworkOperation {
  std::string layer;  // its name; "" for the loss
  bool backward = false;
  double flopPerExample = 0, bytes = 0, bytesPerExample = 0;
  int launches = 1;

  OpCost cost(std::int64_t n) const {  // on n examples, as counted on paper
    return {flopPerExample * static_cast<double>(n), bytes + bytesPerExample * static_cast<double>(n), launches};
  }
};

class NeuralNetwork {
 public:
  // `key`: what it is called, "course-cnn" or a file's name. `input`: of one example, (H, W, C). UserError that names
  // the layer and the shapes where they do not fit, or where it is none that is computed here.
  NeuralNetwork(std::string key, std::vector<std::int64_t> input, std::vector<NetworkLayer> layers);

  const std::string& key() const { return key_; }
  const std::vector<std::int64_t>& input() const { return input_; }
  std::int64_t inputSize() const;
  std::int64_t classes() const { return layers_.back().output.back(); }  // its outputs
  const std::vector<NetworkLayer>& layers() const { return layers_; }    // in forward order
  // What a layer reads, or the first of it.
  const std::vector<std::int64_t>& inputOf(std::size_t layer) const { return outputOf(layers_[layer].inputs.front()); }
  const std::vector<std::int64_t>& outputOf(int layer) const {  // or the network's input
    return layer == NetworkLayer::kNetworkInput ? input_ : layers_[static_cast<std::size_t>(layer)].output;
  }
  bool isChain() const;  // each layer reads the one before it alone
  const Layout& layout() const { return layout_; }
  // What is not trained: moving statistics of batch normalisation. Every replica has its own.
  const Layout& statistics() const { return statistics_; }
  const std::vector<NetworkOperation>& operations() const { return operations_; }  // in the order of a step
  int lossOperation() const { return lossOperation_; }
  bool exchangesStatistics() const;  // in the middle of a pass: it has a synchronised batch normalisation

  // Glorot uniform kernels and zero biases, as Keras initialises; `weights` has layout().size() elements.
  void initialize(std::uint64_t seed, std::span<float> weights) const;
  void initializeStatistics(std::span<float> statistics) const;  // mean 0, variance 1

  bool operator==(const NeuralNetwork& other) const { return input_ == other.input_ && layers_ == other.layers_; }

 private:
  void addOperations();
  void addProduct(std::size_t layer, bool fused, std::vector<NetworkOperation>& backward);

  std::string key_;
  std::vector<std::int64_t> input_;
  std::vector<NetworkLayer> layers_;
  Layout layout_, statistics_;
  std::vector<NetworkOperation> operations_;
  int lossOperation_ = 0;
};

// The course's: Conv2D(32, 3×3, relu) → MaxPool 2×2 → Flatten → Dense(64, relu) → Dense(10), trained with softmax
// cross-entropy from logits. 347,146 parameters. Asked for where a run is built (networkOf), and by tests.
const NeuralNetwork& courseNetwork();
// Whether it is the course network, layer by layer: fused kernels compute that one.
bool isCourseNetwork(const NeuralNetwork& network);
const NeuralNetwork& cifar10Network();  // of Keras's CIFAR-10 tutorial: three convolutions; 122,570 parameters
const NeuralNetwork& mlpNetwork();      // Flatten, Dense(128, relu), Dense(10); 101,770 parameters

// The same layers, the last of which has so many outputs. It must be a Dense.
NeuralNetwork withClasses(const NeuralNetwork& network, std::int64_t classes);

// "(26, 26, 32)"
std::string shapeText(const std::vector<std::int64_t>& shape);

}  // namespace lab
