// SPDX-License-Identifier: GPL-3.0-or-later
// A comparison as an experiment's file keeps it, under the key "comparison": what stands beside the file's own run.
//   {"version": 1, "by": "images", "baseline": 0, "lanes": [{"strategy": "central-storage"},
//    {"name": "…", "config": {…}, "branches": […], "change": "0.31 → −0.31"}]}
// Without "by" nobody has chosen what is common to the lanes: whoever shows them does what is fair. A lane is the
// experiment under a strategy, or a run of its own settings; "branches" says of which run it is a branch
// (core/config/lineage.h). What a later version has added is not read; a comparison of a newer version is refused.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/config/lineage.h"
#include "core/config/run_settings.h"

namespace lab {

inline constexpr std::size_t kMostLanes = 4;  // the file's own run among them

enum class InStepBy { Steps, Images, ModelledTime };

struct ComparedLane {
  std::optional<StrategyKind> strategy;  // the experiment under it; all else is of the other kind of lane
  RunSettings config;                    // as asked for, without files to write
  std::string name;
  std::string change;  // of a branch: what was changed by hand
  Lineage lineage;
};

struct ComparisonFile {
  std::optional<InStepBy> by;  // nothing: none was chosen
  std::size_t baseline = 0;    // 0: the file's own run
  std::vector<ComparedLane> lanes;
};

nlohmann::json comparisonToJson(const ComparisonFile& comparison);
ComparisonFile comparisonFromJson(const nlohmann::json& json);  // UserError for what cannot be

}  // namespace lab
