// SPDX-License-Identifier: GPL-3.0-or-later
// Where a run comes from: it is a branch of a parent, which it equals up to a step; from there on one setting is
// another, or a value was changed by hand. Settings and lineage together decide a run to the bit, so whoever has both
// can train it again: its file says both. Free functions; any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/message.h"
#include "core/cluster/run_edit.h"
#include "core/strategy/settings.h"
#include "core/trace/metric.h"
#include "core/trace/run_fault.h"

namespace lab {

struct Checkpoint;
struct Dataset;
class Trainer;

struct RunBranch {
  std::string parent;           // what a person called it; may be ""
  RunConfig config;             // the parent's settings
  std::int64_t step = 1;        // the first that the parent did not take
  std::optional<RunEdit> edit;  // in this step
  // In this step; of a restart from a backup `step` is the first after the backup, which the parent had taken.
  std::optional<RunFault> fault;
};
// The oldest ancestor's branch first; empty: the run has no parent.
using Lineage = std::vector<RunBranch>;

inline constexpr std::size_t kMostBranches = 64;

// UserError where a run with these settings cannot go on from its parent's state, or its edit changes what is not
// there. `config` is resolved.
void checkLineage(const Lineage& lineage, const RunConfig& config);

bool isEdited(const Lineage& lineage);  // somewhere up to the oldest ancestor
bool hasFault(const Lineage& lineage);  // likewise
// "branch of 'base' from step 12", "weight 77 of replica 1 changed by hand in step 12": of the last one.
std::vector<Message> describe(const Lineage& lineage);
std::string markedName(const std::string& name, const Lineage& lineage);  // "base (edited)", for files

nlohmann::json lineageToJson(const Lineage& lineage);
Lineage lineageFromJson(const nlohmann::json& json);  // UserError for anything that lineageToJson() does not write

// Brings `trainer`, made with a lineage, to the state in which it leaves its parent: the parent is trained from `near`,
// a state of it from before that, or where there is none from the beginning. `goOn` is asked before each of its steps;
// false: it said no, and the trainer stands where it stood. `past`: gets what the ancestors report of the steps that
// they are trained for, evaluations too; without it those are left out.
bool startBranch(Trainer& trainer, const std::shared_ptr<const Dataset>& dataset, const Checkpoint* near,
                 const std::function<bool()>& goOn, std::vector<Metric>* past = nullptr);

}  // namespace lab
