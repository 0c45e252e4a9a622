// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/replicas/gpu/gpu_layers.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/replicas/gpu/gpu_device.h"

namespace lab {
namespace {

using LayerKind = NetworkLayer::Kind;

std::int64_t elementsOf(const std::vector<std::int64_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

// Such a layer has no memory of its own.
bool onlyHandsOn(const NetworkLayer& layer) {
  return layer.kind == LayerKind::Flatten ||
         (layer.kind == LayerKind::Activation && !layer.relu && layer.function == ActivationFunction::None);
}

bool hasWinners(const NetworkLayer& layer) {
  return layer.kind == LayerKind::MaxPool2D || layer.kind == LayerKind::GlobalMaxPool2D;
}

}  // namespace

// ---- memory

void planLayers(MemoryPlan& plan, const NeuralNetwork& network, Precision precision, std::int64_t n, int replicas,
                ActivationPointers& a, GpuLayerMemory& memory) {
  network.requireTrained();
  a = {};
  memory = {};
  a.images = plan.take<float>(n * network.inputSize());
  a.labels = plan.take<std::uint8_t>(n);
  a.logits = plan.take<float>(n * network.classes());
  a.losses = plan.take<float>(n);
  a.predictions = plan.take<std::uint8_t>(n);
  a.dLogits = plan.take<float>(n * network.classes());
  const std::int64_t before = plan.bytes();
  for (const NetworkLayer& layer : network.layers()) {
    if (layer.kind != LayerKind::BatchNorm) continue;
    const std::int64_t channels = layer.output.back();
    double* norm = plan.take<double>(2 * channels);
    memory.norms.push_back({norm, plan.take<float>(3 * channels)});
    if (memory.cleared == nullptr) memory.cleared = norm;
    for (std::vector<ChannelSums*>& sums : memory.sums)
      sums.push_back(layer.synchronized && replicas > 1 ? plan.take<ChannelSums>(replicas * channels) : nullptr);
  }
  memory.clearedBytes = plan.bytes() - before;
  std::int64_t largest = 0, largestInput = 0, largestGradient = 0;
  for (std::size_t i = 0; i < network.layers().size(); ++i) {
    const NetworkLayer& layer = network.layers()[i];
    const std::int64_t size = elementsOf(layer.output);
    const bool last = i + 1 == network.layers().size();
    const int from = layer.inputs.front();
    memory.outputs.push_back(last                  ? a.logits
                             : !onlyHandsOn(layer) ? plan.take<float>(n * size)
                             : from < 0            ? a.images
                                                   : at(memory.outputs, from));
    memory.winners.push_back(hasWinners(layer) ? plan.take<std::uint16_t>(n * size) : nullptr);
    if (!last) largest = std::max(largest, size);
    if (layer.kind != LayerKind::Conv2D && layer.kind != LayerKind::DepthwiseConv2D && layer.kind != LayerKind::Dense)
      continue;
    largestInput = std::max(largestInput, elementsOf(network.inputOf(i)));
    largestGradient = std::max(largestGradient, size);
  }
  for (int slot = 0; slot < GradientSlots::needed(network); ++slot)
    memory.gradients.push_back(plan.take<float>(n * largest));
  if (precision != Precision::Bfloat16) return;
  memory.roundedInput = plan.take<float>(n * largestInput);
  memory.roundedGradient = plan.take<float>(n * largestGradient);
  memory.roundedWeights = plan.take<float>(network.layout().size(), network.layout().alignmentLead());
}

std::int64_t layerScratch(const NeuralNetwork& network, std::int64_t examples) {
  std::int64_t most = 4;
  for (std::size_t i = 0; i < network.layers().size(); ++i) {
    const NetworkLayer& layer = network.layers()[i];
    const std::vector<std::int64_t>& in = network.inputOf(i);
    if (layer.kind == LayerKind::Conv2D)
      most = std::max(most, gpu::LayerCommands::convScratch(examples, windowOf(layer, in), layer.units));
    if (layer.kind == LayerKind::Dense) most = std::max(most, gpu::scratchFloats(examples, in.front(), layer.units));
    if (layer.kind == LayerKind::DepthwiseConv2D && layer.bias)  // for the bias's gradient
      most = std::max(most, gpu::scratchFloats(1, 1, layer.output.back()));
    if (layer.kind == LayerKind::BatchNorm) most = std::max(most, gpu::LayerCommands::normScratch(in.back()));
    if (layer.kind == LayerKind::LayerNorm)
      most = std::max(most, gpu::LayerCommands::layerNormScratch(examples * elementsOf(in) / in.back()));
  }
  return most;
}

// ---- where things are

GpuLayerPass::GpuLayerPass(const On& on, const NeuralNetwork& network, Precision precision, const PassOf& of,
                           const ActivationPointers& activations, const GpuLayerMemory& memory, float* gradients,
                           const OperationObserver& observer)
    : LayerWalk(network, of.training, observer),
      on_(on),
      precision_(precision),
      of_(of),
      a_(activations),
      memory_(memory),
      gradients_(gradients),
      masked_(network.layers().size(), false),
      slots_(network) {}

const float* GpuLayerPass::input(std::size_t layer, std::size_t which) const {
  const int from = network_.layers()[layer].inputs[which];
  return from < 0 ? a_.images : at(memory_.outputs, from);
}

float* GpuLayerPass::outputGradient(std::size_t layer) const {
  if (layer + 1 == network_.layers().size()) return a_.dLogits;
  return at(memory_.gradients, slots_.of(layer));
}

std::int64_t GpuLayerPass::sizeOf(std::size_t layer) const {
  return elementsOf(network_.layers()[layer].output);
}

const float* GpuLayerPass::rounded(const float* values, std::int64_t size, float* copy) const {
  if (precision_ != Precision::Bfloat16) return values;
  on_.backend->roundToBfloat16(size, values, copy);
  return copy;
}

const float* GpuLayerPass::weight(const NetworkLayer& layer, const char* which) const {
  return of_.weights + network_.layout().find(layer.name + which).offset;
}

const float* GpuLayerPass::productWeight(const NetworkLayer& layer) const {
  const float* all = precision_ == Precision::Bfloat16 ? memory_.roundedWeights : of_.weights;
  return all + network_.layout().find(layer.name + "/kernel").offset;
}

float* GpuLayerPass::gradient(const NetworkLayer& layer, const char* which) const {
  return gradients_ + network_.layout().find(layer.name + which).offset;
}

// Returns the layer's input if relu made it, its gradient is passed on, and only this layer contributes to it: the
// kernel that writes this gradient then also applies relu.
const float* GpuLayerPass::maskFor(std::size_t layer) {
  const std::vector<NetworkLayer>& layers = network_.layers();
  int maker = layers[layer].inputs.front();
  while (maker >= 0 && onlyHandsOn(at(layers, maker)) && at(layers, maker).readers == 1)
    maker = at(layers, maker).inputs.front();
  if (maker < 0) return nullptr;
  const NetworkLayer& made = at(layers, maker);
  if (!made.relu || !made.trains || made.readers != 1) return nullptr;
  at(masked_, maker) = true;
  return input(layer);
}

// ---- the way there and back

void GpuLayerPass::begin() {
  if (precision_ == Precision::Bfloat16)
    on_.backend->roundToBfloat16(network_.layout().size(), of_.weights, memory_.roundedWeights);
}

bool GpuLayerPass::forward(std::size_t i) {
  const NetworkLayer& layer = network_.layers()[i];
  const std::int64_t n = of_.examples, size = n * sizeOf(i);
  const float* x = input(i);
  float* y = memory_.outputs[i];
  switch (layer.kind) {
    case LayerKind::Conv2D:
      convolve(i);
      break;
    case LayerKind::Dense:
      multiply(i);
      break;
    case LayerKind::BatchNorm:
      return normalize(i);
    case LayerKind::DepthwiseConv2D:
      depthwise(i);
      break;
    case LayerKind::LayerNorm:
      on_.layers->layerNorm(size / layer.output.back(), layer.output.back(), layer.epsilon, x,
                            layer.scaled ? weight(layer, "/gamma") : nullptr,
                            layer.centered ? weight(layer, "/beta") : nullptr, y);
      break;
    case LayerKind::MaxPool2D:
    case LayerKind::GlobalMaxPool2D:
      on_.layers->maxPool(n, windowOf(layer, network_.inputOf(i)), x, y, memory_.winners[i]);
      break;
    case LayerKind::AveragePool2D:
    case LayerKind::GlobalAveragePool2D:
      on_.layers->averagePool(n, windowOf(layer, network_.inputOf(i)), x, y);
      break;
    case LayerKind::Add:
    case LayerKind::Concatenate:
      join(i);
      break;
    case LayerKind::ZeroPadding2D:
      on_.layers->clear(size, y);
      on_.layers->placeBlocks(imageBlocks(network_, i, n), x, y);
      break;
    case LayerKind::Dropout:
      if (of_.training && layer.rate > 0)
        on_.layers->dropout(n, sizeOf(i), {of_.seed, 0, static_cast<int>(i), 0, layer.rate}, on_.stepAndPlace, x, y);
      else
        on_.backend->copy(size, x, y);
      break;
    case LayerKind::Flatten:
    case LayerKind::Activation:
      if (layer.relu)
        on_.layers->relu(size, x, y);
      else if (layer.function != ActivationFunction::None)
        on_.layers->activation(size, layer.function, layer.slope, x, nullptr, y);
      else if (x != y)  // the last layer
        on_.backend->copy(size, x, y);
      break;
  }
  return true;
}

void GpuLayerPass::loss() {
  float* dLogits = of_.training ? a_.dLogits : nullptr;
  if (network_.classes() == kClasses)
    on_.backend->softmaxCrossEntropy(of_.examples, a_.logits, a_.labels, of_.scale, a_.losses, a_.predictions, dLogits);
  else
    on_.layers->crossEntropy(of_.examples, network_.classes(), a_.logits, a_.labels, of_.scale, a_.losses,
                             a_.predictions, dLogits);
}

bool GpuLayerPass::backward(std::size_t i) {
  const NetworkLayer& layer = network_.layers()[i];
  if (!layer.trains) return true;
  dy_ = outputGradient(i);
  if (layer.relu && !masked_[i] && !exchanging_)
    on_.backend->reluBackward(of_.examples * sizeOf(i), memory_.outputs[i], dy_);
  for (std::size_t which = 0; which < layer.inputs.size(); ++which) {
    const int from = layer.inputs[which];
    const bool asked = from >= 0 && at(network_.layers(), from).trains;
    if (!giveBack(i, which, asked ? from : NetworkLayer::kNetworkInput)) return false;
  }
  slots_.release(i);
  return true;
}

// See LayerPass::giveBack. Returns false where the layer stops.
bool GpuLayerPass::giveBack(std::size_t i, std::size_t which, int from) {
  const NetworkLayer& layer = network_.layers()[i];
  if (from < 0) return inputGradient(i, which, nullptr);
  const auto to = static_cast<std::size_t>(from);
  const std::int64_t size = of_.examples * sizeOf(to);
  const bool isFirst = slots_.of(to) == GradientSlots::kNone;
  if (!exchanging_) {  // otherwise it stopped here before and now continues
    const bool isLast = which + 1 == layer.inputs.size(), owns = slots_.of(i) != GradientSlots::kNone;
    if (handsOn(layer) && isFirst && isLast && owns) return slots_.handOver(i, to), true;
    if (handsOn(layer) && !isFirst) return on_.layers->add(size, outputGradient(to), dy_, outputGradient(to)), true;
    borrowed_ = isFirst ? GradientSlots::kNone : slots_.borrow();
    if (isFirst) slots_.take(to);
  }
  const bool adds = borrowed_ != GradientSlots::kNone;
  float* dx = adds ? at(memory_.gradients, borrowed_) : outputGradient(to);
  if (!inputGradient(i, which, dx)) return false;
  if (!adds) return true;
  on_.layers->add(size, outputGradient(to), dx, outputGradient(to));
  slots_.giveBack(borrowed_);
  return true;
}

// Also computes the gradients of the layer's variables, if it has any. `dx` is null if nobody needs it.
bool GpuLayerPass::inputGradient(std::size_t i, std::size_t which, float* dx) {
  const NetworkLayer& layer = network_.layers()[i];
  const std::int64_t n = of_.examples, size = n * sizeOf(i);
  const auto mask = [&] { return dx == nullptr ? nullptr : maskFor(i); };
  switch (layer.kind) {
    case LayerKind::Conv2D:
      return convolveBackward(i, mask(), dx), true;
    case LayerKind::DepthwiseConv2D:
      return depthwiseBackward(i, dx), true;
    case LayerKind::Dense:
      return multiplyBackward(i, mask(), dx), true;
    case LayerKind::BatchNorm:
      return normalizeBackward(i, mask(), dx);
    case LayerKind::LayerNorm:
      on_.layers->layerNormBackward(size / layer.output.back(), layer.output.back(), layer.epsilon, input(i),
                                    layer.scaled ? weight(layer, "/gamma") : nullptr, dy_, dx,
                                    layer.scaled ? gradient(layer, "/gamma") : nullptr,
                                    layer.centered ? gradient(layer, "/beta") : nullptr);
      return true;
    default:
      break;
  }
  if (dx == nullptr) return true;
  switch (layer.kind) {
    case LayerKind::MaxPool2D:
    case LayerKind::GlobalMaxPool2D:
      on_.layers->maxPoolBackward(n, windowOf(layer, network_.inputOf(i)), memory_.winners[i], dy_, mask(), dx);
      return true;
    case LayerKind::AveragePool2D:
    case LayerKind::GlobalAveragePool2D:
      on_.layers->averagePoolBackward(n, windowOf(layer, network_.inputOf(i)), dy_, mask(), dx);
      return true;
    case LayerKind::Concatenate:
      return on_.layers->takeBlocks(joinedBlocks(network_, i, which, n), dy_, dx), true;
    case LayerKind::ZeroPadding2D:
      return on_.layers->takeBlocks(imageBlocks(network_, i, n), dy_, dx), true;
    case LayerKind::Dropout:
      if (layer.rate <= 0) break;
      on_.layers->dropout(n, sizeOf(i), {of_.seed, 0, static_cast<int>(i), 0, layer.rate}, on_.stepAndPlace, dy_, dx);
      return true;
    case LayerKind::Activation:
      if (layer.function == ActivationFunction::None) break;
      return on_.layers->activation(size, layer.function, layer.slope, input(i), dy_, dx), true;
    default:
      break;
  }
  on_.backend->copy(size, dy_, dx);
  return true;
}

void GpuLayerPass::join(std::size_t i) {
  const NetworkLayer& layer = network_.layers()[i];
  const std::int64_t n = of_.examples, size = n * sizeOf(i);
  float* y = memory_.outputs[i];
  if (layer.kind == LayerKind::Add) on_.layers->add(size, input(i, 0), input(i, 1), y);
  for (std::size_t which = 0; which < layer.inputs.size(); ++which) {
    if (layer.kind == LayerKind::Concatenate)
      on_.layers->placeBlocks(joinedBlocks(network_, i, which, n), input(i, which), y);
    else if (which >= 2)
      on_.layers->add(size, y, input(i, which), y);
  }
}

void GpuLayerPass::depthwise(std::size_t i) {
  const NetworkLayer& layer = network_.layers()[i];
  const LayerWindow window = windowOf(layer, network_.inputOf(i));
  const float* x = rounded(input(i), of_.examples * window.inSize(), memory_.roundedInput);
  on_.layers->depthwise(of_.examples, window, layer.units, x, productWeight(layer),
                        layer.bias ? weight(layer, "/bias") : nullptr, layer.relu, memory_.outputs[i]);
}

void GpuLayerPass::depthwiseBackward(std::size_t i, float* dx) {
  const NetworkLayer& layer = network_.layers()[i];
  const LayerWindow window = windowOf(layer, network_.inputOf(i));
  const std::int64_t rows = of_.examples * window.places(), filters = layer.output.back();
  const float* x = rounded(input(i), of_.examples * window.inSize(), memory_.roundedInput);
  const float* dy = rounded(dy_, rows * filters, memory_.roundedGradient);
  on_.layers->depthwiseKernelGradient(of_.examples, window, layer.units, x, dy, gradient(layer, "/kernel"));
  if (layer.bias) on_.backend->denseBiasGradient(rows, filters, dy_, gradient(layer, "/bias"));
  if (dx != nullptr)
    on_.layers->depthwiseInputGradient(of_.examples, window, layer.units, dy, productWeight(layer), dx);
}

// ---- products

void GpuLayerPass::convolve(std::size_t i) {
  const NetworkLayer& layer = network_.layers()[i];
  const LayerWindow window = windowOf(layer, network_.inputOf(i));
  const float* x = rounded(input(i), of_.examples * window.inSize(), memory_.roundedInput);
  on_.layers->conv2d(of_.examples, window, layer.units, x, productWeight(layer),
                     layer.bias ? weight(layer, "/bias") : nullptr, layer.relu, memory_.outputs[i]);
}

void GpuLayerPass::convolveBackward(std::size_t i, const float* mask, float* dx) {
  const NetworkLayer& layer = network_.layers()[i];
  const LayerWindow window = windowOf(layer, network_.inputOf(i));
  const std::int64_t rows = of_.examples * window.places();
  const float* x = rounded(input(i), of_.examples * window.inSize(), memory_.roundedInput);
  const float* dy = rounded(dy_, rows * layer.units, memory_.roundedGradient);
  on_.layers->conv2dKernelGradient(of_.examples, window, layer.units, x, dy, gradient(layer, "/kernel"));
  if (layer.bias) on_.backend->denseBiasGradient(rows, layer.units, dy_, gradient(layer, "/bias"));
  if (dx != nullptr)
    on_.layers->conv2dInputGradient(of_.examples, window, layer.units, dy, productWeight(layer), mask, dx);
}

void GpuLayerPass::multiply(std::size_t i) {
  const NetworkLayer& layer = network_.layers()[i];
  const std::int64_t in = network_.inputOf(i).front();
  const float* x = rounded(input(i), of_.examples * in, memory_.roundedInput);
  on_.backend->dense(of_.examples, in, layer.units, x, productWeight(layer),
                     layer.bias ? weight(layer, "/bias") : nullptr, layer.relu, memory_.outputs[i]);
}

void GpuLayerPass::multiplyBackward(std::size_t i, const float* mask, float* dx) {
  const NetworkLayer& layer = network_.layers()[i];
  const std::int64_t n = of_.examples, in = network_.inputOf(i).front();
  const float* x = rounded(input(i), n * in, memory_.roundedInput);
  const float* dy = rounded(dy_, n * layer.units, memory_.roundedGradient);
  on_.backend->denseWeightGradient(n, in, layer.units, x, dy, gradient(layer, "/kernel"));
  if (layer.bias) on_.backend->denseBiasGradient(n, layer.units, dy_, gradient(layer, "/bias"));
  if (dx != nullptr) on_.layers->denseInputGradient(n, in, layer.units, dy, productWeight(layer), mask, dx);
}

// ---- batch normalisation

std::size_t GpuLayerPass::normIndex(std::size_t layer) const {
  const std::span before(network_.layers().data(), layer);
  return static_cast<std::size_t>(std::ranges::count(before, LayerKind::BatchNorm, &NetworkLayer::kind));
}

gpu::NormVariables GpuLayerPass::normVariables(std::size_t i) const {
  const NetworkLayer& layer = network_.layers()[i];
  const auto moving = [&](const char* which) {
    return of_.statistics + network_.statistics().find(layer.name + which).offset;
  };
  return {layer.scaled ? weight(layer, "/gamma") : nullptr,
          layer.centered ? weight(layer, "/beta") : nullptr,
          moving("/moving_mean"),
          moving("/moving_variance"),
          layer.epsilon,
          layer.momentum,
          of_.movesStatistics};
}

// Returns the batch's sums, or those of all replicas if they have been exchanged. Without parts: they still have to be
// exchanged.
gpu::LayerCommands::Sums GpuLayerPass::normSums(std::size_t i, bool back) {
  const NetworkLayer& layer = network_.layers()[i];
  const std::int64_t channels = layer.output.back(), places = sizeOf(i) / channels, rows = of_.examples * places;
  const std::size_t index = normIndex(i);
  ChannelSums* all = memory_.sums[back ? 1 : 0][index];
  const float* dy = back ? dy_ : nullptr;
  const double* mean = memory_.norms[index].norm;
  if (all == nullptr) return on_.layers->sumsInParts(rows, channels, input(i), dy, mean);
  if (!exchanging_ && !on_.again) {
    on_.layers->sums(rows, channels, input(i), dy, mean, all + on_.replica * channels);
    exchanging_ = true;
    exchanged_ = all;
    exchangedChannels_ = channels;
    return {};
  }
  exchanging_ = false;
  return {all, on_.replicas, on_.allExamples * places};
}

bool GpuLayerPass::normalize(std::size_t i) {
  const std::int64_t channels = network_.layers()[i].output.back(), rows = of_.examples * sizeOf(i) / channels;
  const gpu::NormMemory& memory = memory_.norms[normIndex(i)];
  if (!of_.training) {
    on_.layers->normalizeByMoving(rows, channels, normVariables(i), memory, input(i), memory_.outputs[i]);
    return true;
  }
  const gpu::LayerCommands::Sums sums = normSums(i, false);
  if (sums.parts == nullptr) return false;
  on_.layers->normalize(sums, rows, channels, normVariables(i), memory, input(i), memory_.outputs[i]);
  return true;
}

// The gradients of gamma and beta cover only this replica's examples; they are summed over the replicas like all
// others.
bool GpuLayerPass::normalizeBackward(std::size_t i, const float* mask, float* dx) {
  const NetworkLayer& layer = network_.layers()[i];
  const std::int64_t channels = layer.output.back(), rows = of_.examples * sizeOf(i) / channels;
  const std::size_t index = normIndex(i);
  const gpu::NormMemory& memory = memory_.norms[index];
  float* dGamma = layer.scaled ? gradient(layer, "/gamma") : nullptr;
  float* dBeta = layer.centered ? gradient(layer, "/beta") : nullptr;
  const bool first = !exchanging_;
  const gpu::LayerCommands::Sums sums = normSums(i, true);
  const ChannelSums* all = memory_.sums[1][index];
  if (all != nullptr && first)
    on_.layers->normGradients({all + on_.replica * channels, 1, rows}, channels, memory, dGamma, dBeta);
  if (sums.parts == nullptr) return false;
  if (all != nullptr) dGamma = dBeta = nullptr;
  if (dx == nullptr) {
    if (all == nullptr) on_.layers->normGradients(sums, channels, memory, dGamma, dBeta);
    return true;
  }
  const float* gamma = layer.scaled ? weight(layer, "/gamma") : nullptr;
  on_.layers->normInputGradient(sums, rows, channels, gamma, memory, input(i), dy_, mask, dGamma, dBeta, dx);
  return true;
}

}  // namespace lab
