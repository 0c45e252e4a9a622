// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/network_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/model/messages.h"

namespace lab {
namespace {

using LayerKind = NetworkLayer::Kind;

constexpr std::array<std::pair<LayerKind, std::string_view>, 15> kKindWords{
    {{LayerKind::Conv2D, "conv2d"},
     {LayerKind::MaxPool2D, "max_pool2d"},
     {LayerKind::Flatten, "flatten"},
     {LayerKind::Dense, "dense"},
     {LayerKind::AveragePool2D, "average_pool2d"},
     {LayerKind::Dropout, "dropout"},
     {LayerKind::BatchNorm, "batch_norm"},
     {LayerKind::Activation, "activation"},
     {LayerKind::Add, "add"},
     {LayerKind::Concatenate, "concatenate"},
     {LayerKind::GlobalAveragePool2D, "global_average_pool2d"},
     {LayerKind::GlobalMaxPool2D, "global_max_pool2d"},
     {LayerKind::ZeroPadding2D, "zero_padding2d"},
     {LayerKind::DepthwiseConv2D, "depthwise_conv2d"},
     {LayerKind::LayerNorm, "layer_norm"}}};

// Every member that defines a network, and its word: whole numbers, flags, real numbers.
constexpr std::array<std::pair<std::int64_t NetworkLayer::*, std::string_view>, 6> kWholeWords{
    {{&NetworkLayer::units, "units"},
     {&NetworkLayer::side, "height"},
     {&NetworkLayer::width, "width"},
     {&NetworkLayer::strideY, "stride_y"},
     {&NetworkLayer::strideX, "stride_x"},
     {&NetworkLayer::groups, "groups"}}};
constexpr std::array<std::pair<bool NetworkLayer::*, std::string_view>, 7> kSignWords{
    {{&NetworkLayer::relu, "relu"},
     {&NetworkLayer::same, "same"},
     {&NetworkLayer::bias, "bias"},
     {&NetworkLayer::softmax, "softmax"},
     {&NetworkLayer::scaled, "scaled"},
     {&NetworkLayer::centered, "centered"},
     {&NetworkLayer::synchronized, "synchronized"}}};
constexpr std::array<std::pair<double NetworkLayer::*, std::string_view>, 4> kRealWords{
    {{&NetworkLayer::rate, "rate"},
     {&NetworkLayer::momentum, "momentum"},
     {&NetworkLayer::epsilon, "epsilon"},
     {&NetworkLayer::slope, "slope"}}};

constexpr std::size_t kMostInputs = 1024;

template <typename Numbers>
std::string listOf(const Numbers& numbers) {
  std::string text;
  for (const auto number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

std::string hexOf(double value) {
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), std::bit_cast<std::uint64_t>(value), 16);
  return {digits.data(), end.ptr};
}

// Returns the text up to the next `end`, and removes both.
std::string_view taken(std::string_view& text, char end) {
  const std::size_t at = text.find(end);
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return part;
}

template <typename Number>
bool read(std::string_view text, Number& number, int base) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

bool readShape(std::string_view line, std::vector<std::int64_t>& shape) {
  while (!line.empty()) {
    std::int64_t extent = 0;
    if (!read(taken(line, ' '), extent, 10) || shape.size() == 3) return false;
    shape.push_back(extent);
  }
  return true;
}

// Reads numbers separated by commas.
template <typename Number>
bool readList(std::string_view text, std::size_t most, std::vector<Number>& numbers) {
  while (!text.empty()) {
    Number number{};
    if (numbers.size() == most || !read(taken(text, ','), number, 10)) return false;
    numbers.push_back(number);
  }
  return !numbers.empty();
}

bool readMember(std::string_view word, std::string_view value, NetworkLayer& layer) {
  for (const auto& [member, name] : kWholeWords)
    if (word == name) return read(value, layer.*member, 10);
  for (const auto& [member, name] : kSignWords)
    if (word == name) {
      layer.*member = value == "1";
      return value == "0" || value == "1";
    }
  for (const auto& [member, name] : kRealWords)
    if (word == name) {
      std::uint64_t bits = 0;
      const bool isRead = read(value, bits, 16);
      const double real = layer.*member = std::bit_cast<double>(bits);
      const bool isLarge = member == &NetworkLayer::epsilon || member == &NetworkLayer::slope;
      const double most = isLarge ? 1e6 : 1;  // as in Keras's text
      return isRead && real >= 0 && real <= most && !(member == &NetworkLayer::rate && real == 1);
    }
  if (word == "inputs") return readList(value, kMostInputs, layer.inputs);
  if (word == "margins") {
    std::vector<std::int64_t> margins;
    const bool isRead = readList(value, layer.margins.size(), margins) && margins.size() == layer.margins.size();
    if (isRead) std::ranges::copy(margins, layer.margins.begin());
    return isRead;
  }
  for (const auto& [function, name] : kActivationWords)
    if (word == "function" && value == name) {
      layer.function = function;
      return true;
    }
  return false;
}

bool readLayer(std::string_view line, NetworkLayer& layer) {
  const std::string_view kind = taken(line, ' ');
  bool isKnown = false;
  for (const auto& [value, word] : kKindWords)
    if (kind == word) {
      layer.kind = value;
      isKnown = true;
    }
  layer.name = taken(line, ' ');
  if (!isKnown || layer.name.empty()) return false;
  while (!line.empty()) {
    std::string_view value = taken(line, ' ');
    const std::string_view word = taken(value, '=');
    if (!readMember(word, value, layer)) return false;
  }
  return true;
}

}  // namespace

std::string networkText(const NeuralNetwork& network) {
  std::string text = "input";
  for (const std::int64_t extent : network.input()) text += " " + std::to_string(extent);
  const NetworkLayer usual;
  int before = NetworkLayer::kNetworkInput;
  for (const NetworkLayer& layer : network.layers()) {
    text += "\n";
    for (const auto& [kind, word] : kKindWords)
      if (kind == layer.kind) text += word;
    text += " " + layer.name;
    const auto add = [&](std::string_view word, const std::string& value) {
      text += " " + std::string(word) + "=" + value;
    };
    for (const auto& [member, word] : kWholeWords)
      if (layer.*member != usual.*member) add(word, std::to_string(layer.*member));
    for (const auto& [member, word] : kSignWords)
      if (layer.*member != usual.*member) add(word, layer.*member ? "1" : "0");
    for (const auto& [member, word] : kRealWords)
      if (layer.*member != usual.*member) add(word, hexOf(layer.*member));
    if (layer.function != ActivationFunction::None) add("function", std::string(activationWord(layer.function)));
    if (layer.margins != usual.margins) add("margins", listOf(layer.margins));
    if (layer.inputs != std::vector{before}) add("inputs", listOf(layer.inputs));
    ++before;
  }
  return text + "\n";
}

NeuralNetwork parseNetworkText(std::string_view text, std::string key) {
  constexpr std::size_t kMostShown = 80;
  std::vector<std::int64_t> input;
  std::vector<NetworkLayer> layers;
  for (std::int64_t number = 1; !text.empty(); ++number) {
    std::string_view line = taken(text, '\n');
    const std::string shown(line.substr(0, kMostShown));
    NetworkLayer layer;
    const bool isRead = number == 1 ? taken(line, ' ') == "input" && readShape(line, input) : readLayer(line, layer);
    if (!isRead) throw UserError(say::networkLineUnreadable, number, shown);
    if (number > 1) layers.push_back(std::move(layer));
  }
  return {std::move(key), std::move(input), std::move(layers)};
}

}  // namespace lab
