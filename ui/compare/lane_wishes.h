// SPDX-License-Identifier: GPL-3.0-or-later
// A comparison as an experiment's file keeps it, under the key "comparison": what stands beside the file's own run.
//   {"version": 1, "by": "step", "baseline": 0, "lanes": [{"strategy": "central-storage"},
//    {"name": "…", "config": {…}, "branches": […], "change": "0.31 → −0.31"}]}
// A lane is the experiment under a strategy, or a run of its own settings; "branches" says of which run it is a branch
// (core/run/lineage.h). What a later version has added is not read; a comparison of a newer version is refused.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "ui/compare/lanes.h"

namespace lab {

struct Comparing {
  InStepBy by = InStepBy::Steps;
  std::size_t baseline = 0;      // 0: the window's own run
  std::vector<LaneWish> wishes;  // at most three
};

nlohmann::json comparisonToJson(const Lanes& lanes);         // null where there is one lane
Comparing comparisonFromJson(const nlohmann::json& json);    // UserError for what cannot be
void setComparison(Lanes& lanes, Comparing comparing);       // in the place of the lanes that are there
std::optional<LaneWish> parentWish(const Lineage& lineage);  // of the run that this is the lineage of

}  // namespace lab
