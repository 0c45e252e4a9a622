// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiments/comparison_file.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/config/resolved_settings.h"
#include "core/experiments/messages.h"
#include "core/files/experiment_file.h"
#include "core/files/lineage_json.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "core/strategy/strategy.h"
#include "core/training/branches.h"

namespace lab {
namespace {

using nlohmann::json;

constexpr int kComparisonVersion = 1;
constexpr std::size_t kLongestLaneWords = 500;
constexpr std::array kWaysInStep{"step", "images", "time"};  // in the order of InStepBy

json laneToJson(const ComparedLane& lane) {
  if (lane.strategy) return {{"strategy", std::string(strategyKey(*lane.strategy))}};
  json written{{"config", configToJson(withoutOutputs(lane.config))}};
  if (!lane.name.empty()) written["name"] = lane.name;
  if (!lane.lineage.empty()) written["branches"] = lineageToJson(lane.lineage);
  if (!lane.lineage.empty() && !lane.change.empty()) written["change"] = lane.change;
  return written;
}

std::string wordsAt(const json& lane, const char* key) {
  std::string words = lane.value(key, std::string());
  if (words.size() > kLongestLaneWords) throw UserError(say::badComparison, key);
  return words;
}

// Nothing for a lane that cannot run here, as one saved on a machine with a GPU: it must not cost the other lanes, and
// says why when it is started.
std::optional<ResolvedSettings> resolvedHere(const RunSettings& config) {
  try {
    return resolve(config);
  } catch (const UserError&) {
    return std::nullopt;
  }
}

ComparedLane laneFromFields(const json& from) {
  ComparedLane lane;
  if (from.contains("strategy")) {
    RunSettings named;
    configField("strategy").set(named, from.at("strategy").get<std::string>());
    lane.strategy = named.strategy;
    return lane;
  }
  lane.config = withoutOutputs(knownConfig(from.at("config")));
  lane.name = wordsAt(from, "name");
  if (from.contains("branches")) {
    lane.change = wordsAt(from, "change");
    lane.lineage = lineageFromJson(from.at("branches"));
  }
  if (const std::optional<ResolvedSettings> resolved = resolvedHere(lane.config)) checkLineage(lane.lineage, *resolved);
  return lane;
}

// An error says that it is the file's.
ComparedLane laneFromJson(const json& from) {
  try {
    return laneFromFields(from);
  } catch (const UserError& error) {
    if (error.message().is(say::badComparison)) throw;
    throw UserError(say::badLane, error.message());
  }
}

}  // namespace

json comparisonToJson(const ComparisonFile& comparison) {
  json lanes = json::array();
  for (const ComparedLane& lane : comparison.lanes) lanes.push_back(laneToJson(lane));
  json written{{"version", kComparisonVersion}, {"baseline", comparison.baseline}, {"lanes", std::move(lanes)}};
  if (comparison.by) written["by"] = at(kWaysInStep, *comparison.by);
  return written;
}

ComparisonFile comparisonFromJson(const json& from) {
  ComparisonFile comparison;
  try {
    if (integerOf<int>(from.at("version")) != kComparisonVersion) throw UserError(say::badComparison, "version");
    const json& lanes = from.at("lanes");
    if (!lanes.is_array() || lanes.size() + 1 > kMostLanes) throw UserError(say::badComparison, "lanes");
    for (const json& lane : lanes) comparison.lanes.push_back(laneFromJson(lane));
    if (from.contains("by")) {
      const auto way = std::ranges::find(kWaysInStep, from.at("by").get<std::string>());
      if (way == kWaysInStep.end()) throw UserError(say::badComparison, "by");
      comparison.by = static_cast<InStepBy>(way - kWaysInStep.begin());
    }
    // Must be a whole number >= 0: get<std::size_t>() would accept −1 and 0.5 too.
    if (const auto base = from.find("baseline"); base != from.end()) {
      if (!base->is_number_integer() || *base < 0) throw UserError(say::badComparison, "baseline");
      comparison.baseline = base->get<std::size_t>();
    }
    if (comparison.baseline > comparison.lanes.size()) throw UserError(say::badComparison, "baseline");
  } catch (const json::exception&) {
    throw UserError(say::badComparison, "lanes");
  }
  return comparison;
}

}  // namespace lab
