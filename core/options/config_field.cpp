// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and writes a configuration through the table of fields (config_fields.cpp). resolve.cpp handles what the values
// mean together.
#include "core/options/config_field.h"
#include "core/config/run_settings.h"
#include "core/options/network_of.h"
#include "core/strategy/strategy.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/suggest.h"
#include "core/base/units.h"
#include "core/options/messages.h"
#include "core/options/network_of.h"

namespace lab {
namespace {

// Beside the fields: the content of the file that `network` names, so that a run no longer needs the file.
constexpr const char* kNetworkLayers = "network-layers";

void dropOutputs(SettingsBase& config) {
  config.save = config.metrics = config.trace = config.run = config.checkpointDir = "";
  config.checkpointEvery.reset();
  config.resume = false;
}

}  // namespace

bool ConfigField::belongsTo(const StrategyInfo& info) const {
  return strategies.empty() || std::ranges::find(strategies, info.key) != strategies.end();
}

std::string ConfigField::theirNames() const {
  std::string names;
  for (const std::string& key : strategies) names += (names.empty() ? "" : ", ") + key;
  return names;
}

bool ConfigField::isDefault(const RunSettings& config) const {
  const std::string value = get(config);
  return value.empty() || value == defaultText || value == get(RunSettings{});
}

const ConfigField& configField(std::string_view name) {
  std::vector<std::string> names;
  for (const ConfigField& field : configFields()) {
    if (field.name == name) return field;
    names.push_back(field.name);
  }
  throw UserError(unknownName(say::settingWord, name, names));
}

RunSettings withoutOutputs(RunSettings config) {
  dropOutputs(config);
  return config;
}
ResolvedSettings withoutOutputs(ResolvedSettings config) {
  dropOutputs(config);
  return config;
}

bool hasOutputs(const SettingsBase& config) {
  return !(config.save.empty() && config.metrics.empty() && config.trace.empty() && config.run.empty() &&
           config.checkpointDir.empty());
}

nlohmann::json configToJson(const RunSettings& config) {
  nlohmann::json json = nlohmann::json::object();
  for (const ConfigField& field : configFields()) {
    const std::string value = field.get(config);
    if (value.empty()) continue;
    switch (field.kind) {
      case ConfigField::Kind::Integer:
        json[field.name] = std::stoll(value);
        break;
      case ConfigField::Kind::Real:
        json[field.name] = std::stod(value);
        break;
      case ConfigField::Kind::Flag:
        json[field.name] = value == "true";
        break;
      default:
        json[field.name] = value;
    }
  }
  if (!layersOfFile(config).empty()) json[kNetworkLayers] = layersOfFile(config);
  return json;
}

nlohmann::json configToJson(const ResolvedSettings& config) {
  return configToJson(config.asked());
}

RunSettings configFromJson(const nlohmann::json& json) {
  if (!json.is_object()) throw UserError(say::settingsNoObject);
  RunSettings config;
  for (const auto& [name, value] : json.items()) {
    if (name == kNetworkLayers) continue;
    const ConfigField& field = configField(name);
    if (value.is_string())
      field.set(config, value.get<std::string>());
    else if (value.is_boolean())
      field.set(config, value.get<bool>() ? "true" : "false");
    else if (value.is_number_integer())
      field.set(config, value.dump());
    else if (value.is_number())
      field.set(config, shortest(value.get<double>()));
    else
      throw UserError(say::settingOfOtherKind, name);
  }
  if (const auto layers = json.find(kNetworkLayers); layers != json.end()) {
    if (!layers->is_string()) throw UserError(say::settingOfOtherKind, kNetworkLayers);
    config.networkFile = {config.network, layers->get<std::string>()};
    (void)networkOf(config);  // finds an invalid network
  }
  return config;
}

std::string otherDefaults(std::int64_t usual, const std::function<std::int64_t(const StrategyInfo&)>& of) {
  std::map<std::int64_t, std::string, std::greater<>> keys;
  for (const StrategyInfo& info : strategies())
    if (const std::int64_t number = of(info); number != usual)
      keys[number] += (keys[number].empty() ? "" : ", ") + info.key;
  std::string text;
  for (const auto& [number, names] : keys) text += (text.empty() ? "" : "; ") + names + " " + std::to_string(number);
  return text;
}

MessageValue boundValue(double bound) {
  constexpr double kMostWhole = 9.0e15;  // so that it is exact
  if (bound != std::floor(bound) || std::abs(bound) > kMostWhole) return bound;
  return Count{static_cast<std::int64_t>(bound)};
}

std::string_view strategyKey(StrategyKind kind) {
  return strategyInfo(kind).key;
}

}  // namespace lab
