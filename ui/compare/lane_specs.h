// SPDX-License-Identifier: GPL-3.0-or-later
// The lanes as an experiment's file has them (core/experiments/comparison_file.h), and those of a file beside the
// window's run.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "core/experiments/comparison_file.h"
#include "ui/compare/lanes.h"

namespace lab {

struct Comparing {
  std::optional<InStepBy> by;    // as chosen; nothing: what is fair
  std::size_t baseline = 0;      // 0: the window's own run
  std::vector<LaneSpec> wishes;  // at most three
};

nlohmann::json comparisonToJson(const Lanes& lanes);         // null where there is one lane
Comparing comparingFromJson(const nlohmann::json& json);     // UserError for what cannot be
void setComparison(Lanes& lanes, Comparing comparing);       // in the place of the lanes that are there
std::optional<LaneSpec> parentWish(const Lineage& lineage);  // of the run that this is the lineage of

}  // namespace lab
