// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_axes.h"

#include <QLocale>

#include <algorithm>

#include "core/base/error.h"
#include "core/base/parse_number.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "ui/sweep/sweep_request.h"

namespace lab {
namespace {

// What the setting comes to in the base; "" if that is no value, such as all training examples.
std::string valueIn(const RunSettings& base, const ConfigField& field) {
  try {
    return field.get(resolve(base));
  } catch (const UserError&) {  // the axis may be what mends the base
    return field.get(unchecked(base));
  }
}

}  // namespace

const std::vector<std::string>& usualAxes() {
  static const std::vector<std::string> axes{"replicas", "batch-per-replica", "global-batch", "learning-rate",
                                             kRuleAxis};
  return axes;
}

bool canBeAxis(const ConfigField& field) {
  using Kind = ConfigField::Kind;
  const bool list = field.kind == Kind::Integer || field.kind == Kind::Real || field.kind == Kind::Choice ||
                    field.kind == Kind::Flag || field.name == "link" || field.name == "device-model" ||
                    field.name == "host-link" || field.name == "partitioner";
  const auto& usual = usualAxes();
  static const std::vector<std::string> kOwn{"seed", "epochs", "steps", "eval-every", "lr-scaling"};
  return list && field.changesResults && field.group != "Output" &&
         std::ranges::find(usual, field.name) == usual.end() && std::ranges::find(kOwn, field.name) == kOwn.end();
}

bool commaSeparates(const std::string& setting) {
  return QLocale().decimalPoint() != QLatin1String(",") || configField(setting).kind != ConfigField::Kind::Real;
}

std::vector<std::string> usualValues(const std::string& setting, const RunSettings& base) {
  if (setting == kRuleAxis) return {};
  if (setting == "replicas") return {"1", "2", "4", "8"};
  if (setting == "batch-per-replica") return {"8", "16", "32", "64"};
  if (setting == "global-batch") return {"16", "64", "256", "1024"};
  if (setting == "strategy") return {"mirrored", "parameter-server"};
  const ConfigField& field = configField(setting);
  if (field.kind == ConfigField::Kind::Choice) return field.choices;
  if (field.kind == ConfigField::Kind::Flag) return {"false", "true"};
  if (setting == "learning-rate") {
    std::vector<std::string> rates;
    for (const double factor : {0.25, 0.5, 1.0, 2.0, 4.0}) {
      RunSettings config;
      config.learningRate = base.learningRate * factor;
      rates.push_back(field.get(config));
    }
    return rates;
  }
  if (setting == "momentum") return {"0", "0.5", "0.9"};
  if (const std::string present = valueIn(base, field); !present.empty()) return {present};
  // A number of another strategy. Other defaults are words for a person.
  if (field.isTheirs && parseWhole(field.defaultText)) return {field.defaultText};
  return {};
}

}  // namespace lab
