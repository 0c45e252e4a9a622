// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/replay/layer_outputs.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/base/thread_pool.h"
#include "core/config/run_info.h"
#include "core/data/split.h"
#include "core/device/layer_backend.h"
#include "core/model/cnn.h"
#include "core/options/network_of.h"
#include "core/replay/classify.h"
#include "core/trace/step_record.h"

namespace lab {

BatchPlace placeOf(const RunInfo& info, const StepRecord& record, int replica) {
  const auto at = static_cast<std::size_t>(replica);
  if (record.metric.worker.has_value()) {
    // A class's asynchronous workers count every batch from 0.
    if (info.isClass) return {record.replicas[at].batchesBefore, 0};
    return {record.replicas[at].version, replica * info.config.examplesPerStep()};
  }
  std::vector<std::int64_t> sizes;
  for (const ReplicaStep& each : record.replicas) sizes.push_back(std::ssize(each.shard));
  return {record.metric.step - 1, placesInBatch(sizes, info.split.rule, static_cast<int>(info.config.hosts))[at]};
}

bool hasOwnOutputs(const NeuralNetwork& network) {
  return !network.exchangesStatistics();
}

std::vector<std::vector<float>> layerOutputs(const Examples& examples, std::span<const float> weights,
                                             std::span<const float> statistics, const BatchPlace& place,
                                             const SettingsBase& config) {
  const std::shared_ptr<const NeuralNetwork> network = networkOf(config);
  const Layout& layout = network->layout();
  LAB_CHECK(std::ssize(weights) == layout.size() && examples.imageSize() == network->inputSize());
  LAB_CHECK(std::ssize(statistics) == network->statistics().size() && hasOwnOutputs(*network));
  ThreadPool pool(1);
  const auto backend = makeCpuBackend(pool);
  AlignedBuffer<float> aligned(layout.size(), layout.alignmentLead());
  std::ranges::copy(weights, aligned.data());
  std::vector<float> moving(statistics.begin(), statistics.end());
  Activations activations;
  activations.reserve(*network, examples.count, config.matmul);
  activations.layers.reserve(*network, examples.count, config.matmul);
  fillBatch(examples, 0, examples.count, activations);
  const PassOf of{.examples = examples.count,
                  .weights = aligned.data(),
                  .statistics = moving.data(),
                  .movesStatistics = false,
                  .outputsAlone = true,
                  .seed = static_cast<std::uint64_t>(config.seed),
                  .step = place.step,
                  .globalOffset = place.globalOffset};
  LayerPass pass(*backend, *network, config.matmul, of, activations, nullptr);
  (void)pass.run();
  std::vector<std::vector<float>> outputs;
  for (std::size_t i = 0; i < network->layers().size(); ++i) {
    const std::span<const float> values = pass.outputsOf(i);
    outputs.emplace_back(values.begin(), values.end());
  }
  return outputs;
}

namespace {

std::span<const float> variableOf(const NeuralNetwork& network, const std::string& name,
                                  std::span<const float> weights) {
  for (const Variable& variable : network.layout().variables())
    if (variable.name == name)
      return weights.subspan(static_cast<std::size_t>(variable.offset), static_cast<std::size_t>(variable.size));
  return {};
}

bool isMaximum(const NetworkLayer& layer) {
  return layer.kind == NetworkLayer::Kind::MaxPool2D || layer.kind == NetworkLayer::Kind::GlobalMaxPool2D;
}

bool isMean(const NetworkLayer& layer) {
  return layer.kind == NetworkLayer::Kind::AveragePool2D || layer.kind == NetworkLayer::Kind::GlobalAveragePool2D;
}

void addWindow(UnitSum& unit, const LayerWindow& window, const NetworkLayer& layer, std::int64_t channel,
               std::span<const float> input, std::span<const float> kernel) {
  const bool convolves = layer.kind == NetworkLayer::Kind::Conv2D;
  const bool depthwise = layer.kind == NetworkLayer::Kind::DepthwiseConv2D;
  const std::int64_t from = depthwise ? channel / layer.units : channel;  // the input channel that it reads
  double largest = -std::numeric_limits<double>::infinity();
  std::int64_t inside = 0;
  for (std::int64_t y = 0; y < unit.height; ++y)
    for (std::int64_t x = 0; x < unit.width; ++x) {
      const std::int64_t row = unit.top + y, column = unit.left + x;
      const bool isInside = row >= 0 && row < window.inHeight && column >= 0 && column < window.inWidth;
      const std::int64_t place = (row * window.inWidth + column) * window.channels;
      double term = 0;
      if (!convolves) {
        term = isInside ? static_cast<double>(at(input, place + from)) : 0;
        if (isInside) largest = std::max(largest, term), ++inside;
      }
      if (depthwise) {
        const std::int64_t at = (y * unit.width + x) * window.channels * layer.units + channel;
        unit.inputs.push_back(term);
        unit.kernel.push_back(static_cast<double>(lab::at(kernel, at)));
        term *= unit.kernel.back();
      }
      for (std::int64_t c = 0; convolves && c < window.channels; ++c) {
        const std::int64_t at = ((y * unit.width + x) * window.channels + c) * layer.units + channel;
        const auto weight = static_cast<double>(lab::at(kernel, at));
        const double value = isInside ? static_cast<double>(lab::at(input, place + c)) : 0;
        term += value * weight;
        if (window.channels > 1) continue;
        unit.inputs.push_back(value);
        unit.kernel.push_back(weight);
      }
      unit.terms.push_back(term);
      unit.sum += term;
    }
  unit.products = convolves ? window.taps() : depthwise ? window.height * window.width : 0;
  if (isMaximum(layer)) unit.value = largest;
  if (isMean(layer)) unit.value = unit.sum / static_cast<double>(std::max<std::int64_t>(1, inside));
}

}  // namespace

UnitSum unitSum(const NeuralNetwork& network, std::size_t layer, std::int64_t channel, std::int64_t y, std::int64_t x,
                std::span<const float> input, std::span<const float> weights) {
  using Kind = NetworkLayer::Kind;
  const NetworkLayer& of = network.layers()[layer];
  UnitSum unit;
  const std::span<const float> kernel = variableOf(network, of.name + "/kernel", weights);
  const std::span<const float> bias = variableOf(network, of.name + "/bias", weights);
  const bool convolves = of.kind == Kind::Conv2D || of.kind == Kind::DepthwiseConv2D;
  if (convolves || isMaximum(of) || isMean(of)) {
    const LayerWindow window = windowOf(of, network.inputOf(layer));
    unit.top = y * window.strideY - window.padTop;
    unit.left = x * window.strideX - window.padLeft;
    unit.height = window.height;
    unit.width = window.width;
    addWindow(unit, window, of, channel, input, kernel);
    if (!convolves) return unit;
  } else if (of.kind == Kind::Dense) {
    unit.products = std::ssize(input);
    for (std::size_t i = 0; i < input.size(); ++i)
      unit.sum +=
          static_cast<double>(input[i]) *
          static_cast<double>(kernel[i * static_cast<std::size_t>(of.units) + static_cast<std::size_t>(channel)]);
  } else {
    return unit;
  }
  if (!bias.empty()) unit.bias = static_cast<double>(at(bias, channel));
  unit.value = unit.sum + unit.bias;
  if (of.relu) unit.value = std::max(0.0, unit.value);
  return unit;
}

}  // namespace lab
