// SPDX-License-Identifier: GPL-3.0-or-later
// The results of a sweep's cells, for people and programs: a line or a row each, and the curves through them.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/experiments/sweep.h"

namespace lab::cli {

// A cell and its result.
struct SweepRow {
  const SweepCell* cell = nullptr;
  std::optional<RunTally> result;
  SteadyScaling steady;  // for a result whose time is modelled
  std::string state;     // "", or why there is no result: "refused", "failed", "cancelled"
};

nlohmann::json toJson(const SweepRow& row);  // the row must have a result
std::string tableOf(const std::vector<SweepRow>& rows, bool withTarget);

// Prints the curve of each rule over all cells whose runs reached the target.
void showFits(const std::vector<SweepRow>& rows, bool asJson);

}  // namespace lab::cli
