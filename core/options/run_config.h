// SPDX-License-Identifier: GPL-3.0-or-later
// The table of RunConfig's fields. The command line, the setup form, the run file and the validation are generated from
// it: a new setting is a member of RunConfig and a row here.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/strategy/strategy.h"
#include "core/timing/catalogue.h"

namespace lab {

class NeuralNetwork;

struct ConfigField {
  enum class Kind { Integer, Real, Choice, Text, File, Folder, Flag, List };

  std::string name;     // "batch-per-replica": the option without its dashes, and the JSON key
  std::string group;    // "Strategy", "Devices", "Data", "Training", "Output"
  std::string caption;  // "Batch per replica"
  std::string help;     // one sentence
  Kind kind = Kind::Text;
  std::vector<std::string> choices;  // of a Choice
  double minimum = 0, maximum = 0;   // of an Integer or a Real, inclusive
  std::string defaultText;           // as a person reads it: "64", "cores", "none"
  // The keys of the strategies that have it; empty: all. In others it stays at its default.
  std::vector<std::string> strategies;
  bool perStrategy = false;    // one strategy may refuse what another needs: a comparison leaves it out there
  bool changesResults = true;  // false for outputs and threads: a resumed run may differ in them
  std::function<std::string(const RunConfig&)> get;  // as set() takes it; "" where unset
  std::function<void(RunConfig&, const std::string& text)>
      set;  // UserError naming the option, the value and the remedy

  bool belongsTo(const StrategyInfo& info) const;
  // Whether it is as if nobody had said anything: unset, or its default.
  bool isDefault(const RunConfig& config) const;
};

const std::vector<ConfigField>& configFields();
const ConfigField& configField(std::string_view name);  // UserError with the nearest name

// All defaults filled in and every combination checked against what TensorFlow and the catalogue allow: UserError says
// what is wrong and what to do. Everything that can be known before the data are read is checked here.
RunConfig resolveConfig(RunConfig config);

// The built-in catalogue with the rows of the configuration's own file. UserError naming the row that is wrong.
Catalogue catalogueOf(const RunConfig& config);
inline constexpr std::int64_t kMostCatalogueBytes = std::int64_t{4} << 20;  // of that file

// The network that is trained; UserError where it is none that is known here, or a file that cannot be read.
std::shared_ptr<const NeuralNetwork> networkOf(const RunConfig& config);
// Reads the network's file, if it has one, into the settings; a .keras file brings the first weights, too.
void readNetworkFile(RunConfig& config);
const std::string& layersOfFile(const RunConfig& config);  // what the network's file held; "": not read, or none
const std::vector<std::string>& networkNames();            // that can be chosen, without files
bool isNetworkName(const std::string& network);            // one of them, and no file

// Files that a run writes belong to that run: whoever runs the same again must not overwrite them.
RunConfig withoutOutputs(RunConfig config);
bool hasOutputs(const RunConfig& config);

nlohmann::json configToJson(const RunConfig& config);  // typed values; unset fields left out
RunConfig configFromJson(const nlohmann::json& json);  // UserError for unknown keys and bad values

std::string_view strategyKey(StrategyKind kind);  // "multi-worker-mirrored"

}  // namespace lab
