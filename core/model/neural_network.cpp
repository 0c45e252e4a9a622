// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/neural_network.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "core/base/at.h"
#include "core/base/ceil_divide.h"
#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/data/dataset.h"
#include "core/device/backend.h"
#include "core/device/layer_backend.h"
#include "core/model/messages.h"

namespace lab {
namespace {

using Kind = NetworkLayer::Kind;
using Shape = std::vector<std::int64_t>;

// Variable i is drawn from stream 1 + i of the seed; the input pipeline's streams have their top byte set.
constexpr std::uint64_t kInitialWeightsStream = 1;
constexpr double kFloat = sizeof(float);
constexpr std::int64_t kMostWinners = 0xffff;  // positions in a pooling window
constexpr std::int64_t kMostLayers = 1024, kMostInputsInAll = 8192;
constexpr std::int64_t kMostElements = std::int64_t{1} << 28;

std::int64_t sizeOf(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

bool isWindowed(Kind kind) {
  return kind == Kind::Conv2D || kind == Kind::DepthwiseConv2D || kind == Kind::MaxPool2D ||
         kind == Kind::AveragePool2D;
}

bool isGlobal(Kind kind) {
  return kind == Kind::GlobalAveragePool2D || kind == Kind::GlobalMaxPool2D;
}

bool joins(Kind kind) {
  return kind == Kind::Add || kind == Kind::Concatenate;
}

// Returns the kernel's shape; empty if the layer has none.
Shape kernelOf(const NetworkLayer& layer, const Shape& in) {
  switch (layer.kind) {
    case Kind::Conv2D:
      return {layer.side, layer.width, in.back() / layer.groups, layer.units};
    case Kind::DepthwiseConv2D:
      return {layer.side, layer.width, in.back(), layer.units};
    case Kind::Dense:
      return {in.back(), layer.units};
    default:
      return {};
  }
}

// Returns the variables in creation order, as in Keras.
std::vector<Variable> variablesOf(const NeuralNetwork& network) {
  std::vector<Variable> variables;
  for (std::size_t i = 0; i < network.layers().size(); ++i) {
    const NetworkLayer& layer = network.layers()[i];
    if (Shape kernel = kernelOf(layer, network.inputOf(i)); !kernel.empty()) {
      variables.push_back({layer.name + "/kernel", std::move(kernel)});
      if (layer.bias) variables.push_back({layer.name + "/bias", {layer.output.back()}});
    } else if (layer.kind == Kind::BatchNorm || layer.kind == Kind::LayerNorm) {
      if (layer.scaled) variables.push_back({layer.name + "/gamma", {layer.output.back()}});
      if (layer.centered) variables.push_back({layer.name + "/beta", {layer.output.back()}});
    }
  }
  return variables;
}

std::vector<Variable> statisticsOf(const std::vector<NetworkLayer>& layers) {
  std::vector<Variable> variables;
  for (const NetworkLayer& layer : layers)
    if (layer.kind == Kind::BatchNorm)
      for (const char* what : {"/moving_mean", "/moving_variance"})
        variables.push_back({layer.name + what, {layer.output.back()}});
  return variables;
}

// Checks all sizes that the network names, so that no product of them overflows.
void checkSizes(const NetworkLayer& layer) {
  const auto within = [&](const char* what, std::int64_t value, std::int64_t least, std::int64_t most) {
    if (value < least || value > most)
      throw UserError(say::layerSize, layer.name, kindName(layer.kind), what, value, least, most);
  };
  constexpr std::int64_t kMostUnits = std::int64_t{1} << 20, kMostSide = 255, kMostStride = 1 << 16;
  if (layer.kind == Kind::Conv2D) within("filters", layer.units, 1, kMostUnits);
  within("groups", layer.groups, 1, layer.kind == Kind::Conv2D ? kMostUnits : 1);
  if (layer.kind == Kind::Dense) within("units", layer.units, 1, kMostUnits);
  if (layer.kind == Kind::DepthwiseConv2D) within("depth_multiplier", layer.units, 1, kMostUnits);
  for (const std::int64_t margin : layer.margins) within("padding", margin, 0, kMostSide);
  if (!isWindowed(layer.kind)) return;
  within("height", layer.side, 1, kMostSide);
  within("width", layer.width, 1, kMostSide);
  within("stride", layer.strideY, 1, kMostStride);
  within("stride", layer.strideX, 1, kMostStride);
}

// Fills in the defaults of the layer's kind.
void completeUsual(NetworkLayer& layer) {
  if (!isWindowed(layer.kind)) return;
  if (layer.width == 0) layer.width = layer.side;
  const bool pools = layer.kind == Kind::MaxPool2D || layer.kind == Kind::AveragePool2D;
  if (layer.strideY == 0) layer.strideY = pools ? layer.side : 1;
  if (layer.strideX == 0) layer.strideX = pools ? layer.width : 1;
}

void expectImage(const NetworkLayer& layer, const Shape& in) {
  if (in.size() != 3) throw UserError(say::layerWantsImage, layer.name, kindName(layer.kind), shapeText(in));
}

Shape windowedOutput(const NetworkLayer& layer, const Shape& in) {
  expectImage(layer, in);
  if (in[2] % layer.groups != 0 || layer.units % layer.groups != 0)
    throw UserError(say::groupsDoNotDivide, layer.name, layer.groups, in[2], layer.units);
  const LayerWindow window = windowOf(layer, in);
  if (window.outHeight < 1 || window.outWidth < 1)
    throw UserError(say::windowTooLarge, layer.name, kindName(layer.kind), shapeText({layer.side, layer.width}),
                    shapeText(in));
  const std::int64_t channels = layer.kind == Kind::Conv2D            ? layer.units
                                : layer.kind == Kind::DepthwiseConv2D ? in[2] * layer.units
                                                                      : in[2];
  return {window.outHeight, window.outWidth, channels};
}

// `ins`: the shapes of all its inputs.
Shape joinedOutput(const NetworkLayer& layer, const std::vector<Shape>& ins) {
  Shape output = ins.front();
  for (std::size_t i = 1; i < ins.size(); ++i) {
    Shape next = ins[i];
    const bool joinsAlong = layer.kind == Kind::Concatenate && next.size() == output.size();
    if (joinsAlong) next.back() = output.back();
    if (next != output)
      throw UserError(say::shapesDiffer, layer.name, kindName(layer.kind), shapeText(ins.front()), shapeText(ins[i]));
    if (joinsAlong) output.back() += ins[i].back();
  }
  return output;
}

Shape outputOf(const NetworkLayer& layer, const std::vector<Shape>& ins) {
  const Shape& in = ins.front();
  if (isWindowed(layer.kind)) return windowedOutput(layer, in);
  if (joins(layer.kind)) return joinedOutput(layer, ins);
  switch (layer.kind) {
    case Kind::GlobalAveragePool2D:
    case Kind::GlobalMaxPool2D:
      expectImage(layer, in);
      if (in[0] * in[1] > kMostWinners)
        throw UserError(say::layerSize, layer.name, kindName(layer.kind), "window", in[0] * in[1], 1, kMostWinners);
      return {in[2]};
    case Kind::ZeroPadding2D:
      expectImage(layer, in);
      return {in[0] + layer.margins[0] + layer.margins[1], in[1] + layer.margins[2] + layer.margins[3], in[2]};
    case Kind::Flatten:
      return {sizeOf(in)};
    case Kind::Dense:
      if (in.size() != 1) throw UserError(say::layerWantsList, layer.name, kindName(layer.kind), shapeText(in));
      return {layer.units};
    default:
      return in;
  }
}

// Returns a kernel's size, or more than kMostElements for all that are larger: each extent is within its bounds, but
// the product of the four need not fit into 64 bits.
std::int64_t kernelSize(const Shape& kernel) {
  std::int64_t size = 1;
  for (const std::int64_t extent : kernel) {
    if (extent > kMostElements / size) return kMostElements + 1;
    size *= extent;
  }
  return size;
}

std::int64_t parametersOf(const NetworkLayer& layer, const Shape& in) {
  if (const Shape kernel = kernelOf(layer, in); !kernel.empty())
    return kernelSize(kernel) + (layer.bias ? layer.output.back() : 0);
  if (layer.kind == Kind::BatchNorm || layer.kind == Kind::LayerNorm)
    return ((layer.scaled ? 1 : 0) + (layer.centered ? 1 : 0)) * in.back();
  return 0;
}

// Returns the shapes that layer `place` reads, after a check: earlier layers, as many as its kind takes.
std::vector<Shape> connect(const Shape& input, std::vector<NetworkLayer>& layers, std::size_t place) {
  NetworkLayer& layer = layers[place];
  const int own = static_cast<int>(place);
  if (layer.inputs.empty()) layer.inputs = {own - 1};
  const bool fits = joins(layer.kind) ? layer.inputs.size() >= 2 : layer.inputs.size() == 1;
  if (!fits || std::ssize(layer.inputs) > kMostLayers)
    throw UserError(joins(layer.kind) ? say::layerReadsMany : say::layerReadsOne, layer.name, kindName(layer.kind),
                    std::ssize(layer.inputs));
  std::vector<Shape> ins;
  for (const int from : layer.inputs) {
    if (from < NetworkLayer::kNetworkInput || from >= own) throw UserError(say::layerReadsLater, layer.name);
    if (from == NetworkLayer::kNetworkInput) {
      ins.push_back(input);
      continue;
    }
    NetworkLayer& read = at(layers, from);
    ++read.readers;
    ins.push_back(read.output);
    layer.trains = layer.trains || read.trains;
  }
  return ins;
}

std::vector<NetworkLayer> shaped(const Shape& input, std::vector<NetworkLayer> layers) {
  if (std::ssize(layers) > kMostLayers) throw UserError(say::tooManyLayers, std::ssize(layers), kMostLayers);
  constexpr std::int64_t kMostExtent = 4096;
  const auto fits = [](std::int64_t extent) { return extent >= 1 && extent <= kMostExtent; };
  if ((input.size() != 1 && input.size() != 3) || !std::ranges::all_of(input, fits))
    throw UserError(say::inputOtherwise, shapeText(input), kMostExtent);
  std::int64_t parameters = 0, activations = 0, inputs = 0;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    NetworkLayer& layer = layers[i];
    completeUsual(layer);
    layer.forward = layer.backward = -1;
    layer.readers = 0;
    layer.trains = false;
    checkSizes(layer);
    const std::vector<Shape> ins = connect(input, layers, i);
    inputs += std::ssize(layer.inputs);
    // Keras's text has an object for each input, so that a bound for each layer alone would allow a million of them.
    if (inputs > kMostInputsInAll)
      throw UserError(say::tooManyInputs, layer.name, kindName(layer.kind), kMostInputsInAll);
    layer.output = outputOf(layer, ins);
    layer.parameters = parametersOf(layer, ins.front());
    layer.trains = layer.trains || layer.parameters > 0 || layer.kind == Kind::BatchNorm;
    parameters += layer.parameters;
    activations += sizeOf(layer.output);
    if (parameters > kMostElements || activations > kMostElements)
      throw UserError(say::networkTooLarge, layer.name, kindName(layer.kind), kMostElements);
    if (layer.softmax && &layer != &layers.back()) throw UserError(say::softmaxInside, layer.name);
  }
  if (parameters == 0) throw UserError(say::nothingToTrain);
  for (std::size_t i = 0; i + 1 < layers.size(); ++i)
    if (layers[i].readers == 0) throw UserError(say::layerUnread, layers[i].name);
  const Shape& end = layers.back().output;
  if (end.size() != 1 || end.front() < 2) throw UserError(say::endsOtherwise, layers.back().name, shapeText(end));
  return layers;
}

std::vector<NetworkLayer> courseLayers() {
  return {{.kind = Kind::Conv2D, .name = "conv2d", .units = 32, .side = 3, .relu = true},
          {.kind = Kind::MaxPool2D, .name = "max_pooling2d", .side = 2},
          {.kind = Kind::Flatten, .name = "flatten"},
          {.kind = Kind::Dense, .name = "dense", .units = 64, .relu = true},
          {.kind = Kind::Dense, .name = "dense_1", .units = 10}};
}

const Shape kCourseInput{kImageSide, kImageSide, 1};

}  // namespace

const char* kindName(Kind kind) {
  switch (kind) {
    case Kind::Conv2D:
      return "Conv2D";
    case Kind::MaxPool2D:
      return "MaxPooling2D";
    case Kind::Flatten:
      return "Flatten";
    case Kind::Dense:
      return "Dense";
    case Kind::AveragePool2D:
      return "AveragePooling2D";
    case Kind::Dropout:
      return "Dropout";
    case Kind::BatchNorm:
      return "BatchNormalization";
    case Kind::Activation:
      return "Activation";
    case Kind::Add:
      return "Add";
    case Kind::Concatenate:
      return "Concatenate";
    case Kind::GlobalAveragePool2D:
      return "GlobalAveragePooling2D";
    case Kind::GlobalMaxPool2D:
      return "GlobalMaxPooling2D";
    case Kind::ZeroPadding2D:
      return "ZeroPadding2D";
    case Kind::DepthwiseConv2D:
      return "DepthwiseConv2D";
    case Kind::LayerNorm:
      return "LayerNormalization";
  }
  throwBrokenInvariant("a kind of layer", __FILE__, __LINE__);
}

LayerWindow windowOf(const NetworkLayer& layer, const Shape& input) {
  LAB_CHECK(input.size() == 3);
  if (isGlobal(layer.kind)) return {input[0], input[1], input[2], input[0], input[1], 1, 1, 0, 0, 1, 1};
  LayerWindow window{input[0], input[1], input[2], layer.side, layer.width, layer.strideY, layer.strideX};
  // TensorFlow's padding puts the odd row or column at the bottom or right.
  const auto along = [&](std::int64_t in, std::int64_t size, std::int64_t stride, std::int64_t& out,
                         std::int64_t& before) {
    out = layer.same ? ceilDivide(in, stride) : in < size ? 0 : (in - size) / stride + 1;
    before = layer.same ? std::max<std::int64_t>(0, (out - 1) * stride + size - in) / 2 : 0;
  };
  along(window.inHeight, window.height, window.strideY, window.outHeight, window.padTop);
  along(window.inWidth, window.width, window.strideX, window.outWidth, window.padLeft);
  return window;
}

std::string shapeText(const Shape& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return text + ")";
}

NeuralNetwork::NeuralNetwork(std::string key, Shape input, std::vector<NetworkLayer> layers)
    : key_(std::move(key)),
      input_(std::move(input)),
      layers_(shaped(input_, std::move(layers))),
      layout_(variablesOf(*this)),
      statistics_(statisticsOf(layers_)) {
  addOperations();
}

std::int64_t NeuralNetwork::inputSize() const {
  return sizeOf(input_);
}

bool NeuralNetwork::isChain() const {
  int before = NetworkLayer::kNetworkInput;
  return std::ranges::all_of(layers_, [&](const NetworkLayer& layer) {
    return layer.inputs == std::vector{std::exchange(before, before + 1)};
  });
}

Message NeuralNetwork::whyNotTrained() const {
  if (classes() > kMostClasses) return {say::tooManyOutputs, classes(), kMostClasses};
  const auto grouped = std::ranges::find_if(layers_, [](const NetworkLayer& layer) { return layer.groups > 1; });
  return grouped == layers_.end() ? Message() : Message(say::groupsAreTimed, grouped->name, grouped->groups);
}

void NeuralNetwork::requireTrained() const {
  if (const Message why = whyNotTrained(); !why.empty()) throw UserError(say::networkNotTrained, key_, why);
}

bool NeuralNetwork::exchangesStatistics() const {
  return std::ranges::any_of(layers_, &NetworkLayer::synchronized);
}

namespace {

// Adds the cost of a layer without variables to the operation that it belongs to, forward or backward: it reads and
// writes an image once. Flatten costs nothing.
void addPassing(const NeuralNetwork& network, std::size_t index, NetworkOperation& operation) {
  const NetworkLayer& layer = network.layers()[index];
  if (layer.kind == Kind::Flatten) return;
  double read = 0;
  for (const int from : layer.inputs) read += static_cast<double>(sizeOf(network.outputOf(from)));
  const auto written = static_cast<double>(sizeOf(layer.output));
  const bool moves = layer.kind == Kind::Concatenate || layer.kind == Kind::ZeroPadding2D;
  operation.bytesPerExample += kFloat * (read + written);
  if (!moves)
    operation.flopPerExample += isWindowed(layer.kind) ? written * static_cast<double>(layer.side * layer.width) : read;
  ++operation.launches;
}

NetworkOperation normForward(const NetworkLayer& layer) {
  // Sums of x and x², then x·factor + term.
  const auto size = static_cast<double>(sizeOf(layer.output));
  return {layer.name, false, 5 * size, 4 * kFloat * static_cast<double>(layer.output.back()), 3 * kFloat * size, 2};
}

NetworkOperation normBackward(const NetworkLayer& layer) {
  const auto size = static_cast<double>(sizeOf(layer.output));
  return {layer.name, true, 8 * size, 6 * kFloat * static_cast<double>(layer.output.back()), 5 * kFloat * size, 2};
}

}  // namespace

// Each operand counts once, in bytes of its own type (winners of a window, labels and predictions are bytes).
void NeuralNetwork::addOperations() {
  const bool fused = input_ == kCourseInput && layers_ == shaped(kCourseInput, courseLayers());
  std::vector<NetworkOperation> backward;  // in forward order of the layers
  std::vector<std::size_t> before;         // layers that belong to the first operation
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    NetworkLayer& layer = layers_[i];
    if (layer.parameters == 0 && layer.kind != Kind::BatchNorm) {
      if (operations_.empty()) {
        before.push_back(i);
      } else if (!fused) {
        addPassing(*this, i, operations_.back());
        addPassing(*this, i, backward.back());
      }
      continue;
    }
    layer.forward = static_cast<int>(operations_.size());
    if (layer.kind == Kind::BatchNorm || layer.kind == Kind::LayerNorm) {
      operations_.push_back(normForward(layer));
      backward.push_back(normBackward(layer));
    } else {
      addProduct(i, fused, backward);
    }
    for (const std::size_t passed : std::exchange(before, {})) addPassing(*this, passed, operations_.back());
  }
  // Per class: maximum, difference, exponential, sum, quotient, scale.
  const auto classes = static_cast<double>(sizeOf(layers_.back().output));
  lossOperation_ = static_cast<int>(operations_.size());
  operations_.push_back({"", false, 6 * classes, 0, kFloat * (2 * classes + 1) + 2});
  const int last = 2 * lossOperation_;
  for (NetworkLayer& layer : layers_)
    if (layer.forward >= 0) layer.backward = last - layer.forward;
  operations_.insert(operations_.end(), std::make_move_iterator(backward.rbegin()),
                     std::make_move_iterator(backward.rend()));
}

// For a convolution or a dense layer.
void NeuralNetwork::addProduct(std::size_t i, bool fused, std::vector<NetworkOperation>& backward) {
  const NetworkLayer& layer = layers_[i];
  const Shape& inputShape = inputOf(i);
  const bool pooled = fused && i + 1 < layers_.size() && layers_[i + 1].kind == Kind::MaxPool2D;
  const auto in = static_cast<double>(sizeOf(inputShape)), units = static_cast<double>(layer.units);
  const double biases = layer.bias ? static_cast<double>(layer.output.back()) : 0;
  const double kernel = static_cast<double>(layer.parameters) - biases;
  const double pixels = isWindowed(layer.kind) ? static_cast<double>(layer.output[0] * layer.output[1]) : 1;
  const auto out = static_cast<double>(sizeOf(layers_[pooled ? i + 1 : i].output)), winners = pooled ? out : 0;
  // The gradient by the first layer's input is not needed. A dense layer's relu is undone where the gradient of its
  // output is made: that output is read once more, and the gradient read and written.
  const int from = layer.inputs.front();
  const NetworkLayer* before = from < 0 ? nullptr : &at(layers_, from);
  const double inputGradient = before != nullptr && before->trains ? 1 : 0;
  const double reluBefore = before != nullptr && before->kind == Kind::Dense && before->relu ? 1 : 0;
  NetworkOperation there{layer.name, false, 2 * kernel * pixels, kFloat * (kernel + biases),
                         kFloat * (in + out) + winners};
  NetworkOperation back{layer.name, true};
  if (isWindowed(layer.kind)) {
    // Counted as the dense convolution on paper; a kernel that knows the winners does a quarter of the work.
    back.flopPerExample = (1 + inputGradient) * there.flopPerExample;
    back.bytes = there.bytes;
    back.bytesPerExample = there.bytesPerExample;
  } else {
    // Gradients of weights, biases and inputs; the output's gradient is read for each of them.
    back.flopPerExample = 2 * (1 + inputGradient) * kernel + biases;
    back.bytes = kFloat * ((1 + inputGradient) * kernel + biases);
    back.bytesPerExample = kFloat * ((2 + inputGradient) * units + (1 + inputGradient + 3 * reluBefore) * in);
    back.launches = static_cast<int>(2 + inputGradient + reluBefore);
  }
  operations_.push_back(std::move(there));
  backward.push_back(std::move(back));
}

void NeuralNetwork::initialize(std::uint64_t seed, std::span<float> weights) const {
  LAB_CHECK(std::ssize(weights) == layout_.size());
  std::ranges::fill(weights, 0.0F);
  const std::vector<Variable>& variables = layout_.variables();
  for (std::size_t index = 0; index < variables.size(); ++index) {
    const Variable& variable = variables[index];
    if (variable.name.ends_with("/gamma")) std::fill_n(weights.begin() + variable.offset, variable.size, 1.0F);
    if (variable.shape.size() < 2) continue;  // a bias
    // Keras's fans: the last two dimensions, times the receptive field of a convolution.
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

void NeuralNetwork::initializeStatistics(std::span<float> statistics) const {
  LAB_CHECK(std::ssize(statistics) == statistics_.size());
  for (const Variable& variable : statistics_.variables())
    std::fill_n(statistics.begin() + variable.offset, variable.size,
                variable.name.ends_with("/moving_variance") ? 1.0F : 0.0F);
}

const NeuralNetwork& courseNetwork() {
  static const NeuralNetwork network("course-cnn", kCourseInput, courseLayers());
  return network;
}

bool isCourseNetwork(const NeuralNetwork& network) {
  return network == courseNetwork();
}

const NeuralNetwork& cifar10Network() {
  static const NeuralNetwork network("cifar10", {32, 32, 3},
                                     {{.kind = Kind::Conv2D, .name = "conv2d", .units = 32, .side = 3, .relu = true},
                                      {.kind = Kind::MaxPool2D, .name = "max_pooling2d", .side = 2},
                                      {.kind = Kind::Conv2D, .name = "conv2d_1", .units = 64, .side = 3, .relu = true},
                                      {.kind = Kind::MaxPool2D, .name = "max_pooling2d_1", .side = 2},
                                      {.kind = Kind::Conv2D, .name = "conv2d_2", .units = 64, .side = 3, .relu = true},
                                      {.kind = Kind::Flatten, .name = "flatten"},
                                      {.kind = Kind::Dense, .name = "dense", .units = 64, .relu = true},
                                      {.kind = Kind::Dense, .name = "dense_1", .units = 10}});
  return network;
}

const NeuralNetwork& mlpNetwork() {
  static const NeuralNetwork network("mlp", kCourseInput,
                                     {{.kind = Kind::Flatten, .name = "flatten"},
                                      {.kind = Kind::Dense, .name = "dense", .units = 128, .relu = true},
                                      {.kind = Kind::Dense, .name = "dense_1", .units = 10}});
  return network;
}

NeuralNetwork withClasses(const NeuralNetwork& network, std::int64_t classes) {
  std::vector<NetworkLayer> layers = network.layers();
  LAB_CHECK(layers.back().kind == Kind::Dense);
  layers.back().units = classes;
  return {network.key(), network.input(), std::move(layers)};
}

}  // namespace lab
