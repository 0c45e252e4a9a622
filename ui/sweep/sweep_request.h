// SPDX-License-Identifier: GPL-3.0-or-later
// What the user asks a sweep for: the core's plan, and which two of its axes span the grid. Pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/experiments/sweep.h"

namespace lab {

// An axis is a setting of the table, or this one: learning-rate rules, one of which is linear with warm-up.
inline constexpr const char* kRuleAxis = "rule";
inline constexpr const char* kWarmedRule = "linear-warmup";
inline constexpr const char* kStalenessRule = "staleness";

inline constexpr std::int64_t kMostSeconds = 86'400;  // for a limit

struct SweepRequest {
  SweepPlan plan;
  std::string rows = "replicas", columns = "batch-per-replica";
  int jobs = 1;
  std::int64_t withinSeconds = 0;  // the sweep ends by then, done or not; 0: no limit
};

nlohmann::json requestToJson(const SweepRequest& request);
SweepRequest requestFromJson(const nlohmann::json& json);  // throws UserError, also for more than two axes

// A cell's value on an axis, as ConfigField::get() writes it; for rules "none", "sqrt", "linear", kStalenessRule or
// kWarmedRule.
std::string valueOn(const SweepPlan& plan, const RunSettings& asked, const std::string& axis);
// The plan's values of the axis, without duplicates, in order; for an axis that the plan does not vary, the base's
// value.
std::vector<std::string> valuesOf(const SweepPlan& plan, const std::string& axis);
// Gives an axis these values. Throws UserError for a value that the setting cannot have.
void setValues(SweepPlan& plan, const std::string& axis, const std::vector<std::string>& values);

// Takes a minute on any machine: 4 counts of replicas, 5 batches, 3 rules and 3 seeds on the embedded digits, or as
// many of them as there is time for.
SweepRequest classroomSweep();
// Workers of ParameterServer with the rate kept and with the rate divided by the staleness, beside Mirrored with as
// many images per step and in total: shows what stale gradients cost, and what repairs it (Zhang et al. 2016, arXiv
// 1511.05950).
SweepRequest stalenessSweep();

}  // namespace lab
