// SPDX-License-Identifier: GPL-3.0-or-later
// What changing one setting means for the others. A person changes one thing at a time and expects it to be done: what
// was just changed stands, and what conflicts with it yields. Pure functions, so that form, toolbar, picker, keyboard
// and stage mean the same by the same change.
#pragma once

#include <string>
#include <vector>

#include "core/config/run_settings.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"

namespace lab {

// `config` with one field set as its table row reads it; "" is back to the default. UserError for a bad value.
RunSettings withSetting(const RunSettings& config, const std::string& name, const std::string& value);

// What stays the same when the number of replicas changes. One convention for toolbar, keys and What if.
enum class BatchKept { Global, PerReplica };
BatchKept batchKeptBy(const RunSettings& config, BatchKept otherwise);  // `otherwise` where it says both
// `config`, which means the same at `resolved`, so that it keeps this. A global batch that the replicas do not share
// evenly stays as it is until their number changes.
RunSettings keepingBatch(RunSettings config, const ResolvedSettings& resolved, BatchKept kept);

// What a change means for good: a setting that contradicts what was just changed gives way, whatever comes next.
RunSettings settled(RunSettings wish, const std::string& changed);

// Settings that somebody made in `wish` and that are not in force in `next`: kept for a strategy that can use them.
std::vector<const ConfigField*> notInForce(const RunSettings& wish, const RunSettings& next);

// The nearest configuration to `wish` that its strategy can take, as far as that can be without touching `changed`
// (the field's name, "" for none). It may still be one that resolve refuses, and then the sentence is to be
// shown.
RunSettings fitted(RunSettings wish, const std::string& changed);

// On the digits that are inside the program; a network of other images gives way.
RunSettings onDigits(RunSettings config);

// How the window starts in Teach: Mirrored, two replicas, eight digits a step, whatever the number of replicas.
RunSettings teachingConfig();

}  // namespace lab
