// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a network as Keras's text, the reverse of keras_json.h's parser.
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "core/base/at.h"
#include "core/keras/keras_json.h"

namespace lab {
namespace {

using nlohmann::json;
using Kind = NetworkLayer::Kind;

constexpr const char* kInputName = "input_layer";

const char* classOf(const NetworkLayer& layer) {
  if (layer.kind != Kind::Activation) return kindName(layer.kind);
  if (layer.name.starts_with("re_lu")) return "ReLU";
  if (layer.name.starts_with("leaky_re_lu")) return "LeakyReLU";
  return layer.name.starts_with("softmax") ? "Softmax" : "Activation";
}

std::string activationOf(const NetworkLayer& layer) {
  return layer.relu ? "relu" : layer.softmax ? "softmax" : std::string(activationWord(layer.function));
}

void addWindow(const NetworkLayer& layer, bool pools, json& config) {
  config[pools ? "pool_size" : "kernel_size"] = {layer.side, layer.width};
  config["strides"] = {layer.strideY, layer.strideX};
  config["padding"] = layer.same ? "same" : "valid";
}

void addNorm(const NetworkLayer& layer, json& config) {
  config["axis"] = -1;
  config["epsilon"] = layer.epsilon;
  config["center"] = layer.centered;
  config["scale"] = layer.scaled;
  if (layer.kind != Kind::BatchNorm) return;
  config["momentum"] = layer.momentum;
  config["synchronized"] = layer.synchronized;
}

json configOf(const NetworkLayer& layer) {
  json config{{"name", layer.name}, {"trainable", true}, {"dtype", "float32"}};
  switch (layer.kind) {
    case Kind::Conv2D:
    case Kind::DepthwiseConv2D:
      addWindow(layer, false, config);
      if (layer.groups > 1) config["groups"] = layer.groups;
      [[fallthrough]];
    case Kind::Dense:
      config[layer.kind == Kind::Conv2D  ? "filters"
             : layer.kind == Kind::Dense ? "units"
                                         : "depth_multiplier"] = layer.units;
      config["use_bias"] = layer.bias;
      config["activation"] = activationOf(layer);
      break;
    case Kind::MaxPool2D:
    case Kind::AveragePool2D:
      addWindow(layer, true, config);
      break;
    case Kind::ZeroPadding2D: {
      const auto& [above, below, left, right] = layer.margins;
      config["padding"] = {{above, below}, {left, right}};
      break;
    }
    case Kind::Dropout:
      config["rate"] = layer.rate;
      break;
    case Kind::BatchNorm:
    case Kind::LayerNorm:
      addNorm(layer, config);
      break;
    case Kind::Concatenate:
      config["axis"] = -1;
      break;
    case Kind::Activation:
      if (const std::string kind = classOf(layer); kind == "Activation")
        config["activation"] = activationOf(layer);
      else if (kind == "LeakyReLU")
        config["negative_slope"] = layer.slope;
      else if (layer.function == ActivationFunction::Relu6)
        config["max_value"] = kRelu6Most;
      break;
    default:
      break;
  }
  return config;
}

json shapeOf(const std::vector<std::int64_t>& shape) {
  json list = json::array({nullptr});
  for (const std::int64_t extent : shape) list.push_back(extent);
  return list;
}

// Returns the layer's inputs (inbound_nodes), as Keras 3 writes them.
json nodesOf(const NeuralNetwork& network, const NetworkLayer& layer) {
  json tensors = json::array();
  for (const int from : layer.inputs)
    tensors.push_back({{"class_name", "__keras_tensor__"},
                       {"config",
                        {{"shape", shapeOf(network.outputOf(from))},
                         {"dtype", "float32"},
                         {"keras_history", {from < 0 ? kInputName : at(network.layers(), from).name, 0, 0}}}}});
  json args = json::array();
  if (layer.inputs.size() > 1)
    args.push_back(tensors);
  else
    args = tensors;
  return json::array({{{"args", args}, {"kwargs", json::object()}}});
}

}  // namespace

std::string kerasJson(const NeuralNetwork& network) {
  const bool isGraph = !network.isChain();
  const auto layer = [&](const char* kind, json config, const json& nodes) {
    json each{
        {"module", "keras.layers"}, {"class_name", kind}, {"config", std::move(config)}, {"registered_name", nullptr}};
    if (!isGraph) return each;
    each["name"] = each.at("config").at("name");
    each["inbound_nodes"] = nodes;
    return each;
  };
  json layers = json::array(
      {layer("InputLayer",
             {{"batch_shape", shapeOf(network.input())}, {"dtype", "float32"}, {"sparse", false}, {"name", kInputName}},
             json::array())});
  for (const NetworkLayer& each : network.layers())
    layers.push_back(layer(classOf(each), configOf(each), nodesOf(network, each)));
  json model{{"module", isGraph ? "keras.src.models.functional" : "keras"},
             {"class_name", isGraph ? "Functional" : "Sequential"},
             {"config", {{"name", isGraph ? "functional" : "sequential"}, {"trainable", true}, {"layers", layers}}},
             {"registered_name", nullptr}};
  if (isGraph) {
    model["registered_name"] = "Functional";
    model["config"]["input_layers"] = {kInputName, 0, 0};
    model["config"]["output_layers"] = {network.layers().back().name, 0, 0};
  }
  return model.dump();
}

}  // namespace lab
