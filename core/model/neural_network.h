// SPDX-License-Identifier: GPL-3.0-or-later
// A network as a list of layers, and what follows from it: where each variable lies, what a step computes, what it
// costs. A value that a run is built with and carries (RunInfo); nothing asks for "the" network.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/model/layout.h"

namespace lab {

// Floating point operations, bytes to and from device memory, kernels launched.
struct OpCost {
  double flop = 0;
  double bytes = 0;
  int launches = 0;
};

struct NetworkLayer {
  enum class Kind { Conv2D, MaxPool2D, Flatten, Dense };
  Kind kind = Kind::Dense;
  std::string name;        // Keras's, "conv2d"; its variables are "conv2d/kernel" and "conv2d/bias"
  std::int64_t units = 0;  // filters, or outputs
  std::int64_t side = 0;   // of the kernel, which only lies inside the image, or of the window
  bool relu = false;

  // What the network works out.
  std::vector<std::int64_t> output = {};  // of one example, (H, W, C) or (C)
  std::int64_t parameters = 0;
  int forward = -1, backward = -1;  // its operations; -1: none of its own

  bool operator==(const NetworkLayer&) const = default;
};

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
  // `key`: of modelPresets(). `input`: of one example, (H, W, C).
  NeuralNetwork(std::string key, std::vector<std::int64_t> input, std::vector<NetworkLayer> layers);

  const std::string& key() const { return key_; }
  const std::vector<NetworkLayer>& layers() const { return layers_; }  // in forward order
  const Layout& layout() const { return layout_; }
  const std::vector<NetworkOperation>& operations() const { return operations_; }  // in the order of a step

  // Glorot uniform kernels and zero biases, as Keras initialises; `weights` has layout().size() elements.
  void initialize(std::uint64_t seed, std::span<float> weights) const;

 private:
  void addOperations(const std::vector<std::int64_t>& input);

  std::string key_;
  std::vector<NetworkLayer> layers_;
  Layout layout_;
  std::vector<NetworkOperation> operations_;
};

// The course's: Conv2D(32, 3×3, relu) → MaxPool 2×2 → Flatten → Dense(64, relu) → Dense(10), trained with softmax
// cross-entropy from logits. 347,146 parameters. Asked for where a run is built (networkOf), and by tests.
const NeuralNetwork& courseNetwork();

}  // namespace lab
