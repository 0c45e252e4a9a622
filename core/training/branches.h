// SPDX-License-Identifier: GPL-3.0-or-later
// Branches of runs (core/config/lineage.h): which branches are possible, their descriptions, and how a trainer reaches
// the state in which its run leaves its parent. Free functions; any thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/message.h"
#include "core/config/lineage.h"
#include "core/config/resolved_settings.h"
#include "core/trace/metric.h"

namespace lab {

struct Checkpoint;
struct Dataset;
class Trainer;

// Throws a UserError if a run with these settings cannot continue from its parent's state, or if its edit changes
// something that does not exist.
void checkLineage(const Lineage& lineage, const ResolvedSettings& config);

// Describes the last branch: "branch of 'base' from step 12", "weight 77 of replica 1 changed by hand in step 12".
std::vector<Message> describe(const Lineage& lineage);

// Brings `trainer`, made with a lineage, to the state in which it leaves its parent. Trains the parent from `near`, an
// earlier state of the parent, or from the beginning if `near` is null. Calls `goOn` before each of the parent's steps;
// if it returns false, the trainer does not change and the function returns false. `past` receives what the ancestors
// report about the trained steps, including evaluations; without `past` these evaluations are skipped.
bool startBranch(Trainer& trainer, const std::shared_ptr<const Dataset>& dataset, const Checkpoint* near,
                 const std::function<bool()>& goOn, std::vector<Metric>* past = nullptr);

}  // namespace lab
