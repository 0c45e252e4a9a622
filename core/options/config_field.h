// SPDX-License-Identifier: GPL-3.0-or-later
// The table of RunSettings's fields. The command line, the setup form, the run file and the validation are generated
// from it: a new setting needs only a member of RunSettings and a row here.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/message.h"
#include "core/config/resolved_settings.h"
#include "core/strategy/strategy.h"

namespace lab {

struct ConfigField {
  enum class Kind { Integer, Real, Choice, Text, File, Folder, Flag, List };

  std::string name;     // "batch-per-replica": the option without its dashes, and the JSON key
  std::string group;    // "Strategy", "Devices", "Data", "Training", "Output"
  std::string caption;  // "Batch per replica"
  std::string help;     // one sentence
  Kind kind = Kind::Text;
  std::vector<std::string> choices;  // of a Choice
  double minimum = 0, maximum = 0;   // of an Integer or a Real, inclusive
  std::string defaultText;           // as shown to a person: "64", "cores", "none"
  // The keys of the strategies that have the setting; empty: all. In other strategies it stays at its default.
  std::vector<std::string> strategies;
  bool isTheirs = false;       // in other strategies, the only possible complaint; if false, resolve() has more to say
  bool perStrategy = false;    // one strategy may refuse what another needs: a comparison omits it there
  bool changesResults = true;  // false for outputs and threads: a resumed run may differ in them
  std::function<std::string(const RunSettings&)> read;  // in set()'s form; "" if unset
  std::function<void(RunSettings&, const std::string& text)>
      set;  // UserError naming the option, the value and the remedy

  bool belongsTo(const StrategyInfo& info) const;
  bool isForeign(const StrategyInfo& info, const RunSettings& config) const {  // and is set
    return isTheirs && !belongsTo(info) && !isDefault(config);
  }
  std::string theirNames() const;  // "multi-worker-mirrored, local-sgd"
  // Returns whether the setting counts as not given: unset, or at its default.
  bool isDefault(const RunSettings& config) const;
  bool isDefault(const ResolvedSettings& config) const { return isDefault(config.asked()); }

  std::string get(const RunSettings& config) const { return read(config); }
  std::string get(const ResolvedSettings& config) const { return read(config.asked()); }
};

const std::vector<ConfigField>& configFields();
const ConfigField& configField(std::string_view name);  // UserError with the nearest name

// Output files belong to one run: another run with the same settings must not overwrite them.
RunSettings withoutOutputs(RunSettings config);
ResolvedSettings withoutOutputs(ResolvedSettings config);
bool hasOutputs(const SettingsBase& config);

nlohmann::json configToJson(const RunSettings& config);  // typed values; unset fields left out
nlohmann::json configToJson(const ResolvedSettings& config);
RunSettings configFromJson(const nlohmann::json& json);  // UserError for unknown keys and bad values

// Returns the strategies for which `of` is not `usual`, the largest number first: "tpu 8; default, one-device 1".
std::string otherDefaults(std::int64_t usual, const std::function<std::int64_t(const StrategyInfo&)>& of);

// A bound of a range, as a refusal writes it: a whole number as a count, "1,000,000".
MessageValue boundValue(double bound);

std::string_view strategyKey(StrategyKind kind);  // "multi-worker-mirrored"

}  // namespace lab
