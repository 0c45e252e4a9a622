// SPDX-License-Identifier: GPL-3.0-or-later
// A comparison as an experiment's file stores it, under the key "comparison": the lanes beside the file's own run.
//   {"version": 1, "by": "images", "baseline": 0, "lanes": [{"strategy": "central-storage"},
//    {"name": "…", "config": {…}, "branches": […], "change": "0.31 → −0.31"}]}
// Without "by", nobody has chosen how lanes keep in step, and the display chooses what is fair. A lane is the
// experiment under a strategy, or a run with its own settings; "branches" names the run that it branches from
// (core/config/lineage.h). Keys added by a later version are ignored; a comparison of a newer version is refused.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/config/lineage.h"
#include "core/config/run_settings.h"

namespace lab {

inline constexpr std::size_t kMostLanes = 4;  // including the file's own run

enum class InStepBy { Steps, Images, ModelledTime };

struct ComparedLane {
  // The experiment's strategy in this lane. The other members describe a run with its own settings instead.
  std::optional<StrategyKind> strategy;
  RunSettings config;  // as requested, without output files
  std::string name;
  std::string change;  // for a branch: what was changed by hand
  Lineage lineage;
};

struct ComparisonFile {
  std::optional<InStepBy> by;  // nothing: not chosen
  std::size_t baseline = 0;    // 0: the file's own run
  std::vector<ComparedLane> lanes;
};

nlohmann::json comparisonToJson(const ComparisonFile& comparison);
ComparisonFile comparisonFromJson(const nlohmann::json& json);  // UserError if invalid

}  // namespace lab
