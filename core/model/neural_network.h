// SPDX-License-Identifier: GPL-3.0-or-later
// A network as a graph of layers, and what follows from it: where each variable lies, what a step computes, what it
// costs. Each run carries its own network (RunInfo); there is no global one.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/at.h"
#include "core/base/message.h"
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
  std::int64_t units = 0;  // filters or outputs; for a DepthwiseConv2D, per channel
  std::int64_t side = 0;   // height of the kernel or the window
  bool relu = false;

  // Only set if they differ from the default.
  std::int64_t width = 0;                 // of the kernel or the window; 0: equal to its height
  std::int64_t strideY = 0, strideX = 0;  // 0: 1 for a convolution, the window's own size for pooling
  std::int64_t groups = 1;  // Conv2D: each group of filters reads its own part of the channels; only timed, not trained
  bool same = false;        // padding to ⌈in / stride⌉ places; if false, the window stays inside the image
  bool bias = true;         // Conv2D, DepthwiseConv2D, Dense
  bool softmax = false;     // the network's last: its outputs are probabilities
  double rate = 0;          // Dropout: the share of units that a step leaves out
  double momentum = 0.99, epsilon = 1e-3;  // BatchNorm; LayerNorm uses epsilon too
  bool scaled = true, centered = true;     // BatchNorm and LayerNorm: whether there is a gamma and a beta
  bool synchronized = false;               // BatchNorm: over all replicas' examples
  ActivationFunction function = ActivationFunction::None;  // Activation: functions other than relu and softmax
  double slope = 0;                                        // LeakyRelu, left of 0
  std::array<std::int64_t, 4> margins = {};                // ZeroPadding2D: top, bottom, left, right
  std::vector<int> inputs = {};  // indices of the layers that it reads, or kNetworkInput; empty: the layer before

  // Computed by the network.
  std::vector<std::int64_t> output = {};  // of one example, (H, W, C) or (C)
  std::int64_t parameters = 0;            // number of trained parameters
  int forward = -1, backward = -1;        // indices of its operations; -1: it has none of its own
  int readers = 0;                        // layers that read its output
  bool trains = false;                    // its output depends on a variable, or on a batch's statistics

  bool operator==(const NetworkLayer&) const = default;
};

const char* kindName(NetworkLayer::Kind kind);  // Keras's name of its class, such as MaxPooling2D

// How the window of a convolution or pooling layer moves over its input. Global pooling's window is the whole image.
LayerWindow windowOf(const NetworkLayer& layer, const std::vector<std::int64_t>& input);

// One operation of a step. A layer without variables belongs to the operation of the layer before it.
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
  // `key`: the network's name, "course-cnn" or a file's name. `input`: of one example, (H, W, C). Throws a UserError
  // that names the layer and the shapes if they do not fit, or if the layer cannot be computed here.
  NeuralNetwork(std::string key, std::vector<std::int64_t> input, std::vector<NetworkLayer> layers);

  const std::string& key() const { return key_; }
  const std::vector<std::int64_t>& input() const { return input_; }
  std::int64_t inputSize() const;
  std::int64_t classes() const { return layers_.back().output.back(); }  // number of outputs
  const std::vector<NetworkLayer>& layers() const { return layers_; }    // in forward order
  // Returns the shape that a layer reads, or the first of them.
  const std::vector<std::int64_t>& inputOf(std::size_t layer) const { return outputOf(layers_[layer].inputs.front()); }
  const std::vector<std::int64_t>& outputOf(int layer) const {  // also for the network's input
    return layer == NetworkLayer::kNetworkInput ? input_ : at(layers_, layer).output;
  }
  bool isChain() const;  // each layer only reads the layer before
  const Layout& layout() const { return layout_; }
  // Values that are not trained: moving statistics of batch normalisation. Every replica has its own.
  const Layout& statistics() const { return statistics_; }
  const std::vector<NetworkOperation>& operations() const { return operations_; }  // in the order of a step
  int lossOperation() const { return lossOperation_; }
  // Returns why the network can only be timed; empty if it can be trained.
  Message whyNotTrained() const;
  void requireTrained() const;       // throws a UserError if whyNotTrained()
  bool exchangesStatistics() const;  // in the middle of a pass: the network has a synchronised batch normalisation

  // Initialises like Keras: Glorot uniform kernels and zero biases. `weights` has layout().size() elements.
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

// The course's network: Conv2D(32, 3×3, relu) → MaxPool 2×2 → Flatten → Dense(64, relu) → Dense(10), trained with
// softmax cross-entropy from logits. 347,146 parameters. Only used where a run is built (networkOf), and by tests.
const NeuralNetwork& courseNetwork();
// Returns whether the layers equal the course network's, which has fused kernels.
bool isCourseNetwork(const NeuralNetwork& network);
const NeuralNetwork& cifar10Network();  // from Keras's CIFAR-10 tutorial: three convolutions; 122,570 parameters
const NeuralNetwork& mlpNetwork();      // Flatten, Dense(128, relu), Dense(10); 101,770 parameters

// Returns the same layers, with `classes` outputs in the last. The last layer must be a Dense.
NeuralNetwork withClasses(const NeuralNetwork& network, std::int64_t classes);

// "(26, 26, 32)"
std::string shapeText(const std::vector<std::int64_t>& shape);

}  // namespace lab
