// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layer_pass.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/model/cnn.h"

namespace lab {
namespace {

using Kind = NetworkLayer::Kind;

std::int64_t elements(const std::vector<std::int64_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

// Returns whether a layer has an output buffer. The last layer's is Activations::logits, and Flatten shares its
// input's.
bool hasOutput(const NeuralNetwork& network, std::size_t layer) {
  return layer + 1 < network.layers().size() && network.layers()[layer].kind != Kind::Flatten;
}

// Sizes per example.
struct Sizes {
  std::int64_t outputs = 0, winners = 0, largest = 0, largestInput = 0, largestGradient = 0;
};

bool hasWinners(const NetworkLayer& layer) {
  return layer.kind == Kind::MaxPool2D || layer.kind == Kind::GlobalMaxPool2D;
}

Sizes sizesOf(const NeuralNetwork& network) {
  Sizes sizes;
  for (std::size_t i = 0; i < network.layers().size(); ++i) {
    const NetworkLayer& layer = network.layers()[i];
    const std::int64_t out = elements(layer.output);
    if (hasOutput(network, i)) sizes.outputs += out;
    if (hasWinners(layer)) sizes.winners += out;
    if (i + 1 < network.layers().size()) sizes.largest = std::max(sizes.largest, out);
    if (layer.kind != Kind::Conv2D && layer.kind != Kind::DepthwiseConv2D && layer.kind != Kind::Dense) continue;
    sizes.largestInput = std::max(sizes.largestInput, elements(network.inputOf(i)));
    sizes.largestGradient = std::max(sizes.largestGradient, out);
  }
  return sizes;
}

std::int64_t normBytes(const NeuralNetwork& network) {
  std::int64_t bytes = 0;
  for (const NetworkLayer& layer : network.layers())
    if (layer.kind == Kind::BatchNorm) bytes += 2 * layer.output.back() * static_cast<std::int64_t>(sizeof(double));
  return bytes;
}

}  // namespace

LayerBlocks joinedBlocks(const NeuralNetwork& network, std::size_t index, std::size_t which, std::int64_t examples) {
  const NetworkLayer& layer = network.layers()[index];
  const auto lastOf = [&](std::size_t input) { return network.outputOf(layer.inputs[input]).back(); };
  const std::int64_t row = layer.output.back();
  LayerBlocks blocks{.images = 1, .rows = examples * elements(layer.output) / row, .count = lastOf(which), .row = row};
  for (std::size_t before = 0; before < which; ++before) blocks.first += lastOf(before);
  return blocks;
}

LayerBlocks imageBlocks(const NeuralNetwork& network, std::size_t index, std::int64_t examples) {
  const NetworkLayer& layer = network.layers()[index];
  const std::vector<std::int64_t>& in = network.inputOf(index);
  const std::int64_t row = layer.output[1] * in[2];
  return {.images = examples,
          .rows = in[0],
          .count = in[1] * in[2],
          .image = layer.output[0] * row,
          .row = row,
          .first = layer.margins[0] * row + layer.margins[2] * in[2]};
}

// ---- Memory

void LayerMemory::reserve(const NeuralNetwork& network, std::int64_t examples, Precision precision) {
  const bool grows = examples > capacity;
  capacity = std::max(capacity, examples);
  const Sizes sizes = sizesOf(network);
  if (grows) {
    outputs = AlignedBuffer<float>(capacity * sizes.outputs);
    winners = AlignedBuffer<std::uint16_t>(capacity * sizes.winners);
    gradients.resize(static_cast<std::size_t>(GradientSlots::needed(network)));
    for (AlignedBuffer<float>& each : gradients) each = AlignedBuffer<float>(capacity * sizes.largest);
  }
  if (norms.empty())
    for (const NetworkLayer& layer : network.layers())
      if (layer.kind == Kind::BatchNorm) {
        const std::vector<double> zeros(static_cast<std::size_t>(layer.output.back()));
        norms.push_back({zeros, zeros, 0});
      }
  if (precision != Precision::Bfloat16 || (!grows && !roundedWeights.empty())) return;
  roundedInput = AlignedBuffer<float>(capacity * sizes.largestInput);
  roundedGradient = AlignedBuffer<float>(capacity * sizes.largestGradient);
  roundedWeights = AlignedBuffer<float>(network.layout().size(), network.layout().alignmentLead());
}

std::int64_t LayerMemory::bytes() const {
  std::int64_t total =
      outputs.bytes() + winners.bytes() + roundedInput.bytes() + roundedGradient.bytes() + roundedWeights.bytes();
  for (const AlignedBuffer<float>& each : gradients) total += each.bytes();
  for (const Norm& norm : norms)
    total += static_cast<std::int64_t>((norm.mean.size() + norm.inverse.size()) * sizeof(double));
  return total;
}

std::int64_t LayerMemory::bytesFor(const NeuralNetwork& network, std::int64_t examples, Precision precision) {
  const Sizes sizes = sizesOf(network);
  const std::int64_t values = sizes.outputs + GradientSlots::needed(network) * sizes.largest;
  std::int64_t bytes = examples * (4 * values + 2 * sizes.winners) + normBytes(network);
  if (precision == Precision::Bfloat16)
    bytes += 4 * examples * (sizes.largestInput + sizes.largestGradient) + network.layout().bytes();
  return bytes;
}

// ---- Addresses

LayerPass::LayerPass(Backend& backend, const NeuralNetwork& network, Precision precision, const PassOf& of,
                     Activations& activations, float* gradients, const OperationObserver& observer)
    : LayerWalk(network, of.training && !of.outputsAlone, observer),
      backend_(backend),
      layers_(*backend.layers()),
      precision_(precision),
      of_(of),
      a_(activations),
      gradients_(gradients),
      slots_(network) {
  LAB_CHECK(of.examples >= 0 && of.examples <= a_.capacity && of.examples <= a_.layers.capacity);
  LAB_CHECK(!of.training || of.outputsAlone || gradients != nullptr);
}

const float* LayerPass::input(std::size_t layer, std::size_t which) const {
  const int from = network_.layers()[layer].inputs[which];
  return from < 0 ? a_.images.data() : output(static_cast<std::size_t>(from));
}

float* LayerPass::output(std::size_t layer) const {
  if (layer + 1 == network_.layers().size()) return a_.logits.data();
  if (network_.layers()[layer].kind == Kind::Flatten) return const_cast<float*>(input(layer));
  std::int64_t before = 0;
  for (std::size_t i = 0; i < layer; ++i)
    if (hasOutput(network_, i)) before += sizeOf(i);
  return a_.layers.outputs.data() + before * a_.layers.capacity;
}

std::span<const float> LayerPass::outputsOf(std::size_t layer) const {
  return {output(layer), static_cast<std::size_t>(of_.examples * sizeOf(layer))};
}

std::uint16_t* LayerPass::winners(std::size_t layer) const {
  std::int64_t before = 0;
  for (std::size_t i = 0; i < layer; ++i)
    if (hasWinners(network_.layers()[i])) before += sizeOf(i);
  return a_.layers.winners.data() + before * a_.layers.capacity;
}

// Used by a pooling that is fused with a convolution.
std::uint8_t* LayerPass::bytesOfWinners(std::size_t layer) const {
  return reinterpret_cast<std::uint8_t*>(winners(layer));
}

LayerMemory::Norm& LayerPass::norm(std::size_t layer) const {
  std::size_t before = 0;
  for (std::size_t i = 0; i < layer; ++i) before += network_.layers()[i].kind == Kind::BatchNorm ? 1 : 0;
  return a_.layers.norms[before];
}

std::int64_t LayerPass::sizeOf(std::size_t layer) const {
  return elements(network_.layers()[layer].output);
}

DropoutMask LayerPass::maskOf(std::size_t layer) const {
  return {of_.seed, of_.step, static_cast<int>(layer), of_.globalOffset, network_.layers()[layer].rate};
}

const float* LayerPass::rounded(const float* values, std::int64_t size, AlignedBuffer<float>& copy) const {
  if (precision_ != Precision::Bfloat16) return values;
  backend_.roundToBfloat16(size, values, copy.data());
  return copy.data();
}

const float* LayerPass::weight(const NetworkLayer& layer, const char* which) const {
  return of_.weights + network_.layout().find(layer.name + which).offset;
}

const float* LayerPass::productWeight(const NetworkLayer& layer) const {
  const float* all = precision_ == Precision::Bfloat16 ? a_.layers.roundedWeights.data() : of_.weights;
  return all + network_.layout().find(layer.name + "/kernel").offset;
}

float* LayerPass::gradient(const NetworkLayer& layer, const char* which) const {
  return gradients_ + network_.layout().find(layer.name + which).offset;
}

// ---- Forward and backward

void LayerPass::begin() {
  if (precision_ == Precision::Bfloat16)
    backend_.roundToBfloat16(network_.layout().size(), of_.weights, a_.layers.roundedWeights.data());
}

bool LayerPass::forward(std::size_t i) {
  const NetworkLayer& layer = network_.layers()[i];
  const std::int64_t n = of_.examples, size = n * sizeOf(i);
  const float* x = input(i);
  float* y = output(i);
  switch (layer.kind) {
    case Kind::Conv2D:
      isPooledAtOnce(i) ? convolvePooled(i) : convolve(i);
      return true;
    case Kind::DepthwiseConv2D:
      layers_.depthwise(n, windowOf(layer, network_.inputOf(i)), layer.units,
                        rounded(x, n * elements(network_.inputOf(i)), a_.layers.roundedInput), productWeight(layer),
                        layer.bias ? weight(layer, "/bias") : nullptr, layer.relu, y);
      return true;
    case Kind::Dense:
      multiply(i);
      return true;
    case Kind::BatchNorm:
      if (!of_.training) return normalizeByMoving(i), true;
      if (!normalize(i)) return false;
      break;
    case Kind::LayerNorm:
      layers_.layerNorm(size / layer.output.back(), layer.output.back(), layer.epsilon, x,
                        layer.scaled ? weight(layer, "/gamma") : nullptr,
                        layer.centered ? weight(layer, "/beta") : nullptr, y);
      break;
    case Kind::MaxPool2D:
      if (i > 0 && isPooledAtOnce(i - 1)) return true;
      [[fallthrough]];
    case Kind::GlobalMaxPool2D:
      layers_.maxPool(n, windowOf(layer, network_.inputOf(i)), x, y, winners(i));
      break;
    case Kind::AveragePool2D:
    case Kind::GlobalAveragePool2D:
      layers_.averagePool(n, windowOf(layer, network_.inputOf(i)), x, y);
      break;
    case Kind::Add:
    case Kind::Concatenate:
      joinForward(i);
      break;
    case Kind::ZeroPadding2D:
      layers_.clear(size, y);
      layers_.placeBlocks(imageBlocks(network_, i, n), x, y);
      break;
    default:
      elementwise(i, x, y);
  }
  return true;
}

// Computes elementwise layers; Flatten is one if it is the last layer.
void LayerPass::elementwise(std::size_t i, const float* x, float* y) {
  const NetworkLayer& layer = network_.layers()[i];
  const std::int64_t n = of_.examples, size = n * sizeOf(i);
  if (layer.kind == Kind::Dropout && of_.training && layer.rate > 0)
    layers_.dropout(n, sizeOf(i), maskOf(i), x, y);
  else if (layer.kind == Kind::Activation && layer.relu)
    layers_.relu(size, x, y);
  else if (layer.kind == Kind::Activation && layer.function != ActivationFunction::None)
    layers_.activation(size, layer.function, layer.slope, x, y);
  else if (x != y)
    backend_.copy(size, x, y);
}

void LayerPass::joinForward(std::size_t i) {
  const NetworkLayer& layer = network_.layers()[i];
  const std::int64_t size = of_.examples * sizeOf(i);
  float* y = output(i);
  if (layer.kind == Kind::Add) layers_.add(size, input(i, 0), input(i, 1), y);
  for (std::size_t which = 0; which < layer.inputs.size(); ++which) {
    if (layer.kind == Kind::Concatenate)
      layers_.placeBlocks(joinedBlocks(network_, i, which, of_.examples), input(i, which), y);
    else if (which >= 2)
      layers_.add(size, y, input(i, which), y);
  }
}

void LayerPass::loss() {
  float* dLogits = of_.training ? a_.dLogits.data() : nullptr;
  if (network_.classes() == kClasses)
    backend_.softmaxCrossEntropy(of_.examples, a_.logits.data(), a_.labels.data(), of_.scale, a_.losses.data(),
                                 a_.predictions.data(), dLogits);
  else
    layers_.crossEntropy(of_.examples, network_.classes(), a_.logits.data(), a_.labels.data(), of_.scale,
                         a_.losses.data(), a_.predictions.data(), dLogits);
}

float* LayerPass::outputGradient(std::size_t i) {
  if (i + 1 == network_.layers().size()) return a_.dLogits.data();
  return at(a_.layers.gradients, slots_.of(i)).data();
}

bool LayerPass::backward(std::size_t i) {
  const NetworkLayer& layer = network_.layers()[i];
  if (!layer.trains) return true;
  if (layer.kind == Kind::MaxPool2D && i > 0 && isPooledAtOnce(i - 1)) {  // fused with the convolution
    slots_.handOver(i, i - 1);
    return true;
  }
  float* dy = outputGradient(i);
  if (layer.relu && !exchanging_ && !isPooledAtOnce(i)) backend_.reluBackward(of_.examples * sizeOf(i), output(i), dy);
  if (layer.kind == Kind::BatchNorm) {
    if (!normalizeBackward(i, dy)) return false;
  }
  for (std::size_t which = 0; which < layer.inputs.size(); ++which) {
    const int from = layer.inputs[which];
    const bool asked = from >= 0 && at(network_.layers(), from).trains;
    giveBack(i, which, dy, asked ? from : NetworkLayer::kNetworkInput);
  }
  slots_.release(i);
  return true;
}

// Computes the gradient by one input: writes it, or adds it if other layers have written theirs. `from` < 0: no layer
// wants it, and only the gradients of the variables are computed.
void LayerPass::giveBack(std::size_t i, std::size_t which, float* dy, int from) {
  const NetworkLayer& layer = network_.layers()[i];
  if (from < 0) return inputGradient(i, which, dy, nullptr);
  const auto to = static_cast<std::size_t>(from);
  const std::int64_t size = of_.examples * sizeOf(to);
  const bool isFirst = slots_.of(to) == GradientSlots::kNone;
  const bool isLast = which + 1 == layer.inputs.size(), owns = slots_.of(i) != GradientSlots::kNone;
  if (handsOn(layer) && isFirst && isLast && owns) return slots_.handOver(i, to);
  if (handsOn(layer) && !isFirst) return layers_.add(size, outputGradient(to), dy, outputGradient(to));
  if (isFirst) {
    slots_.take(to);
    return inputGradient(i, which, dy, outputGradient(to));
  }
  const int slot = slots_.borrow();
  float* own = at(a_.layers.gradients, slot).data();
  inputGradient(i, which, dy, own);
  layers_.add(size, outputGradient(to), own, outputGradient(to));
  slots_.giveBack(slot);
}

// Also computes the gradients of the layer's variables, if it has any. `dx` is null if no layer wants it.
void LayerPass::inputGradient(std::size_t i, std::size_t which, float* dy, float* dx) {
  const NetworkLayer& layer = network_.layers()[i];
  const std::int64_t n = of_.examples, size = n * sizeOf(i);
  const auto optional = [&](bool has, const char* name) { return has ? gradient(layer, name) : nullptr; };
  switch (layer.kind) {
    case Kind::Conv2D:
      if (isPooledAtOnce(i)) return convolvePooledBackward(i, dy, dx);
      return convolveBackward(i, rounded(dy, size, a_.layers.roundedGradient), dy, dx);
    case Kind::DepthwiseConv2D:
      return depthwiseBackward(i, rounded(dy, size, a_.layers.roundedGradient), dy, dx);
    case Kind::Dense:
      return multiplyBackward(i, rounded(dy, size, a_.layers.roundedGradient), dy, dx);
    case Kind::LayerNorm:
      return layers_.layerNormBackward(size / layer.output.back(), layer.output.back(), layer.epsilon, input(i),
                                       layer.scaled ? weight(layer, "/gamma") : nullptr, dy, dx,
                                       optional(layer.scaled, "/gamma"), optional(layer.centered, "/beta"));
    default:
      break;
  }
  if (dx == nullptr) return;
  switch (layer.kind) {
    case Kind::BatchNorm:
      return normInputGradient(i, dy, dx);
    case Kind::MaxPool2D:
    case Kind::GlobalMaxPool2D:
      return layers_.maxPoolBackward(n, windowOf(layer, network_.inputOf(i)), winners(i), dy, dx);
    case Kind::AveragePool2D:
    case Kind::GlobalAveragePool2D:
      return layers_.averagePoolBackward(n, windowOf(layer, network_.inputOf(i)), dy, dx);
    case Kind::Concatenate:
      return layers_.takeBlocks(joinedBlocks(network_, i, which, n), dy, dx);
    case Kind::ZeroPadding2D:
      return layers_.takeBlocks(imageBlocks(network_, i, n), dy, dx);
    case Kind::Dropout:
      if (layer.rate > 0) return layers_.dropout(n, sizeOf(i), maskOf(i), dy, dx);
      break;
    case Kind::Activation:
      if (layer.function != ActivationFunction::None)
        return layers_.activationGradient(size, layer.function, layer.slope, input(i), dy, dx);
      break;
    default:
      break;
  }
  backend_.copy(size, dy, dx);
}

// ---- Products

void LayerPass::convolve(std::size_t i) {
  const NetworkLayer& layer = network_.layers()[i];
  const LayerWindow window = windowOf(layer, network_.inputOf(i));
  const float* x = rounded(input(i), of_.examples * window.inSize(), a_.layers.roundedInput);
  layers_.conv2d(of_.examples, window, layer.units, x, productWeight(layer),
                 layer.bias ? weight(layer, "/bias") : nullptr, layer.relu, output(i));
}

void LayerPass::convolveBackward(std::size_t i, const float* forProducts, const float* dy, float* dx) {
  const NetworkLayer& layer = network_.layers()[i];
  const LayerWindow window = windowOf(layer, network_.inputOf(i));
  const float* x = rounded(input(i), of_.examples * window.inSize(), a_.layers.roundedInput);
  layers_.conv2dKernelGradient(of_.examples, window, layer.units, x, forProducts, gradient(layer, "/kernel"));
  if (layer.bias) layers_.biasGradient(of_.examples * window.places(), layer.units, dy, gradient(layer, "/bias"));
  if (dx != nullptr)
    layers_.conv2dInputGradient(of_.examples, window, layer.units, forProducts, productWeight(layer), dx);
}

// Returns whether the backend fuses a convolution with the 2×2 maximum pooling after it; the map between them then does
// not exist.
bool LayerPass::isPooledAtOnce(std::size_t i) const {
  const NetworkLayer& layer = network_.layers()[i];
  if (of_.outputsAlone || layer.kind != Kind::Conv2D || layer.readers != 1) return false;
  const NetworkLayer& next = network_.layers()[i + 1];
  if (next.kind != Kind::MaxPool2D || next.inputs.front() != static_cast<int>(i)) return false;
  const LayerWindow pool = windowOf(next, layer.output);
  if (pool.height != 2 || pool.width != 2 || pool.strideY != 2 || pool.strideX != 2) return false;
  if (pool.outHeight != pool.inHeight / 2 || pool.outWidth != pool.inWidth / 2) return false;  // padded
  return layers_.fusesPooling(windowOf(layer, network_.inputOf(i)), layer.units);
}

void LayerPass::convolvePooled(std::size_t i) {
  const NetworkLayer& layer = network_.layers()[i];
  const LayerWindow window = windowOf(layer, network_.inputOf(i));
  const float* x = rounded(input(i), of_.examples * window.inSize(), a_.layers.roundedInput);
  layers_.conv2dPool(of_.examples, window, layer.units, x, productWeight(layer),
                     layer.bias ? weight(layer, "/bias") : nullptr, layer.relu, output(i + 1), bytesOfWinners(i + 1));
}

void LayerPass::convolvePooledBackward(std::size_t i, const float* dy, float* dx) {
  const NetworkLayer& layer = network_.layers()[i];
  const LayerWindow window = windowOf(layer, network_.inputOf(i));
  const float* forProducts = rounded(dy, of_.examples * sizeOf(i + 1), a_.layers.roundedGradient);
  const float* x = rounded(input(i), of_.examples * window.inSize(), a_.layers.roundedInput);
  layers_.conv2dPoolBackward(of_.examples, window, layer.units, x, productWeight(layer), bytesOfWinners(i + 1),
                             forProducts, dy, gradient(layer, "/kernel"),
                             layer.bias ? gradient(layer, "/bias") : nullptr, dx);
}

void LayerPass::multiply(std::size_t i) {
  const NetworkLayer& layer = network_.layers()[i];
  const std::int64_t in = network_.inputOf(i).front();
  const float* x = rounded(input(i), of_.examples * in, a_.layers.roundedInput);
  backend_.dense(of_.examples, in, layer.units, x, productWeight(layer), layer.bias ? weight(layer, "/bias") : nullptr,
                 layer.relu, output(i));
}

void LayerPass::multiplyBackward(std::size_t i, const float* forProducts, const float* dy, float* dx) {
  const NetworkLayer& layer = network_.layers()[i];
  const std::int64_t n = of_.examples, in = network_.inputOf(i).front();
  const float* x = rounded(input(i), n * in, a_.layers.roundedInput);
  if (dx != nullptr)
    backend_.denseGradients(n, in, layer.units, x, forProducts, productWeight(layer), gradient(layer, "/kernel"), dx);
  else
    backend_.denseWeightGradient(n, in, layer.units, x, forProducts, gradient(layer, "/kernel"));
  if (layer.bias) layers_.biasGradient(n, layer.units, dy, gradient(layer, "/bias"));
}

void LayerPass::depthwiseBackward(std::size_t i, const float* forProducts, const float* dy, float* dx) {
  const NetworkLayer& layer = network_.layers()[i];
  const LayerWindow window = windowOf(layer, network_.inputOf(i));
  const float* x = rounded(input(i), of_.examples * window.inSize(), a_.layers.roundedInput);
  layers_.depthwiseKernelGradient(of_.examples, window, layer.units, x, forProducts, gradient(layer, "/kernel"));
  if (layer.bias)
    layers_.biasGradient(of_.examples * window.places(), layer.output.back(), dy, gradient(layer, "/bias"));
  if (dx != nullptr)
    layers_.depthwiseInputGradient(of_.examples, window, layer.units, forProducts, productWeight(layer), dx);
}

// Batch normalisation in a pass: by the batch's own statistics, by those of all replicas, or by the moving ones.

bool LayerPass::normalize(std::size_t i) {
  const NetworkLayer& layer = network_.layers()[i];
  const std::int64_t channels = layer.output.back(), rows = of_.examples * sizeOf(i) / channels;
  const auto count = static_cast<std::size_t>(channels);
  if (!exchanging_) {
    sums_.assign(count + 1, {});
    layers_.sums(rows, channels, input(i), sums_.data());
    sums_.back().first = static_cast<double>(rows);
    exchanging_ = layer.synchronized;
    if (exchanging_) return false;
  }
  exchanging_ = false;
  LayerMemory::Norm& norm = this->norm(i);
  norm.count = sums_.back().first;
  if (norm.count == 0) return true;
  std::vector<double> variance(count);
  std::vector<float> factor(count), term(count);
  for (std::size_t c = 0; c < count; ++c) {
    norm.mean[c] = sums_[c].first / norm.count;
    variance[c] = std::max(0.0, sums_[c].second / norm.count - norm.mean[c] * norm.mean[c]);
    norm.inverse[c] = 1 / std::sqrt(variance[c] + layer.epsilon);
    const double gamma = layer.scaled ? static_cast<double>(weight(layer, "/gamma")[c]) : 1;
    const double beta = layer.centered ? static_cast<double>(weight(layer, "/beta")[c]) : 0;
    factor[c] = static_cast<float>(gamma * norm.inverse[c]);
    term[c] = static_cast<float>(beta - gamma * norm.inverse[c] * norm.mean[c]);
  }
  layers_.scaleAndShift(rows, channels, input(i), factor.data(), term.data(), output(i));
  if (of_.movesStatistics) moveStatistics(layer, norm.mean, variance);
  return true;
}

void LayerPass::moveStatistics(const NetworkLayer& layer, const std::vector<double>& mean,
                               const std::vector<double>& variance) {
  const auto move = [&](const char* which, const std::vector<double>& of) {
    float* moving = of_.statistics + network_.statistics().find(layer.name + which).offset;
    const auto keep = static_cast<float>(layer.momentum), take = static_cast<float>(1 - layer.momentum);
    for (std::size_t c = 0; c < of.size(); ++c) moving[c] = moving[c] * keep + static_cast<float>(of[c]) * take;
  };
  move("/moving_mean", mean);
  move("/moving_variance", variance);
}

void LayerPass::normalizeByMoving(std::size_t i) {
  const NetworkLayer& layer = network_.layers()[i];
  const std::int64_t channels = layer.output.back(), rows = of_.examples * sizeOf(i) / channels;
  const float* mean = of_.statistics + network_.statistics().find(layer.name + "/moving_mean").offset;
  const float* variance = of_.statistics + network_.statistics().find(layer.name + "/moving_variance").offset;
  std::vector<float> factor(static_cast<std::size_t>(channels)), term(factor.size());
  for (std::size_t c = 0; c < factor.size(); ++c) {
    const double gamma = layer.scaled ? static_cast<double>(weight(layer, "/gamma")[c]) : 1;
    const double beta = layer.centered ? static_cast<double>(weight(layer, "/beta")[c]) : 0;
    const double inverse = 1 / std::sqrt(static_cast<double>(variance[c]) + layer.epsilon);
    factor[c] = static_cast<float>(gamma * inverse);
    term[c] = static_cast<float>(beta - gamma * inverse * static_cast<double>(mean[c]));
  }
  layers_.scaleAndShift(rows, channels, input(i), factor.data(), term.data(), output(i));
}

bool LayerPass::normalizeBackward(std::size_t i, const float* dy) {
  const NetworkLayer& layer = network_.layers()[i];
  const std::int64_t channels = layer.output.back(), rows = of_.examples * sizeOf(i) / channels;
  const auto count = static_cast<std::size_t>(channels);
  const LayerMemory::Norm& norm = this->norm(i);
  if (!exchanging_) {
    sums_.assign(count + 1, {});
    layers_.gradientSums(rows, channels, input(i), dy, norm.mean.data(), sums_.data());
    // Gradients cover this replica's examples only; they are summed over the replicas as all others are.
    for (std::size_t c = 0; c < count; ++c) {
      if (layer.scaled) gradient(layer, "/gamma")[c] = static_cast<float>(sums_[c].second * norm.inverse[c]);
      if (layer.centered) gradient(layer, "/beta")[c] = static_cast<float>(sums_[c].first);
    }
    exchanging_ = layer.synchronized;
    if (exchanging_) return false;
  }
  exchanging_ = false;
  return true;
}

// Uses the sums present, of this replica or of all replicas.
void LayerPass::normInputGradient(std::size_t i, const float* dy, float* dx) {
  const NetworkLayer& layer = network_.layers()[i];
  const std::int64_t channels = layer.output.back(), rows = of_.examples * sizeOf(i) / channels;
  const auto count = static_cast<std::size_t>(channels);
  const LayerMemory::Norm& norm = this->norm(i);
  if (norm.count == 0) return;
  // dx = γ/σ · (dy − mean of dy − (x − mean) / σ² · mean of dy·(x − mean))
  std::vector<float> a(count), b(count), c(count);
  for (std::size_t k = 0; k < count; ++k) {
    const double gamma = layer.scaled ? static_cast<double>(weight(layer, "/gamma")[k]) : 1;
    const double factor = gamma * norm.inverse[k];
    const double slope = factor * norm.inverse[k] * norm.inverse[k] * sums_[k].second / norm.count;
    a[k] = static_cast<float>(factor);
    b[k] = static_cast<float>(-slope);
    c[k] = static_cast<float>(slope * norm.mean[k] - factor * sums_[k].first / norm.count);
  }
  layers_.combine(rows, channels, dy, a.data(), input(i), b.data(), c.data(), dx);
}

}  // namespace lab
