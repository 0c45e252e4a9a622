// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/lane_wishes.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/run/lineage.h"
#include "ui/runs/run_names.h"
#include "ui/words/messages.h"

namespace lab {
namespace {

using nlohmann::json;

constexpr int kComparisonVersion = 1;
constexpr std::size_t kLongestWords = 500;
constexpr std::array kWaysInStep{"step", "images", "time"};  // in the order of InStepBy

json wishToJson(const LaneWish& wish) {
  if (wish.strategy != nullptr) return {{"strategy", wish.strategy->key}};
  json lane{{"config", configToJson(withoutOutputs(*wish.kept))}};
  if (!wish.name.isEmpty()) lane["name"] = unmarkedRunName(wish.name).toStdString();
  if (!wish.from.origin.lineage.empty()) lane["branches"] = lineageToJson(wish.from.origin.lineage);
  if (!wish.change.isEmpty()) lane["change"] = wish.change.toStdString();
  return lane;
}

QString wordsAt(const json& lane, const char* key) {
  const std::string words = lane.value(key, std::string());
  if (words.size() > kLongestWords) throw UserError(say::badComparison, key);
  return QString::fromStdString(words).simplified();
}

LaneWish wishFromJson(const json& lane) {
  LaneWish wish;
  if (lane.contains("strategy")) {
    RunConfig named;
    configField("strategy").set(named, lane.at("strategy").get<std::string>());
    wish.strategy = &strategyInfo(named.strategy);
    return wish;
  }
  wish.kept = withoutOutputs(configFromJson(lane.at("config")));
  wish.name = wordsAt(lane, "name");
  if (lane.contains("branches")) wish.change = wordsAt(lane, "change");
  if (lane.contains("branches")) wish.from.origin.lineage = lineageFromJson(lane.at("branches"));
  checkLineage(wish.from.origin.lineage, resolveConfig(*wish.kept));
  return wish;
}

}  // namespace

void setComparison(Lanes& lanes, Comparing comparing) {
  while (lanes.count() > 1) lanes.remove(lanes.count() - 1);
  for (LaneWish& wish : comparing.wishes) lanes.add(std::move(wish));
  lanes.setBy(comparing.by);
  lanes.setBaseline(comparing.baseline);
}

std::optional<LaneWish> parentWish(const Lineage& lineage) {
  if (lineage.empty()) return std::nullopt;
  const RunBranch& branch = lineage.back();
  LaneWish wish;
  wish.kept = withoutOutputs(branch.config);
  wish.name = QString::fromStdString(branch.parent);
  wish.from.origin.lineage.assign(lineage.begin(), lineage.end() - 1);
  return wish;
}

json comparisonToJson(const Lanes& lanes) {
  if (lanes.count() < 2) return nullptr;
  json wishes = json::array();
  for (std::size_t i = 1; i < lanes.count(); ++i) wishes.push_back(wishToJson(lanes.at(i).wish()));
  return {{"version", kComparisonVersion},
          {"by", kWaysInStep[static_cast<std::size_t>(lanes.by())]},
          {"baseline", lanes.baseline()},
          {"lanes", std::move(wishes)}};
}

Comparing comparisonFromJson(const json& from) {
  Comparing comparing;
  try {
    if (from.at("version").get<int>() != kComparisonVersion) throw UserError(say::badComparison, "version");
    const json& lanes = from.at("lanes");
    if (!lanes.is_array() || lanes.size() + 1 > Lanes::kMost) throw UserError(say::badComparison, "lanes");
    for (const json& lane : lanes) comparing.wishes.push_back(wishFromJson(lane));
    const auto way = std::ranges::find(kWaysInStep, from.value("by", std::string(kWaysInStep.front())));
    if (way == kWaysInStep.end()) throw UserError(say::badComparison, "by");
    comparing.by = static_cast<InStepBy>(way - kWaysInStep.begin());
    comparing.baseline = from.value("baseline", std::size_t{0});
    if (comparing.baseline > comparing.wishes.size()) throw UserError(say::badComparison, "baseline");
  } catch (const json::exception&) {
    throw UserError(say::badComparison, "lanes");
  }
  return comparing;
}

}  // namespace lab
