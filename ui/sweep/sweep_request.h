// SPDX-License-Identifier: GPL-3.0-or-later
// What a person asks a sweep for: the core's plan, and which two of its axes span the grid. Pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/experiments/sweep.h"

namespace lab {

// An axis is a setting of the table, or this: learning-rate rules, of which one is linear with warm-up.
inline constexpr const char* kRuleAxis = "rule";
inline constexpr const char* kWarmedRule = "linear-warmup";
inline constexpr const char* kStalenessRule = "staleness";

inline constexpr std::int64_t kMostSeconds = 86'400;  // of a limit

struct SweepRequest {
  SweepPlan plan;
  std::string rows = "replicas", columns = "batch-per-replica";
  int jobs = 1;
  std::int64_t withinSeconds = 0;  // it ends by then, done or not; 0: no limit
};

nlohmann::json requestToJson(const SweepRequest& request);
SweepRequest requestFromJson(const nlohmann::json& json);  // UserError

// What a cell has on an axis, as ConfigField::get() writes it; of rules "none", "sqrt", "linear", kStalenessRule,
// kWarmedRule.
std::string valueOn(const SweepPlan& plan, const RunSettings& asked, const std::string& axis);
// The plan's values of the axis, each once, in its order; of one that is none of the plan's the base's.
std::vector<std::string> valuesOf(const SweepPlan& plan, const std::string& axis);
// Gives an axis these values. UserError for one that the setting cannot have.
void setValues(SweepPlan& plan, const std::string& axis, const std::vector<std::string>& values);

// A minute on any machine: 4 counts of replicas, 5 batches, 3 rules and 3 seeds on the embedded digits, as many of them
// as there is time for.
SweepRequest classroomSweep();
// Workers of ParameterServer with the rate kept and divided by the staleness, beside Mirrored on as many images a step
// and in all: what stale gradients cost, and what repairs it (Zhang et al. 2016, arXiv 1511.05950).
SweepRequest stalenessSweep();

}  // namespace lab
