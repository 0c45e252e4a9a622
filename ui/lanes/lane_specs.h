// SPDX-License-Identifier: GPL-3.0-or-later
// The lanes as an experiment's file describes them (core/experiments/comparison_file.h), and a file's lanes beside the
// window's run.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "core/experiments/comparison_file.h"
#include "ui/lanes/lanes.h"

namespace lab {

struct Comparing {
  std::optional<InStepBy> by;    // the user's choice; empty: whatever is fair
  std::size_t baseline = 0;      // 0: the window's own run
  std::vector<LaneSpec> wishes;  // at most three
};

// The present lanes. Those that a file could keep are described as in a file; a class's recording is kept with its
// steps.
Comparing comparingOf(const Lanes& lanes);
bool isSame(const Comparing& a, const Comparing& b);
nlohmann::json comparisonToJson(const Lanes& lanes);         // null if there is only one lane
Comparing comparingFromJson(const nlohmann::json& json);     // throws UserError for impossible values
void setComparison(Lanes& lanes, Comparing comparing);       // replaces the present lanes
std::optional<LaneSpec> parentWish(const Lineage& lineage);  // the lane for the parent of a run with this lineage

}  // namespace lab
