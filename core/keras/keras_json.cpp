// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/keras/keras_json.h"

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

constexpr int kMostDepth = 24;
constexpr double kLeakyActivationSlope = 0.2, kLeakyLayerSlope = 0.3;  // Keras's

ActivationFunction kerasActivation(std::string_view name) {
  for (const auto& [function, word] : kActivationWords)
    if (word == name) return function;
  return ActivationFunction::None;
}

// Returns what a message calls a value; for an object, its class.
std::string called(const json& value) {
  if (value.is_object() && value.contains("class_name") && value.at("class_name").is_string())
    return value.at("class_name").get<std::string>().substr(0, 64);
  return value.dump().substr(0, 64);
}

// Reads one layer of the text, and provides what messages say about it.
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
    if (const auto module = layer.find("module"); module != layer.end() && module->is_string())
      expectKeras(module->get<std::string>());
  }

  const std::string& kind() const { return kind_; }
  const std::string& given() const { return given_; }

  // Accepts a dtype policy, by its name or as an object with a name.
  void expectFloat32() const {
    const json* value = find("dtype");
    if (value != nullptr && value->is_object() && value->contains("config") && value->at("config").is_object() &&
        value->at("config").contains("name"))
      value = &value->at("config").at("name");
    if (value != nullptr && *value != "float32") refuse({say::otherDtypeOfLayer, called(*value)});
  }

  // Throws an error with "layer 3, 'lstm' (LSTM)" and the reason.
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
  std::int64_t integer(const char* key) const {
    const json* value = find(key);
    return value == nullptr ? refuse({say::settingUnreadable, key}), 0 : wholeOf(*value, key);
  }
  // Returns a number twice, or two numbers, each at least 1.
  std::optional<std::pair<std::int64_t, std::int64_t>> pair(const char* key) const {
    const json* value = find(key);
    if (value == nullptr) return std::nullopt;
    if (value->is_array() && value->size() != 2) refuseValue(key, *value);
    const bool two = value->is_array();
    const std::pair both(wholeOf(two ? (*value)[0] : *value, key), wholeOf(two ? (*value)[1] : *value, key));
    if (both.first == 0 || both.second == 0) refuseValue(key, *value);  // a 0 in a layer would mean the default
    return both;
  }
  std::int64_t axis() const {
    const json* value = find("axis");
    if (value != nullptr && value->is_array() && value->size() == 1) value = &value->front();
    if (value == nullptr) return -1;
    if (!value->is_number_integer()) refuseValue("axis", *value);
    return value->get<std::int64_t>();
  }
  // Returns (H, W, C) or (C), from a shape that begins with the batch.
  std::optional<Shape> shape() const {
    const json* value = find("batch_shape");
    if (value == nullptr) value = find("batch_input_shape");
    if (value == nullptr) return std::nullopt;
    constexpr const char* kKey = "batch_shape";
    if (!value->is_array() || value->size() < 2) refuseValue(kKey, *value);
    Shape shape;
    for (std::size_t i = 1; i < value->size(); ++i) {
      if ((*value)[i].is_null()) refuseValue(kKey, *value);  // null means any size
      shape.push_back(wholeOf((*value)[i], kKey));
    }
    return shape;
  }

  // Refuses settings that differ from Keras's default.
  void expect(const char* key, const json& usual) const {
    const json* value = find(key);
    if (value != nullptr && *value != usual) refuseValue(key, *value);
  }
  void expectPair(const char* key, std::int64_t usual) const {
    if (const auto value = pair(key); value && *value != std::pair(usual, usual))
      refuse({say::settingNotComputed, key, std::to_string(value->first) + ", " + std::to_string(value->second)});
  }
  // Checks an initialiser, given by its class or its short name.
  void expectInitializer(const char* key, const std::set<std::string>& names) const {
    const json* value = find(key);
    if (value == nullptr || weights_ == FirstWeights::Given) return;
    std::string name;
    if (value->is_string()) name = value->get<std::string>();
    if (value->is_object() && value->contains("class_name") && value->at("class_name").is_string())
      name = value->at("class_name").get<std::string>();
    if (!names.contains(name)) refuse({say::settingNotComputed, key, name.substr(0, 64)});
  }

  // Returns a setting's value; null if there is none.
  const json* find(const char* key) const {
    const auto found = config_->find(key);
    return found == config_->end() || found->is_null() ? nullptr : &*found;
  }
  [[noreturn]] void refuseValue(const char* key, const json& value) const {
    refuse({say::settingNotComputed, key, called(value)});
  }
  std::int64_t wholeOf(const json& value, const char* key) const {
    constexpr std::int64_t kMost = std::int64_t{1} << 31;
    const std::optional<std::int64_t> number = integerWithin(value, 0, kMost);
    if (!number) refuseValue(key, value);
    return *number;
  }

 private:
  // A class of the user's own may be called like Keras's. Keras 2's to_json() names no module.
  void expectKeras(const std::string& module) const {
    const std::string package = module.substr(0, module.find('.'));
    if (package != "keras" && package != "tf_keras" && package != "tensorflow")
      refuse({say::classNotKeras, module.substr(0, 64)});
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
  layer.function = kerasActivation(name);
  if (layer.function == ActivationFunction::LeakyRelu) layer.slope = kLeakyActivationSlope;
  if (!layer.relu && !layer.softmax && layer.function == ActivationFunction::None && name != "linear")
    reader.refuse({say::settingNotComputed, "activation", name.substr(0, 64)});
}

// `kernel`: the prefix of the variable's settings.
void readWeights(const LayerReader& reader, const std::string& kernel, NetworkLayer& layer) {
  layer.bias = reader.flag("use_bias", true);
  reader.expectInitializer((kernel + "_initializer").c_str(), {"GlorotUniform", "glorot_uniform"});
  reader.expectInitializer("bias_initializer", {"Zeros", "zeros"});
  for (const std::string& key :
       {kernel + "_regularizer", kernel + "_constraint", std::string("bias_regularizer"),
        std::string("bias_constraint"), std::string("lora_rank"), std::string("quantization_config")})
    reader.expect(key.c_str(), nullptr);
  readActivation(reader, layer);
}

void readWindow(const LayerReader& reader, const char* size, NetworkLayer& layer) {
  const auto window = reader.pair(size);
  const bool pools = layer.kind == Kind::MaxPool2D || layer.kind == Kind::AveragePool2D;
  if (!window && !pools) reader.refuse({say::settingUnreadable, size});
  std::tie(layer.side, layer.width) = window.value_or(std::pair<std::int64_t, std::int64_t>(2, 2));
  const auto usual = pools ? std::pair(layer.side, layer.width) : std::pair<std::int64_t, std::int64_t>(1, 1);
  std::tie(layer.strideY, layer.strideX) = reader.pair("strides").value_or(usual);
  const std::string padding = reader.text("padding", "valid");
  if (padding != "valid" && padding != "same")
    reader.refuse({say::settingNotComputed, "padding", padding.substr(0, 64)});
  layer.same = padding == "same";
}

// Reads both kinds of normalisation.
void readNorm(const LayerReader& reader, NetworkLayer& layer) {
  layer.epsilon = reader.number("epsilon", 1e-3, 0, 1e6);
  layer.centered = reader.flag("center", true);
  layer.scaled = reader.flag("scale", true);
  if (layer.kind == Kind::BatchNorm) {
    layer.momentum = reader.number("momentum", 0.99, 0, 1);
    layer.synchronized = reader.flag("synchronized", false);
    reader.expect("renorm", false);
  } else {
    reader.expect("rms_scaling", false);
  }
  for (const char* key : {"beta_regularizer", "gamma_regularizer", "beta_constraint", "gamma_constraint"})
    reader.expect(key, nullptr);
  for (const char* key : {"beta_initializer", "moving_mean_initializer"})
    reader.expectInitializer(key, {"Zeros", "zeros"});
  for (const char* key : {"gamma_initializer", "moving_variance_initializer"})
    reader.expectInitializer(key, {"Ones", "ones"});
}

// Examples arrive as bytes / 255, so a model that rescales them so itself, once, means the same.
void checkRescaling(const LayerReader& reader, bool first) {
  reader.expectFloat32();
  constexpr double kScale = 1.0 / 255, kNear = 1e-9;
  const double scale = reader.number("scale", 0, -1e6, 1e6), offset = reader.number("offset", 0, -1e6, 1e6);
  if (!first || std::abs(scale - kScale) > kNear || offset != 0) reader.refuse(say::rescalingOtherwise);
}

// Reads a number, two numbers, or two pairs: top and bottom, left and right.
void readMargins(const LayerReader& reader, NetworkLayer& layer) {
  const json* value = reader.find("padding");
  const auto at = [&](std::size_t side) -> const json& {
    if (value->is_number()) return *value;
    const json& along = value->at(side / 2);
    return along.is_number() ? along : along.at(side % 2);
  };
  const auto isPair = [](const json& pair) { return pair.is_array() && pair.size() == 2; };
  const bool fits =
      value != nullptr && (value->is_number() || (isPair(*value) && std::ranges::all_of(*value, [&](const json& each) {
                                                    return each.is_number() || isPair(each);
                                                  })));
  if (value != nullptr && !fits) reader.refuseValue("padding", *value);
  for (std::size_t side = 0; side < layer.margins.size(); ++side)
    layer.margins[side] = value == nullptr ? 1 : reader.wholeOf(at(side), "padding");
}

void readUsual(const LayerReader&, NetworkLayer&) {}

// A Keras class that can be computed here: its kind, its base in names, and how its settings are read.
struct KerasClass {
  const char* name;
  Kind kind;
  const char* base;
  void (*read)(const LayerReader&, NetworkLayer&);
};

void readConv(const LayerReader& reader, NetworkLayer& layer) {
  const bool depthwise = layer.kind == Kind::DepthwiseConv2D;
  layer.units = reader.integer(depthwise ? "depth_multiplier" : "filters");
  readWindow(reader, "kernel_size", layer);
  if (depthwise) reader.expectPair("strides", layer.strideY);  // TensorFlow's kernels have one for both directions
  reader.expectPair("dilation_rate", 1);
  if (!depthwise && reader.find("groups") != nullptr) layer.groups = reader.integer("groups");
  readWeights(reader, depthwise ? "depthwise" : "kernel", layer);
}

void readDense(const LayerReader& reader, NetworkLayer& layer) {
  layer.units = reader.integer("units");
  readWeights(reader, "kernel", layer);
}

void readPool(const LayerReader& reader, NetworkLayer& layer) {
  readWindow(reader, "pool_size", layer);
}

void readGlobalPool(const LayerReader& reader, NetworkLayer&) {
  reader.expect("keepdims", false);
}

void readDropout(const LayerReader& reader, NetworkLayer& layer) {
  layer.rate = reader.number("rate", 0, 0, 1);
  if (layer.rate >= 1) reader.refuse({say::settingNotComputed, "rate", "1"});
  reader.expect("noise_shape", nullptr);
}

void readRelu(const LayerReader& reader, NetworkLayer& layer) {
  if (const json* most = reader.find("max_value"); most == nullptr)
    layer.relu = true;
  else if (most->is_number() && *most == kRelu6Most)
    layer.function = ActivationFunction::Relu6;
  else
    reader.refuseValue("max_value", *most);
  (void)reader.number("negative_slope", 0, 0, 0);
  (void)reader.number("threshold", 0, 0, 0);
}

void readLeakyRelu(const LayerReader& reader, NetworkLayer& layer) {
  layer.function = ActivationFunction::LeakyRelu;
  layer.slope = reader.number("negative_slope", reader.number("alpha", kLeakyLayerSlope, 0, 1e6), 0, 1e6);
}

void readSoftmax(const LayerReader& reader, NetworkLayer& layer) {
  layer.softmax = true;
  reader.expect("axis", -1);
}

constexpr KerasClass kKerasClasses[] = {
    {"Conv2D", Kind::Conv2D, "conv2d", readConv},
    {"DepthwiseConv2D", Kind::DepthwiseConv2D, "depthwise_conv2d", readConv},
    {"Dense", Kind::Dense, "dense", readDense},
    {"MaxPooling2D", Kind::MaxPool2D, "max_pooling2d", readPool},
    {"AveragePooling2D", Kind::AveragePool2D, "average_pooling2d", readPool},
    {"GlobalAveragePooling2D", Kind::GlobalAveragePool2D, "global_average_pooling2d", readGlobalPool},
    {"GlobalMaxPooling2D", Kind::GlobalMaxPool2D, "global_max_pooling2d", readGlobalPool},
    {"ZeroPadding2D", Kind::ZeroPadding2D, "zero_padding2d", readMargins},
    {"Flatten", Kind::Flatten, "flatten", readUsual},
    {"Dropout", Kind::Dropout, "dropout", readDropout},
    {"BatchNormalization", Kind::BatchNorm, "batch_normalization", readNorm},
    {"LayerNormalization", Kind::LayerNorm, "layer_normalization", readNorm},
    {"Add", Kind::Add, "add", readUsual},
    {"Concatenate", Kind::Concatenate, "concatenate", readUsual},  // checkAxes() checks the axis
    {"ReLU", Kind::Activation, "re_lu", readRelu},
    {"LeakyReLU", Kind::Activation, "leaky_re_lu", readLeakyRelu},
    {"Activation", Kind::Activation, "activation", readActivation},
    {"Softmax", Kind::Activation, "softmax", readSoftmax},
};

// `base`: set to the kind's base in names.
NetworkLayer layerOf(const LayerReader& reader, std::string& base) {
  NetworkLayer layer;
  reader.expect("trainable", true);
  reader.expectFloat32();
  if (reader.kind() != "Dense") reader.expect("data_format", "channels_last");
  const auto* found = std::ranges::find(kKerasClasses, reader.kind(), &KerasClass::name);
  if (found == std::end(kKerasClasses)) reader.refuse(say::kindNotComputed);
  layer.kind = found->kind;
  base = found->base;
  found->read(reader, layer);
  return layer;
}

const json& partOf(const json& object, const char* key, const std::string& name) {
  if (!object.is_object() || !object.contains(key)) throw UserError(say::notKerasModel, File{name}, key);
  return object.at(key);
}

// Errors use the names that the file gives its layers, not those counted here.
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

// Reads a model's layers, in Keras's order.
class ModelReader {
 public:
  // `isGraph`: each layer names its inputs; otherwise each reads the layer before it.
  ModelReader(const json& list, bool isGraph, const std::string& name, FirstWeights weights)
      : list_(list), isGraph_(isGraph), name_(name), weights_(weights) {}

  // Accepts [layer, node, tensor], or a list with one of them; it must be the last layer's output.
  void expectOneOutput(const json& outputs) const {
    const json* output = &outputs;
    while (output->is_array() && output->size() == 1) output = &output->front();
    const bool isOne = output->is_array() && output->size() == 3 && output->front().is_string();
    if (!isOne || list_.empty() || !list_.back().is_object() || list_.back().value("name", json()) != output->front())
      throw UserError(say::severalOutputs, File{name_});
  }

  NeuralNetwork network(std::string key) {
    for (std::size_t i = 0; i < list_.size(); ++i) add(LayerReader(list_[i], i, name_, weights_), i);
    if (!input_) throw UserError(say::noInputShape, File{name_});
    NeuralNetwork network = networkOfLayers(std::move(key), *input_, std::move(layers_), given_, name_);
    checkAxes(network);
    // Bytes of any type give the same numbers after rescaling; without a rescaling layer, the input must be float32.
    if (!rescaled_ && !list_.empty()) LayerReader(list_.front(), 0, name_, weights_).expectFloat32();
    return network;
  }

 private:
  void add(const LayerReader& reader, std::size_t place) {
    if (place == 0) input_ = reader.shape();
    if (reader.kind() == "InputLayer") {
      if (place > 0) reader.refuse(say::inputInside);
      places_[reader.text("name", "")] = NetworkLayer::kNetworkInput;
      return;
    }
    reader.expect("activity_regularizer", nullptr);  // Keras accepts one in any layer
    const std::vector<int> inputs = inputsOf(reader, list_[place]);
    if (reader.kind() == "Rescaling") {
      checkRescaling(reader, layers_.empty() && !rescaled_);
      rescaled_ = true;
      places_ = {{reader.text("name", ""), NetworkLayer::kNetworkInput}};  // nothing reads the unscaled input
      return;
    }
    std::string base;
    NetworkLayer layer = layerOf(reader, base);
    layer.inputs = inputs;
    const bool alongAxis =
        layer.kind == Kind::BatchNorm || layer.kind == Kind::LayerNorm || layer.kind == Kind::Concatenate;
    if (alongAxis) alongAxes_.emplace_back(layers_.size(), reader);
    // Keras computes other activations within the layer; here they are separate layers after it.
    const ActivationFunction function = layer.kind == Kind::Activation
                                            ? ActivationFunction::None
                                            : std::exchange(layer.function, ActivationFunction::None);
    const double slope = layer.kind == Kind::Activation ? 0 : std::exchange(layer.slope, 0);
    push(std::move(layer), base, reader.given());
    if (function != ActivationFunction::None)
      push({.kind = Kind::Activation, .function = function, .slope = slope}, "activation", reader.given());
    places_[reader.text("name", "")] = static_cast<int>(layers_.size()) - 1;
  }

  void push(NetworkLayer layer, const std::string& base, const std::string& given) {
    const int number = count_[base]++;
    layer.name = number == 0 ? base : base + "_" + std::to_string(number);
    layers_.push_back(std::move(layer));
    given_.push_back(given);
  }

  // Reads inbound_nodes: tensors with a keras_history (Keras 3), or lists [layer, node, tensor, settings] (Keras 2).
  std::vector<int> inputsOf(const LayerReader& reader, const json& layer) const {
    if (!isGraph_) return {};
    const json& nodes = layer.contains("inbound_nodes") ? layer.at("inbound_nodes") : json();
    if (!nodes.is_array() || nodes.size() != 1) reader.refuse(say::calledOtherwise);
    std::vector<int> inputs;
    addInputs(reader,
              nodes.front().is_object() && nodes.front().contains("args") ? nodes.front().at("args") : nodes.front(),
              inputs);
    if (nodes.front().is_object() && nodes.front().contains("kwargs"))
      for (const auto& [key, value] : nodes.front().at("kwargs").items())
        if (!value.is_null()) reader.refuse({say::settingNotComputed, key.substr(0, 64), called(value)});
    if (inputs.empty()) reader.refuse(say::calledOtherwise);
    return inputs;
  }

  void addInputs(const LayerReader& reader, const json& value, std::vector<int>& inputs) const {
    const json* history = nullptr;
    if (value.is_object() && value.contains("config") && value.at("config").is_object() &&
        value.at("config").contains("keras_history"))
      history = &value.at("config").at("keras_history");
    else if (value.is_array() && value.size() >= 3 && value.front().is_string())
      history = &value;
    if (history == nullptr) {
      if (!value.is_array()) reader.refuse(say::calledOtherwise);
      for (const json& each : value) addInputs(reader, each, inputs);
      return;
    }
    const auto found = history->is_array() && !history->empty() && history->front().is_string()
                           ? places_.find(history->front().get<std::string>())
                           : places_.end();
    if (found == places_.end()) reader.refuse({say::readsUnknown, called(*history)});
    if (history->size() > 3 && !(*history)[3].empty()) reader.refuse(say::calledOtherwise);
    inputs.push_back(found->second);
  }

  // The axis must be the channels', which are last; Keras 2 names the axis by its index.
  void checkAxes(const NeuralNetwork& network) const {
    for (const auto& [layer, reader] : alongAxes_)
      if (const std::int64_t axis = reader.axis(); axis != -1 && axis != std::ssize(network.inputOf(layer)))
        reader.refuse({say::settingNotComputed, "axis", std::to_string(axis)});
  }

  const json& list_;
  const bool isGraph_;
  const std::string& name_;
  const FirstWeights weights_;
  std::optional<Shape> input_;
  bool rescaled_ = false;
  std::vector<NetworkLayer> layers_;
  std::vector<std::string> given_;     // the file's name of each layer
  std::map<std::string, int> count_;   // per kind
  std::map<std::string, int> places_;  // by the file's names
  std::vector<std::pair<std::size_t, LayerReader>> alongAxes_;
};

}  // namespace

NeuralNetwork parseKerasJson(std::string_view text, std::string key, const std::string& name, FirstWeights weights) {
  const json model = parseJson(text, {say::inFile, File{name}}, kMostDepth);
  const json& kind = partOf(model, "class_name", name);
  if (kind != "Sequential" && kind != "Functional" && kind != "Model")
    throw UserError(say::neitherSequential, File{name}, kind.dump().substr(0, 64));
  const json& config = partOf(model, "config", name);
  const json& list = config.is_array() ? config : partOf(config, "layers", name);
  if (!list.is_array()) throw UserError(say::notKerasModel, File{name}, "layers");
  ModelReader reader(list, kind != "Sequential", name, weights);
  if (kind != "Sequential") reader.expectOneOutput(partOf(config, "output_layers", name));
  return reader.network(std::move(key));
}

}  // namespace lab
