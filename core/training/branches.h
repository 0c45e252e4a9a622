// SPDX-License-Identifier: GPL-3.0-or-later
// Branches of runs (core/config/lineage.h): which can be, what they are called, and how a trainer comes to the state in
// which its run leaves its parent. Free functions; any thread.
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

// UserError where a run with these settings cannot go on from its parent's state, or its edit changes what is not
// there.
void checkLineage(const Lineage& lineage, const ResolvedSettings& config);

// "branch of 'base' from step 12", "weight 77 of replica 1 changed by hand in step 12": of the last one.
std::vector<Message> describe(const Lineage& lineage);

// Brings `trainer`, made with a lineage, to the state in which it leaves its parent: the parent is trained from `near`,
// a state of it from before that, or where there is none from the beginning. `goOn` is asked before each of its steps;
// false: it said no, and the trainer stands where it stood. `past`: gets what the ancestors report of the steps that
// they are trained for, evaluations too; without it those are left out.
bool startBranch(Trainer& trainer, const std::shared_ptr<const Dataset>& dataset, const Checkpoint* near,
                 const std::function<bool()>& goOn, std::vector<Metric>* past = nullptr);

}  // namespace lab
