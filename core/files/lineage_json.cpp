// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/lineage_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/files/experiment_file.h"
#include "core/files/messages.h"
#include "core/options/config_field.h"

namespace lab {
namespace {

using nlohmann::json;

json editToJson(const RunEdit& edit) {
  json out{{"step", edit.step},
           {"what", edit.what == RunEdit::What::Weight ? "weight" : "gradient"},
           {"replica", edit.replica},
           {"index", edit.index}};
  if (edit.value)
    out["value"] = *edit.value;
  else
    out["bit"] = edit.bit;
  return out;
}

std::int64_t wholeAt(const json& object, const char* key, std::int64_t least, std::int64_t most) {
  const std::optional<std::int64_t> number = integerWithin(object.at(key), least, most);
  if (!number) throw UserError(say::badLineage, key);
  return *number;
}

RunEdit editFromJson(const json& from) {
  constexpr std::int64_t kMost = std::int64_t{1} << 53;
  RunEdit edit;
  edit.step = wholeAt(from, "step", 1, kMost);
  const std::string what = from.at("what").get<std::string>();
  if (what != "weight" && what != "gradient") throw UserError(say::badLineage, "what");
  edit.what = what == "weight" ? RunEdit::What::Weight : RunEdit::What::Gradient;
  edit.replica = static_cast<int>(wholeAt(from, "replica", 0, 1 << 20));
  edit.index = wholeAt(from, "index", 0, kMost);
  if (from.contains("value"))
    edit.value = from.at("value").get<float>();
  else
    edit.bit = static_cast<int>(wholeAt(from, "bit", 0, 31));
  if (edit.value && !std::isfinite(*edit.value)) throw UserError(say::badLineage, "value");
  return edit;
}

constexpr std::array kTasks{"worker", "chief", "ps"};
constexpr std::array kWhats{"kill", "freeze", "revive"};

json faultToJson(const RunFault& fault) {
  json out{
      {"step", fault.step}, {"task", at(kTasks, fault.task)}, {"index", fault.index}, {"what", at(kWhats, fault.what)}};
  if (fault.atNs > 0) out["atNs"] = fault.atNs;
  return out;
}

RunFault faultFromJson(const json& from) {
  const auto named = [&from](const char* key, const auto& names) {
    const auto found = std::ranges::find(names, from.at(key).get<std::string>());
    if (found == names.end()) throw UserError(say::badLineage, key);
    return found - names.begin();
  };
  constexpr std::int64_t kMost = std::int64_t{1} << 53;
  RunFault fault;
  fault.step = wholeAt(from, "step", 1, kMost);
  fault.task = static_cast<RunFault::Task>(named("task", kTasks));
  fault.index = static_cast<int>(wholeAt(from, "index", 0, 1 << 20));
  fault.what = static_cast<RunFault::What>(named("what", kWhats));
  if (from.contains("atNs")) fault.atNs = wholeAt(from, "atNs", 1, kMost);
  return fault;
}

}  // namespace

json lineageToJson(const Lineage& lineage) {
  json branches = json::array();
  for (const RunBranch& branch : lineage) {
    json one{{"parent", branch.parent}, {"config", configToJson(withoutOutputs(branch.config))}, {"step", branch.step}};
    if (branch.edit) one["edit"] = editToJson(*branch.edit);
    if (branch.fault) one["fault"] = faultToJson(*branch.fault);
    if (branch.ofClass) one["class"] = true;
    branches.push_back(std::move(one));
  }
  return branches;
}

Lineage lineageFromJson(const json& from) {
  if (!from.is_array() || from.size() > kMostBranches) throw UserError(say::badLineage, "branches");
  Lineage lineage;
  try {
    for (const json& one : from) {
      RunBranch branch;
      branch.parent = one.value("parent", "");
      branch.config = withoutOutputs(knownConfig(one.at("config")));
      branch.step = wholeAt(one, "step", 1, std::int64_t{1} << 53);
      if (one.contains("edit")) branch.edit = editFromJson(one.at("edit"));
      if (one.contains("fault")) branch.fault = faultFromJson(one.at("fault"));
      branch.ofClass = one.value("class", false);
      lineage.push_back(std::move(branch));
    }
  } catch (const json::exception&) {
    throw UserError(say::badLineage, "branches");
  }
  return lineage;
}

}  // namespace lab
