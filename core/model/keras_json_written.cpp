// SPDX-License-Identifier: GPL-3.0-or-later
// A network as Keras's text, the way out of keras_json.h.
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "core/model/keras_json.h"

namespace lab {
namespace {

using nlohmann::json;
using Kind = NetworkLayer::Kind;

const char* classOf(const NetworkLayer& layer) {
  switch (layer.kind) {
    case Kind::Conv2D:
      return "Conv2D";
    case Kind::MaxPool2D:
      return "MaxPooling2D";
    case Kind::AveragePool2D:
      return "AveragePooling2D";
    case Kind::Flatten:
      return "Flatten";
    case Kind::Dense:
      return "Dense";
    case Kind::Dropout:
      return "Dropout";
    case Kind::BatchNorm:
      return "BatchNormalization";
    case Kind::Activation:
      break;
  }
  if (layer.name.starts_with("re_lu")) return "ReLU";
  return layer.name.starts_with("softmax") ? "Softmax" : "Activation";
}

json configOf(const NetworkLayer& layer) {
  json config{{"name", layer.name}, {"trainable", true}, {"dtype", "float32"}};
  const std::string kind = classOf(layer);
  if (layer.kind == Kind::Conv2D) config["filters"] = layer.units;
  if (layer.kind == Kind::Dense) config["units"] = layer.units;
  if (layer.kind == Kind::Conv2D || layer.kind == Kind::Dense) {
    config["use_bias"] = layer.bias;
    config["activation"] = layer.relu ? "relu" : layer.softmax ? "softmax" : "linear";
  }
  if (kind == "Activation") config["activation"] = layer.relu ? "relu" : layer.softmax ? "softmax" : "linear";
  if (layer.side > 0) {
    config[layer.kind == Kind::Conv2D ? "kernel_size" : "pool_size"] = {layer.side, layer.width};
    config["strides"] = {layer.strideY, layer.strideX};
    config["padding"] = layer.same ? "same" : "valid";
  }
  if (layer.kind == Kind::Dropout) config["rate"] = layer.rate;
  if (layer.kind == Kind::BatchNorm) {
    config["axis"] = -1;
    config["momentum"] = layer.momentum;
    config["epsilon"] = layer.epsilon;
    config["center"] = layer.centered;
    config["scale"] = layer.scaled;
    config["synchronized"] = layer.synchronized;
  }
  return config;
}

}  // namespace

std::string kerasJson(const NeuralNetwork& network) {
  json shape = json::array({nullptr});
  for (const std::int64_t extent : network.input()) shape.push_back(extent);
  const auto layer = [](const char* kind, json config) {
    return json{
        {"module", "keras.layers"}, {"class_name", kind}, {"config", std::move(config)}, {"registered_name", nullptr}};
  };
  json layers = json::array({layer(
      "InputLayer", {{"batch_shape", shape}, {"dtype", "float32"}, {"sparse", false}, {"name", "input_layer"}})});
  for (const NetworkLayer& each : network.layers()) layers.push_back(layer(classOf(each), configOf(each)));
  const json model{{"module", "keras"},
                   {"class_name", "Sequential"},
                   {"config", {{"name", "sequential"}, {"trainable", true}, {"layers", layers}}},
                   {"registered_name", nullptr}};
  return model.dump();
}

}  // namespace lab
