// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lanes/lane_specs.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/config/lineage.h"
#include "core/options/config_field.h"
#include "ui/runs/run_names.h"

namespace lab {
namespace {

ComparedLane laneOf(const LaneSpec& wish) {
  ComparedLane lane;
  if (wish.strategy != nullptr) {
    lane.strategy = wish.strategy->kind;
    return lane;
  }
  lane.config = *wish.kept;
  if (!wish.name.isEmpty()) lane.name = unmarkedRunName(wish.name).toStdString();
  lane.change = wish.change.toStdString();
  lane.lineage = wish.from.origin.lineage;
  return lane;
}

// Compares what a file would store.
bool sameWish(const LaneSpec& a, const LaneSpec& b) {
  if (a.from.recording != nullptr || b.from.recording != nullptr) return a.from.recording == b.from.recording;
  const auto kept = [](const LaneSpec& wish) {
    return comparisonToJson(ComparisonFile{std::nullopt, 0, {laneOf(wish)}});
  };
  return kept(a) == kept(b);
}

LaneSpec wishOf(ComparedLane lane) {
  LaneSpec wish;
  if (lane.strategy) {
    wish.strategy = &strategyInfo(*lane.strategy);
    return wish;
  }
  wish.kept = std::move(lane.config);
  wish.name = QString::fromStdString(lane.name).simplified();
  wish.change = QString::fromStdString(lane.change).simplified();
  wish.from.origin.lineage = std::move(lane.lineage);
  return wish;
}

}  // namespace

// A lane that is already there goes on, so that its trained steps are not trained again.
void setComparison(Lanes& lanes, Comparing comparing) {
  const auto isWanted = [&](std::size_t lane, std::size_t wish) {
    return sameWish(lanes.at(lane).wish(), comparing.wishes[wish]);
  };
  std::size_t kept = 0;  // how many of the wishes are there already, from the first on
  for (std::size_t lane = 1; lane < lanes.count();)
    if (kept < comparing.wishes.size() && isWanted(lane, kept)) {
      ++lane, ++kept;
    } else {
      lanes.remove(lane);
    }
  for (; kept < comparing.wishes.size(); ++kept) lanes.add(std::move(comparing.wishes[kept]));
  lanes.setBy(comparing.by);
  lanes.setBaseline(comparing.baseline);
}

Comparing comparingOf(const Lanes& lanes) {
  if (lanes.count() < 2) return {};
  Comparing comparing{lanes.chosenBy(), lanes.baseline(), {}};
  for (std::size_t i = 1; i < lanes.count(); ++i) {
    const LaneSpec& wish = lanes.at(i).wish();
    comparing.wishes.push_back(wish.from.recording != nullptr ? wish : wishOf(laneOf(wish)));
  }
  return comparing;
}

bool isSame(const Comparing& a, const Comparing& b) {
  return a.by == b.by && a.baseline == b.baseline && std::ranges::equal(a.wishes, b.wishes, sameWish);
}

std::optional<LaneSpec> parentWish(const Lineage& lineage) {
  if (lineage.empty()) return std::nullopt;
  const RunBranch& branch = lineage.back();
  LaneSpec wish;
  wish.kept = withoutOutputs(branch.config);
  wish.name = QString::fromStdString(branch.parent);
  wish.from.origin.lineage.assign(lineage.begin(), lineage.end() - 1);
  return wish;
}

nlohmann::json comparisonToJson(const Lanes& lanes) {
  if (lanes.count() < 2) return nullptr;
  // The steps of a class's recording are in its own file, so such a lane is left out.
  ComparisonFile comparison{lanes.chosenBy(), 0, {}};
  for (std::size_t i = 1; i < lanes.count(); ++i) {
    if (lanes.at(i).wish().from.recording != nullptr) continue;
    comparison.lanes.push_back(laneOf(lanes.at(i).wish()));
    if (i == lanes.baseline()) comparison.baseline = comparison.lanes.size();
  }
  return comparison.lanes.empty() ? nlohmann::json() : comparisonToJson(comparison);
}

Comparing comparingFromJson(const nlohmann::json& json) {
  ComparisonFile comparison = comparisonFromJson(json);
  Comparing comparing{comparison.by, comparison.baseline, {}};
  for (ComparedLane& lane : comparison.lanes) comparing.wishes.push_back(wishOf(std::move(lane)));
  return comparing;
}

}  // namespace lab
