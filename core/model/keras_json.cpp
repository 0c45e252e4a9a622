// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/keras_json.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/messages.h"
#include "core/model/messages.h"

namespace lab {
namespace {

using nlohmann::json;
using Kind = NetworkLayer::Kind;
using Shape = std::vector<std::int64_t>;

constexpr int kMostDepth = 16;

// What a message calls a value: an object by its class.
std::string called(const json& value) {
  if (value.is_object() && value.contains("class_name") && value.at("class_name").is_string())
    return value.at("class_name").get<std::string>().substr(0, 64);
  return value.dump().substr(0, 64);
}

// One layer of the text, with what a message has to say of it.
class LayerReader {
 public:
  LayerReader(const json& layer, std::size_t place, const std::string& name, FirstWeights weights)
      : place_(place), name_(name), weights_(weights) {
    if (!layer.is_object() || !layer.contains("class_name") || !layer.at("class_name").is_string() ||
        !layer.contains("config") || !layer.at("config").is_object())
      throw UserError(say::notKerasLayer, File{name}, place + 1);
    kind_ = layer.at("class_name").get<std::string>();
    config_ = &layer.at("config");
    given_ = text("name", "").substr(0, 64);
  }

  const std::string& kind() const { return kind_; }
  const std::string& given() const { return given_; }

  // A policy, by its name or as an object that has one.
  void expectFloat32() const {
    const json* value = find("dtype");
    if (value != nullptr && value->is_object() && value->contains("config") && value->at("config").is_object() &&
        value->at("config").contains("name"))
      value = &value->at("config").at("name");
    if (value != nullptr && *value != "float32") refuse({say::otherDtypeOfLayer, called(*value)});
  }

  // "layer 3, 'lstm' (LSTM)" with what is wrong.
  [[noreturn]] void refuse(const Message& why) const {
    throw UserError(say::layerNotComputed, File{name_}, place_ + 1, given_, kind_.substr(0, 64), why);
  }

  std::string text(const char* key, const std::string& usual) const {
    const json* value = find(key);
    if (value == nullptr) return usual;
    if (!value->is_string()) refuseValue(key, *value);
    return value->get<std::string>();
  }
  bool flag(const char* key, bool usual) const {
    const json* value = find(key);
    if (value == nullptr) return usual;
    if (!value->is_boolean()) refuseValue(key, *value);
    return value->get<bool>();
  }
  double number(const char* key, double usual, double least, double most) const {
    const json* value = find(key);
    if (value == nullptr) return usual;
    if (!value->is_number() || !(value->get<double>() >= least && value->get<double>() <= most))
      refuseValue(key, *value);
    return value->get<double>();
  }
  std::int64_t whole(const char* key) const {
    const json* value = find(key);
    return value == nullptr ? refuse({say::settingUnreadable, key}), 0 : wholeOf(*value, key);
  }
  // A number, or two, from 1.
  std::optional<std::pair<std::int64_t, std::int64_t>> pair(const char* key) const {
    const json* value = find(key);
    if (value == nullptr) return std::nullopt;
    if (value->is_array() && value->size() != 2) refuseValue(key, *value);
    const bool two = value->is_array();
    const std::pair both(wholeOf(two ? (*value)[0] : *value, key), wholeOf(two ? (*value)[1] : *value, key));
    if (both.first == 0 || both.second == 0) refuseValue(key, *value);  // a layer's 0 means what is usual
    return both;
  }
  std::int64_t axis() const {
    const json* value = find("axis");
    if (value != nullptr && value->is_array() && value->size() == 1) value = &value->front();
    if (value == nullptr) return -1;
    if (!value->is_number_integer()) refuseValue("axis", *value);
    return value->get<std::int64_t>();
  }
  // (H, W, C) or (C), of a shape with the batch in front.
  std::optional<Shape> shape() const {
    const json* value = find("batch_shape");
    if (value == nullptr) value = find("batch_input_shape");
    if (value == nullptr) return std::nullopt;
    constexpr const char* kKey = "batch_shape";
    if (!value->is_array() || value->size() < 2) refuseValue(kKey, *value);
    Shape shape;
    for (std::size_t i = 1; i < value->size(); ++i) {
      if ((*value)[i].is_null()) refuseValue(kKey, *value);  // any size
      shape.push_back(wholeOf((*value)[i], kKey));
    }
    return shape;
  }

  // What has to be as Keras has it by itself.
  void expect(const char* key, const json& usual) const {
    const json* value = find(key);
    if (value != nullptr && *value != usual) refuseValue(key, *value);
  }
  void expectPair(const char* key, std::int64_t usual) const {
    if (const auto value = pair(key); value && *value != std::pair(usual, usual))
      refuse({say::settingNotComputed, key, std::to_string(value->first) + ", " + std::to_string(value->second)});
  }
  // An initialiser, by its class or its short name.
  void expectInitializer(const char* key, const std::set<std::string>& names) const {
    const json* value = find(key);
    if (value == nullptr || weights_ == FirstWeights::Given) return;
    std::string name;
    if (value->is_string()) name = value->get<std::string>();
    if (value->is_object() && value->contains("class_name") && value->at("class_name").is_string())
      name = value->at("class_name").get<std::string>();
    if (!names.contains(name)) refuse({say::settingNotComputed, key, name.substr(0, 64)});
  }

 private:
  const json* find(const char* key) const {
    const auto found = config_->find(key);
    return found == config_->end() || found->is_null() ? nullptr : &*found;
  }
  [[noreturn]] void refuseValue(const char* key, const json& value) const {
    refuse({say::settingNotComputed, key, called(value)});
  }
  std::int64_t wholeOf(const json& value, const char* key) const {
    constexpr std::int64_t kMost = std::int64_t{1} << 31;
    if (!value.is_number_integer() || value.get<std::int64_t>() < 0 || value.get<std::int64_t>() > kMost)
      refuseValue(key, value);
    return value.get<std::int64_t>();
  }

  std::size_t place_;
  const std::string& name_;
  FirstWeights weights_;
  std::string kind_, given_;
  const json* config_ = nullptr;
};

void readActivation(const LayerReader& reader, NetworkLayer& layer) {
  const std::string name = reader.text("activation", "linear");
  layer.relu = name == "relu";
  layer.softmax = name == "softmax";
  if (!layer.relu && !layer.softmax && name != "linear")
    reader.refuse({say::settingNotComputed, "activation", name.substr(0, 64)});
}

void readWeights(const LayerReader& reader, NetworkLayer& layer) {
  layer.bias = reader.flag("use_bias", true);
  reader.expectInitializer("kernel_initializer", {"GlorotUniform", "glorot_uniform"});
  reader.expectInitializer("bias_initializer", {"Zeros", "zeros"});
  for (const char* key : {"kernel_regularizer", "bias_regularizer", "activity_regularizer", "kernel_constraint",
                          "bias_constraint", "lora_rank", "quantization_config"})
    reader.expect(key, nullptr);
  readActivation(reader, layer);
}

void readWindow(const LayerReader& reader, const char* size, NetworkLayer& layer) {
  const auto window = reader.pair(size);
  const bool pools = layer.kind != Kind::Conv2D;
  if (!window && !pools) reader.refuse({say::settingUnreadable, size});
  std::tie(layer.side, layer.width) = window.value_or(std::pair<std::int64_t, std::int64_t>(2, 2));
  const auto usual = pools ? std::pair(layer.side, layer.width) : std::pair<std::int64_t, std::int64_t>(1, 1);
  std::tie(layer.strideY, layer.strideX) = reader.pair("strides").value_or(usual);
  const std::string padding = reader.text("padding", "valid");
  if (padding != "valid" && padding != "same")
    reader.refuse({say::settingNotComputed, "padding", padding.substr(0, 64)});
  layer.same = padding == "same";
}

void readNorm(const LayerReader& reader, NetworkLayer& layer) {
  layer.momentum = reader.number("momentum", 0.99, 0, 1);
  layer.epsilon = reader.number("epsilon", 1e-3, 0, 1e6);
  layer.centered = reader.flag("center", true);
  layer.scaled = reader.flag("scale", true);
  layer.synchronized = reader.flag("synchronized", false);
  reader.expect("renorm", false);
  for (const char* key : {"beta_regularizer", "gamma_regularizer", "beta_constraint", "gamma_constraint"})
    reader.expect(key, nullptr);
  for (const char* key : {"beta_initializer", "moving_mean_initializer"})
    reader.expectInitializer(key, {"Zeros", "zeros"});
  for (const char* key : {"gamma_initializer", "moving_variance_initializer"})
    reader.expectInitializer(key, {"Ones", "ones"});
}

// Examples come in as bytes / 255: a model that does so itself, once, means the same.
void checkRescaling(const LayerReader& reader, bool first) {
  reader.expectFloat32();
  constexpr double kScale = 1.0 / 255, kNear = 1e-9;
  const double scale = reader.number("scale", 0, -1e6, 1e6), offset = reader.number("offset", 0, -1e6, 1e6);
  if (!first || std::abs(scale - kScale) > kNear || offset != 0) reader.refuse(say::rescalingOtherwise);
}

// `base`: what its kind is called in a name.
NetworkLayer layerOf(const LayerReader& reader, std::string& base) {
  NetworkLayer layer;
  const std::string& kind = reader.kind();
  reader.expect("trainable", true);
  reader.expectFloat32();
  if (kind != "Dense") reader.expect("data_format", "channels_last");
  if (kind == "Conv2D") {
    layer.kind = Kind::Conv2D;
    base = "conv2d";
    layer.units = reader.whole("filters");
    readWindow(reader, "kernel_size", layer);
    reader.expectPair("dilation_rate", 1);
    reader.expect("groups", 1);
    readWeights(reader, layer);
  } else if (kind == "Dense") {
    base = "dense";
    layer.units = reader.whole("units");
    readWeights(reader, layer);
  } else if (kind == "MaxPooling2D" || kind == "AveragePooling2D") {
    layer.kind = kind == "MaxPooling2D" ? Kind::MaxPool2D : Kind::AveragePool2D;
    base = kind == "MaxPooling2D" ? "max_pooling2d" : "average_pooling2d";
    readWindow(reader, "pool_size", layer);
  } else if (kind == "Flatten") {
    layer.kind = Kind::Flatten;
    base = "flatten";
  } else if (kind == "Dropout") {
    layer.kind = Kind::Dropout;
    base = "dropout";
    layer.rate = reader.number("rate", 0, 0, 1);
    if (layer.rate >= 1) reader.refuse({say::settingNotComputed, "rate", "1"});
    reader.expect("noise_shape", nullptr);
  } else if (kind == "BatchNormalization") {
    layer.kind = Kind::BatchNorm;
    base = "batch_normalization";
    readNorm(reader, layer);
  } else if (kind == "ReLU") {
    layer.kind = Kind::Activation;
    base = "re_lu";
    layer.relu = true;
    reader.expect("max_value", nullptr);
    (void)reader.number("negative_slope", 0, 0, 0);
    (void)reader.number("threshold", 0, 0, 0);
  } else if (kind == "Activation") {
    layer.kind = Kind::Activation;
    base = "activation";
    readActivation(reader, layer);
  } else if (kind == "Softmax") {
    layer.kind = Kind::Activation;
    base = "softmax";
    layer.softmax = true;
    reader.expect("axis", -1);
  } else {
    reader.refuse(say::kindNotComputed);
  }
  return layer;
}

const json& partOf(const json& object, const char* key, const std::string& name) {
  if (!object.is_object() || !object.contains(key)) throw UserError(say::notKerasModel, File{name}, key);
  return object.at(key);
}

// What does not fit is said with the names that the file gives its layers, not with those counted here.
NeuralNetwork networkOfLayers(std::string key, const Shape& input, std::vector<NetworkLayer> layers,
                              const std::vector<std::string>& given, const std::string& name) {
  try {
    return {key, input, layers};
  } catch (const UserError&) {
    for (std::size_t i = 0; i < layers.size(); ++i)
      if (!given[i].empty()) layers[i].name = given[i];
  }
  try {
    return {std::move(key), input, std::move(layers)};
  } catch (const UserError& error) {
    throw UserError(say::networkOfFile, File{name}, error.message());
  }
}

}  // namespace

NeuralNetwork parseKerasJson(std::string_view text, std::string key, const std::string& name, FirstWeights weights) {
  const json model = parseJson(text, {say::inFile, File{name}}, kMostDepth);
  const json& kind = partOf(model, "class_name", name);
  if (kind != "Sequential") throw UserError(say::notSequential, File{name}, kind.dump().substr(0, 64));
  const json& config = partOf(model, "config", name);
  const json& list = config.is_array() ? config : partOf(config, "layers", name);
  if (!list.is_array()) throw UserError(say::notKerasModel, File{name}, "layers");

  std::optional<Shape> input;
  std::vector<NetworkLayer> layers;
  std::map<std::string, int> count;
  std::vector<std::pair<std::size_t, LayerReader>> norms;
  std::vector<std::string> given;
  bool rescaled = false;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const LayerReader reader(list[i], i, name, weights);
    if (i == 0) input = reader.shape();
    if (reader.kind() == "InputLayer") {
      if (i > 0) reader.refuse(say::inputInside);
      continue;
    }
    std::string base;
    if (reader.kind() == "Rescaling") {
      checkRescaling(reader, layers.empty() && !rescaled);
      rescaled = true;
      continue;
    }
    layers.push_back(layerOf(reader, base));
    given.push_back(reader.given());
    if (layers.back().kind == Kind::BatchNorm) norms.emplace_back(layers.size() - 1, reader);
    const int number = count[base]++;
    layers.back().name = number == 0 ? base : base + "_" + std::to_string(number);
  }
  if (!input) throw UserError(say::noInputShape, File{name});
  const NeuralNetwork network = networkOfLayers(std::move(key), *input, std::move(layers), given, name);
  // Along the channels, which are the last: Keras 2 names them by their place.
  for (const auto& [layer, reader] : norms)
    if (const std::int64_t axis = reader.axis(); axis != -1 && axis != std::ssize(network.inputOf(layer)))
      reader.refuse({say::settingNotComputed, "axis", std::to_string(axis)});
  // Bytes of any type are the same numbers once they are rescaled; what comes in rescaled is float32.
  if (!rescaled && !list.empty()) LayerReader(list.front(), 0, name, weights).expectFloat32();
  return network;
}

}  // namespace lab
