// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/neural_network.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "core/base/error.h"
#include "core/base/rng.h"

namespace lab {
namespace {

using Kind = NetworkLayer::Kind;
using Shape = std::vector<std::int64_t>;

// Variable i is drawn from stream 1 + i of the seed; the input pipeline's streams have their top byte set.
constexpr std::uint64_t kInitialWeightsStream = 1;
constexpr double kFloat = sizeof(float);

std::int64_t sizeOf(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

// Creation order, as Keras's.
std::vector<Variable> variablesOf(const Shape& input, const std::vector<NetworkLayer>& layers) {
  std::vector<Variable> variables;
  const Shape* in = &input;
  for (const NetworkLayer& layer : layers) {
    if (layer.parameters > 0) {
      Shape kernel{in->back(), layer.units};
      if (layer.kind == Kind::Conv2D) kernel.insert(kernel.begin(), 2, layer.side);
      variables.push_back({layer.name + "/kernel", kernel});
      variables.push_back({layer.name + "/bias", {layer.units}});
    }
    in = &layer.output;
  }
  return variables;
}

Shape outputOf(const NetworkLayer& layer, const Shape& in) {
  switch (layer.kind) {
    case Kind::Conv2D:
      LAB_CHECK(in.size() == 3);
      return {in[0] - layer.side + 1, in[1] - layer.side + 1, layer.units};
    case Kind::MaxPool2D:
      LAB_CHECK(in.size() == 3);
      return {in[0] / layer.side, in[1] / layer.side, in[2]};
    case Kind::Flatten:
      return {sizeOf(in)};
    case Kind::Dense:
      LAB_CHECK(in.size() == 1);
      return {layer.units};
  }
  throwBrokenInvariant("a kind of layer", __FILE__, __LINE__);
}

std::vector<NetworkLayer> shaped(const Shape& input, std::vector<NetworkLayer> layers) {
  const Shape* in = &input;
  for (NetworkLayer& layer : layers) {
    layer.output = outputOf(layer, *in);
    LAB_CHECK(std::ranges::all_of(layer.output, [](std::int64_t extent) { return extent > 0; }));
    const std::int64_t field = layer.kind == Kind::Conv2D ? layer.side * layer.side : 1;
    if (layer.units > 0) layer.parameters = field * in->back() * layer.units + layer.units;
    in = &layer.output;
  }
  return layers;
}

}  // namespace

NeuralNetwork::NeuralNetwork(std::string key, Shape input, std::vector<NetworkLayer> layers)
    : key_(std::move(key)), layers_(shaped(input, std::move(layers))), layout_(variablesOf(input, layers_)) {
  addOperations(input);
}

// Bytes: every operand once, in its own type (winners of a window, labels and predictions are bytes).
void NeuralNetwork::addOperations(const Shape& input) {
  std::vector<NetworkOperation> backward;  // last layer first
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    NetworkLayer& layer = layers_[i];
    if (layer.parameters == 0) continue;
    const Shape& inputShape = i == 0 ? input : layers_[i - 1].output;
    const bool pooled = i + 1 < layers_.size() && layers_[i + 1].kind == Kind::MaxPool2D;
    const auto in = static_cast<double>(sizeOf(inputShape)), units = static_cast<double>(layer.units);
    const double kernel = static_cast<double>(layer.parameters) - units;
    const double pixels = layer.kind == Kind::Conv2D ? static_cast<double>(layer.output[0] * layer.output[1]) : 1;
    const auto out = static_cast<double>(sizeOf(layers_[pooled ? i + 1 : i].output)), winners = pooled ? out : 0;
    // Of a first layer nobody asks for the gradient by its input. A dense layer's relu is undone where its output's
    // gradient is made: it is read once more, and the gradient read and written.
    const double inputGradient = i == 0 ? 0 : 1;
    const double reluBefore = i > 0 && layers_[i - 1].kind == Kind::Dense && layers_[i - 1].relu ? 1 : 0;
    NetworkOperation there{layer.name, false, 2 * kernel * pixels, kFloat * (kernel + units),
                           kFloat * (in + out) + winners};
    NetworkOperation back{layer.name, true};
    if (layer.kind == Kind::Conv2D) {
      // Counted as the dense convolution it is on paper; a kernel that knows the winners does a quarter of it.
      back.flopPerExample = (1 + inputGradient) * there.flopPerExample;
      back.bytes = there.bytes;
      back.bytesPerExample = there.bytesPerExample;
    } else {
      // Gradients of weights, biases and inputs; the output's gradient is read for each of them.
      back.flopPerExample = 2 * (1 + inputGradient) * kernel + units;
      back.bytes = kFloat * ((1 + inputGradient) * kernel + units);
      back.bytesPerExample = kFloat * ((2 + inputGradient) * units + (1 + inputGradient + 3 * reluBefore) * in);
      back.launches = static_cast<int>(2 + inputGradient + reluBefore);
    }
    layer.forward = static_cast<int>(operations_.size());
    operations_.push_back(std::move(there));
    backward.insert(backward.begin(), std::move(back));
  }
  // Per class: maximum, difference, exponential, sum, quotient, scale.
  const auto classes = static_cast<double>(sizeOf(layers_.back().output));
  operations_.push_back({"", false, 6 * classes, 0, kFloat * (2 * classes + 1) + 2});
  const int last = static_cast<int>(operations_.size() + backward.size()) - 1;
  for (NetworkLayer& layer : layers_)
    if (layer.forward >= 0) layer.backward = last - layer.forward;
  operations_.insert(operations_.end(), std::make_move_iterator(backward.begin()),
                     std::make_move_iterator(backward.end()));
}

void NeuralNetwork::initialize(std::uint64_t seed, std::span<float> weights) const {
  LAB_CHECK(std::ssize(weights) == layout_.size());
  std::ranges::fill(weights, 0.0F);
  const std::vector<Variable>& variables = layout_.variables();
  for (std::size_t index = 0; index < variables.size(); ++index) {
    const Variable& variable = variables[index];
    if (variable.shape.size() < 2) continue;  // a bias
    // Keras's fans: the last two extents, times the receptive field of a convolution.
    const std::int64_t in = variable.shape[variable.shape.size() - 2], out = variable.shape.back();
    const std::int64_t field = variable.size / (in * out);
    const double limit = std::sqrt(6.0 / static_cast<double>(field * (in + out)));
    Rng rng(seed, kInitialWeightsStream + index);
    for (float& weight :
         weights.subspan(static_cast<std::size_t>(variable.offset), static_cast<std::size_t>(variable.size))) {
      weight = static_cast<float>((2 * rng.uniform() - 1) * limit);
    }
  }
}

const NeuralNetwork& courseNetwork() {
  static const NeuralNetwork network("course-cnn", {28, 28, 1},
                                     {{.kind = Kind::Conv2D, .name = "conv2d", .units = 32, .side = 3, .relu = true},
                                      {.kind = Kind::MaxPool2D, .name = "max_pooling2d", .side = 2},
                                      {.kind = Kind::Flatten, .name = "flatten"},
                                      {.kind = Kind::Dense, .name = "dense", .units = 64, .relu = true},
                                      {.kind = Kind::Dense, .name = "dense_1", .units = 10}});
  return network;
}

}  // namespace lab
